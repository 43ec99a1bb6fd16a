//! The templates that skeletons are made of.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::Value;

/// How much work a template may be: enough for some ten thousand tools, and done in a second.
const FUEL: u64 = 5_000_000;

/// The templates of a language, some of which somebody may have replaced.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    /// The names of those that somebody has replaced.
    replaced: BTreeSet<String>,
}

/// Why a template gives no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The template.
    pub name: String,
    /// Where in it, if it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl Templates {
    /// The templates that come with weave, with these in the place of those with their names.
    ///
    /// # Errors
    ///
    /// If one of them cannot be read as a template.
    pub fn new(ours: &[(&'static str, &'static str)], replaced: &BTreeMap<String, String>) -> Result<Self, TemplateError> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let mut syntax = SyntaxConfig::builder();
        syntax.keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true);
        environment.set_syntax(syntax.build().map_err(|error| told("", &error))?);
        environment.set_fuel(Some(FUEL));
        for (name, text) in ours {
            let text = replaced.get(*name).cloned().unwrap_or_else(|| (*text).to_owned());
            environment.add_template_owned(*name, text).map_err(|error| told(name, &error))?;
        }
        Ok(Self { environment, replaced: replaced.keys().cloned().collect() })
    }

    /// Whether somebody has replaced one of these.
    pub(crate) fn are_replaced(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.replaced.contains(*name))
    }

    /// The text of a template for these values, with one newline at its end.
    pub(crate) fn render(&self, name: &str, facts: &Value) -> Result<String, TemplateError> {
        let template = self.environment.get_template(name).map_err(|error| told(name, &error))?;
        let text = template.render(Serde(facts)).map_err(|error| told(name, &error))?;
        Ok(format!("{}\n", text.trim_end()))
    }
}

fn told(name: &str, error: &minijinja::Error) -> TemplateError {
    // The innermost template is the one that has the mistake.
    let mut inner = error;
    let mut next: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    while let Some(found) = next {
        if let Some(found) = found.downcast_ref::<minijinja::Error>() {
            inner = found;
        }
        next = found.source();
    }
    let reason = inner.detail().map_or_else(|| inner.kind().to_string(), |detail| format!("{}: {detail}", inner.kind()));
    TemplateError { name: inner.name().unwrap_or(name).to_owned(), line: inner.line(), reason }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const OURS: &[(&str, &str)] = &[("a", "{% include \"b\" %}\n"), ("b", "[{{ x }}]")];

    fn rendered(replaced: &[(&str, &str)]) -> Result<String, TemplateError> {
        let replaced = replaced.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Templates::new(OURS, &replaced)?.render("a", &json!({ "x": "<\"&" }))
    }

    #[test]
    fn a_template_may_be_replaced_and_nothing_is_escaped() {
        assert_eq!(rendered(&[]).as_deref(), Ok("[<\"&]\n"));
        assert_eq!(rendered(&[("b", "({{ x }})\n\n")]).as_deref(), Ok("(<\"&)\n"));
    }

    #[test]
    fn a_mistake_is_told_where_it_is() {
        let error = rendered(&[("b", "\n{% if %}")]).unwrap_err();
        assert_eq!((error.name.as_str(), error.line), ("b", Some(2)));
        let error = rendered(&[("b", "\n\n{{ y }}")]).unwrap_err();
        assert_eq!((error.name.as_str(), error.line), ("b", Some(3)));
    }

    #[test]
    fn no_template_runs_for_ever() {
        let text = "{% for a in range(9999) %}{% for b in range(9999) %}.{% endfor %}{% endfor %}";
        assert!(rendered(&[("b", text)]).unwrap_err().reason.contains("fuel"));
        assert!(rendered(&[("b", "{% include \"a\" %}")]).is_err());
    }
}
