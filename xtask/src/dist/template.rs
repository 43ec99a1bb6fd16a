//! The files of packages that are text with a few places to fill.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};

use super::{HOME, PACKAGE, VERSION};

/// A template by its name.
const TEMPLATES: &[(&str, &str)] = &[
    ("METADATA", include_str!("templates/METADATA")),
    ("WHEEL", include_str!("templates/WHEEL")),
    ("__init__.py", include_str!("templates/__init__.py")),
    ("__main__.py", include_str!("templates/__main__.py")),
    ("control", include_str!("templates/control")),
    ("formula.rb", include_str!("templates/formula.rb")),
    ("install.ps1", include_str!("templates/install.ps1")),
    ("install.sh", include_str!("templates/install.sh")),
    ("npm-platform.md", include_str!("templates/npm-platform.md")),
    ("weave.js", include_str!("templates/weave.js")),
    ("winget.installer.yaml", include_str!("templates/winget.installer.yaml")),
    ("winget.locale.yaml", include_str!("templates/winget.locale.yaml")),
    ("winget.version.yaml", include_str!("templates/winget.version.yaml")),
];

/// A template with its places filled. All templates know `package`, `version` and `home`.
pub(super) fn render(name: &str, values: Value) -> Result<String, String> {
    let attempt = || {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_syntax(SyntaxConfig::builder().keep_trailing_newline(true).build()?);
        for (name, text) in TEMPLATES {
            environment.add_template(name, text)?;
        }
        let shared = minijinja::context! { package => PACKAGE, version => VERSION, home => HOME };
        environment.get_template(name)?.render(minijinja::context! { ..values, ..shared })
    };
    attempt().map_err(|error: minijinja::Error| format!("the template `{name}`: {error:#}"))
}
