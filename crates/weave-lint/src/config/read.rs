//! From TOML to settings.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use weave_diagnostics::{Applicability, Code, Diagnostic, FileId, Place, Span, closest};

use super::{Config, Override, codes, globs};
use crate::levels::{Level, Settings};
use crate::registry::{RULES, find};
use crate::rule::{Group, Rule};

/// The keys of the file.
pub(super) const TOP_KEYS: &[&str] = &["lint", "diff", "gen", "tools"];

/// A language below `[gen]`.
pub(super) struct Language {
    /// Its key.
    pub(super) key: &'static str,
    /// What it is called.
    pub(super) name: &'static str,
    /// The keys of its table.
    pub(super) keys: &'static [&'static str],
}

/// The languages below `[gen]`.
pub(super) const LANGUAGES: &[Language] = &[
    Language { key: "go", name: "Go", keys: &["output", "scaffold", "templates", "module", "mcp", "builders", HEADER] },
    Language { key: "python", name: "Python", keys: &["output", "scaffold", "templates", "module", "mcp", "builders", HEADER] },
    Language { key: "typescript", name: "TypeScript", keys: &["output", "scaffold", "templates", "mcp", "builders", HEADER] },
];

/// The key of `[gen]`, and of each language, for what stands at the top of generated files.
pub(super) const HEADER: &str = "header";

/// The keys of `[lint]`.
pub(super) const LINT_KEYS: &[&str] = &["baseline", "rules", "groups", "overrides"];

/// The keys of `[[lint.overrides]]`.
pub(super) const OVERRIDE_KEYS: &[&str] = &["paths", "rules", "groups"];

pub(super) type Value<'a> = Spanned<DeValue<'a>>;

pub(super) fn read(text: &str, file: FileId) -> (Config, Vec<Diagnostic>) {
    let mut reader = Reader { file, found: Vec::new() };
    let mut config = Config::default();
    let (document, errors) = DeTable::parse_recoverable(text);
    // Behind the first error the reader of TOML guesses.
    if let Some(error) = errors.first() {
        let place = reader.place(error.span().unwrap_or(0..0));
        reader
            .found
            .push(Diagnostic::new(&codes::SYNTAX, place, error.message().lines().collect::<Vec<_>>().join("; ")).label("not valid TOML"));
        return (config, reader.found);
    }
    reader.table(document.get_ref(), TOP_KEYS, |reader, name, value| match name {
        "lint" => reader.lint(value, &mut config),
        "diff" => reader.diff(value, &mut config.accepted),
        "tools" => reader.tools(value, &mut config.tools),
        _ => reader.languages(value, &mut config),
    });
    (config, reader.found)
}

pub(super) struct Reader {
    file: FileId,
    found: Vec<Diagnostic>,
}

impl Reader {
    pub(super) fn place(&self, range: Range<usize>) -> Place {
        Place::new(self.file, Span::new(range.start as u32, range.end as u32))
    }

    pub(super) fn report(&mut self, code: &'static Code, range: Range<usize>, message: String, label: &str, help: String) {
        let place = self.place(range);
        self.found.push(Diagnostic::new(code, place, message).label(label).help(help));
    }

    /// Goes through a table; keys that are not among `known` are reported.
    pub(super) fn table<'a>(&mut self, table: &DeTable<'a>, known: &[&str], mut each: impl FnMut(&mut Self, &str, &Value<'a>)) {
        for (key, value) in in_order(table) {
            if known.contains(&key.get_ref().as_ref()) {
                each(self, key.get_ref(), value);
            } else {
                self.unknown(&codes::UNKNOWN_KEY, "key", key.get_ref(), key.span(), known.iter().copied());
            }
        }
    }

