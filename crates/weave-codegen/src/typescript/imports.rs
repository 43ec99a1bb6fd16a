//! What a module imports, and the comments in it.

use std::collections::BTreeSet;

use weave_ir::package::About;

use crate::text::one_line;

/// Lets the module use what it tells others not to use.
const USES_DEPRECATED: &str =
    "/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated is declared and served all the same */\n";

/// What a module of a package uses of other modules. Their names begin with `$`, which no name that is made from a program does.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// Lines, in order.
    lines: BTreeSet<String>,
    /// Whether it uses something deprecated.
    is_outdated: bool,
}

impl Imports {
    /// Notes that the module uses what this is said about.
    pub(super) fn uses(&mut self, about: &About) {
        self.is_outdated |= about.deprecated.is_some();
    }

    /// What all packages share.
    pub(super) fn shared(&mut self) -> &'static str {
        self.lines.insert("import * as $w from \"../_weave/index.js\";".to_owned());
        "$w"
    }

    /// The types of a package; nothing for those of the package itself where they stand in the same module.
    pub(super) fn types(&mut self, package: Option<&str>) -> String {
        match package {
            None => {
                self.lines.insert("import type * as $types from \"./types.js\";".to_owned());
                "$types".to_owned()
            }
            Some(package) => {
                self.lines.insert(format!("import type * as $types_{package} from \"../{package}/types.js\";"));
                format!("$types_{package}")
            }
        }
    }

    /// Another module of this or another package, for its values.
    pub(super) fn values(&mut self, package: Option<&str>, module: &str) -> String {
        let (name, from) = match package {
            None => (format!("${module}"), format!("./{module}.js")),
            Some(package) => (format!("${module}_{package}"), format!("../{package}/{module}.js")),
        };
        self.lines.insert(format!("import * as {name} from \"{from}\";"));
        name
    }

    /// The lines, and what stands behind them.
    pub(super) fn before(&self, body: &str) -> String {
        let lines = self.lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let directive = if self.is_outdated { USES_DEPRECATED } else { "" };
        if lines.is_empty() { format!("{directive}{body}") } else { format!("{directive}{lines}\n{body}") }
    }
}

/// The doc comment of a method that somebody implements. Who does that is not told to use something else: callers are.
pub(super) fn implemented(about: &About) -> String {
    let said = about.deprecated.as_ref().map(|reason| format!("Deprecated: {reason}").trim_end().to_owned());
    let parts: Vec<&str> = about.description.as_deref().into_iter().chain(said.as_deref()).collect();
    comment(Some(&parts.join("\n\n")), None, "  ")
}

/// A doc comment; nothing if there is nothing to say.
pub(super) fn comment(description: Option<&str>, deprecated: Option<&str>, indent: &str) -> String {
    let mut lines: Vec<String> = description.unwrap_or_default().lines().map(str::to_owned).collect();
    if let Some(reason) = deprecated {
        lines.push(format!("@deprecated {}", reason.lines().collect::<Vec<_>>().join(" ")).trim_end().to_owned());
    }
    // What ends a comment would end this one, and what tells the compiler something is not meant for it.
    let quiet = |line: &String| match line.trim_start().strip_prefix("@ts-") {
        Some(rest) => format!("\\@ts-{rest}"),
        None => line.clone(),
    };
    let lines: Vec<String> = lines.iter().map(|line| one_line(&quiet(line)).replace("*/", "*\\/")).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let inner = lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect::<String>();
            format!("{indent}/**\n{inner}{indent} */\n")
        }
    }
}