    pub(super) fn unknown<'k>(
        &mut self,
        code: &'static Code,
        noun: &str,
        name: &str,
        range: Range<usize>,
        known: impl Iterator<Item = &'k str> + Clone,
    ) {
        let place = self.place(range);
        let diagnostic = Diagnostic::new(code, place, format!("there is no {noun} `{name}`")).label("unknown key");
        // A change is named by a value, which stands in quotes.
        let written = |near: &str| if noun == "change" { format!("{near:?}") } else { near.to_owned() };
        let diagnostic = match closest(name, known.clone()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")).replace(
                Applicability::Unsafe,
                format!("replace it with `{}`", written(near)),
                place,
                written(near),
            ),
            None if noun == "change" => diagnostic.help("`weave explain` lists all changes"),
            None if noun == "rule" => diagnostic.help("`weave explain` lists all rules"),
            None if known.clone().count() == 1 => diagnostic.help(format!("the only one is {}", listed(known, "and"))),
            None => diagnostic.help(format!("there are {}", listed(known, "and"))),
        };
        self.found.push(diagnostic);
    }

    pub(super) fn expect(&mut self, what: &str, value: &Value<'_>) {
        let found = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => format!("`{}`", number.as_str()),
            DeValue::Integer(_) => "a whole number".to_owned(),
            DeValue::Float(_) => "a number with a fraction".to_owned(),
            DeValue::String(text) if text.is_empty() => "an empty string".to_owned(),
            DeValue::String(_) => "a string".to_owned(),
            DeValue::Boolean(value) => format!("`{value}`"),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.report(&codes::VALUE, value.span(), format!("expected {what}, found {found}"), "wrong type", format!("write {what}"));
    }

    fn lint(&mut self, value: &Value<'_>, config: &mut Config) {
        let Some(table) = value.get_ref().as_table() else { return self.expect("a table", value) };
        self.table(table, LINT_KEYS, |reader, name, value| match name {
            "baseline" => match value.get_ref().as_str().filter(|path| !path.is_empty()) {
                Some(path) => config.baseline = Some(path.to_owned()),
                None => reader.expect("a quoted file path", value),
            },
            "rules" => reader.rules(value, &mut config.shared),
            "groups" => reader.groups(value, &mut config.shared),
            _ => reader.overrides(value, config),
        });
    }

    /// `[gen]`.
    fn languages(&mut self, value: &Value<'_>, config: &mut Config) {
        let Some(table) = value.get_ref().as_table() else { return self.expect("a table", value) };
        let known: Vec<&str> = LANGUAGES.iter().map(|language| language.key).chain([HEADER]).collect();
        self.table(table, &known, |reader, name, value| {
            if name == HEADER {
                config.header = reader.header(value);
                return;
            }
            let Some(table) = value.get_ref().as_table() else { return reader.expect("a table", value) };
            let Some(language) = LANGUAGES.iter().find(|language| language.key == name) else { return };
            let is_python = language.key == "python";
            let generation = config.generated.entry(language.key).or_default();
            reader.table(table, language.keys, |reader, name, value| match (name, value.get_ref().as_str()) {
                ("output", Some(path)) if !path.is_empty() => generation.output = Some(path.to_owned()),
                ("mcp" | "builders", _) => match (name, value.get_ref().as_bool()) {
                    ("mcp", Some(wanted)) => generation.mcp = wanted,
                    (_, Some(wanted)) => generation.builders = wanted,
                    (_, None) => reader.expect("`true` or `false`", value),
                },
                (HEADER, _) => generation.header = reader.header(value),
                ("scaffold", Some(path)) if !path.is_empty() => generation.scaffold = Some(path.to_owned()),
                ("templates", Some(path)) if !path.is_empty() => generation.templates = Some(path.to_owned()),
                ("module", Some(path)) if is_python && is_package(path) => generation.module = Some(path.to_owned()),
                ("module", Some(path)) if !is_python && is_import_path(path) => generation.module = Some(path.to_owned()),
                ("module", _) if is_python => reader.expect("the package of the folder, such as `app.gen`, in quotes", value),
                ("output" | "scaffold" | "templates", _) => reader.expect("a quoted folder path", value),
                _ => reader.expect("the import path of the folder, such as `example.com/app/gen`, in quotes", value),
            });
        });
    }

    /// Lines that a comment of any language can hold.
    fn header(&mut self, value: &Value<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(|text| text.replace("\r\n", "\n"));
        let is_odd = |it: char| (it.is_control() && !matches!(it, '\n' | '\t')) || matches!(it, '\u{2028}' | '\u{2029}');
        let text = text.filter(|text| !text.contains(is_odd));
        if text.is_none() {
            self.expect("lines of text without control characters, in quotes", value);
        }
        text
    }

    fn overrides(&mut self, value: &Value<'_>, config: &mut Config) {
        let Some(entries) = value.get_ref().as_array() else { return self.expect("a list of tables, `[[lint.overrides]]`", value) };
        for entry in entries.iter() {
            let Some(table) = entry.get_ref().as_table() else {
                self.expect("a table", entry);
                continue;
            };
            let mut settings = Settings::default();
            let mut patterns = None;
            self.table(table, OVERRIDE_KEYS, |reader, name, value| match name {
                "paths" => patterns = Some(reader.patterns(value)),
                "rules" => reader.rules(value, &mut settings),
                _ => reader.groups(value, &mut settings),
            });
            let Some(patterns) = patterns else {
                let help = "name the files: `paths = [\"tests/**\"]`".to_owned();
                self.report(&codes::VALUE, entry.span(), "an override has no `paths`".to_owned(), "no files", help);
                continue;
            };
            match globs(&patterns, self.place(entry.span())) {
                Ok(paths) => config.overrides.push(Override { paths, settings }),
                Err((place, reason)) => {
                    let diagnostic = Diagnostic::new(&codes::VALUE, place, format!("this pattern is not valid: {reason}"));
                    self.found.push(diagnostic.label("not a pattern").help("`*` stays within a folder, `**` does not, `{a,b}` is either"));
                }
            }
        }
    }

    fn patterns(&mut self, value: &Value<'_>) -> Vec<(String, Place)> {
        let Some(entries) = value.get_ref().as_array() else {
            self.expect("a list of patterns", value);
            return Vec::new();
        };
        let mut patterns = Vec::new();
        for entry in entries.iter() {
            match entry.get_ref().as_str() {
                Some(pattern) => patterns.push((pattern.to_owned(), self.place(entry.span()))),
                None => self.expect("a quoted pattern", entry),
            }
        }
        patterns
    }

    fn groups(&mut self, value: &Value<'_>, settings: &mut Settings) {
        let Some(table) = value.get_ref().as_table() else { return self.expect("a table", value) };
        for (key, value) in in_order(table) {
            let name: &str = key.get_ref();
            match Group::ALL.into_iter().find(|group| group.name() == name) {
                Some(group) => {
                    let level = self.level(value);
                    settings.groups.extend(level.map(|level| (group, level)));
                }
                None => self.unknown(&codes::UNKNOWN_RULE, "group", name, key.span(), Group::ALL.iter().map(|group| group.name())),
            }
        }
    }

    fn rules(&mut self, value: &Value<'_>, settings: &mut Settings) {
        let Some(table) = value.get_ref().as_table() else { return self.expect("a table", value) };
        for (key, value) in in_order(table) {
            match find(key.get_ref()) {
                Some(rule) => self.rule(rule, value, settings),
                None if is_error_of_the_language(key.get_ref()) => {
                    let message = format!("`{}` is an error of the language; errors have no level", key.get_ref());
                    self.report(&codes::UNKNOWN_RULE, key.span(), message, "not a rule", "remove it".to_owned());
                }
                None => self.unknown(&codes::UNKNOWN_RULE, "rule", key.get_ref(), key.span(), RULES.iter().map(|rule| rule.id())),
            }
        }
    }

    /// A level, or a table with a level and options.
    fn rule(&mut self, rule: &'static Rule, value: &Value<'_>, settings: &mut Settings) {
        let Some(table) = value.get_ref().as_table() else {
            let level = self.level(value);
            settings.rules.extend(level.map(|level| (rule.id().to_owned(), level)));
            return;
        };
        let known: Vec<&str> = std::iter::once("level").chain(rule.options.iter().map(|option| option.name)).collect();
        self.table(table, &known, |reader, name, value| {
            if name == "level" {
                let level = reader.level(value);
                settings.rules.extend(level.map(|level| (rule.id().to_owned(), level)));
                return;
            }
            let Some(option) = rule.options.iter().find(|option| option.name == name) else { return };
            let number = value.get_ref().as_integer().and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
            match number.filter(|number| (option.least..=option.most).contains(number)) {
                Some(number) => _ = settings.options.insert((rule.id(), option.name), number),
                None => reader.expect(&format!("a whole number from {} to {}", option.least, option.most), value),
            }
        });
    }

    fn level(&mut self, value: &Value<'_>) -> Option<Level> {
        let names = Level::NAMES.map(|(name, _)| name);
        let Some(name) = value.get_ref().as_str() else {
            self.expect(&format!("a level, {}", listed(names.into_iter(), "or")), value);
            return None;
        };
        let level = Level::named(name);
        if level.is_none() {
            let message = format!("`{name}` is not a level");
            let near = closest(name, names);
            let asked = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let place = self.place(value.span());
            let diagnostic = Diagnostic::new(&codes::VALUE, place, message).label("not a level");
            let diagnostic = diagnostic.help(format!("{asked}the levels are {}", listed(names.into_iter(), "and")));
            self.found.push(match near {
                Some(near) => diagnostic.replace(Applicability::Unsafe, format!("replace it with `{near:?}`"), place, format!("{near:?}")),
                None => diagnostic,
            });
        }
        level
    }
}

/// Whether packages can be imported under this path.
fn is_import_path(path: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(|it| it.is_ascii_alphanumeric() || "-._~".contains(it));
    path.split('/').all(is_part)
}

/// Whether a package of Python can be called so.
fn is_package(path: &str) -> bool {
    let is_part = |part: &str| {
        !part.starts_with(|first: char| first.is_ascii_digit())
            && !part.is_empty()
            && part.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    path.split('.').all(is_part)
}

/// The entries of a table in the order of the text.
pub(super) fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> impl Iterator<Item = (&'t Spanned<std::borrow::Cow<'a, str>>, &'t Value<'a>)> {
    let by_place: BTreeMap<usize, _> = table.iter().map(|(key, value)| (key.span().start, (key, value))).collect();
    by_place.into_values()
}

fn is_error_of_the_language(id: &str) -> bool {
    weave_analysis::CODES.iter().chain(weave_syntax::CODES).any(|code| code.id == id)
}

/// `` `a`, `b` and `c` ``, or with another word than "and".
fn listed<'k>(names: impl Iterator<Item = &'k str>, before_last: &str) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {before_last} {last}", others.join(", ")),
        None => String::new(),
    }
}
