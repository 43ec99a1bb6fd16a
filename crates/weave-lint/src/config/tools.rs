//! `[tools]`: what carries out the calls of tools in `weave run`.

use std::collections::BTreeMap;

use toml::de::DeTable;
use weave_diagnostics::Place;

use super::codes;
use super::read::{Reader, Value};

/// The entry of `[tools]` for tools without an entry of their own.
pub const EVERY_TOOL: &str = "*";

/// The keys of an entry of `[tools]`.
pub(super) const TOOL_KEYS: &[&str] = &["command", "url", "env", "headers", "lines", "timeout", "unknown"];

/// The key that refers to an environment variable.
pub(super) const ENV: &str = "env";

/// The only value of `unknown` besides the default.
pub(super) const UNKNOWN: [&str; 2] = ["ask", "fail"];

/// What an environment variable is called: letters, digits and `_`, not beginning with a digit.
pub(super) const VARIABLE: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

/// What the name of a header consists of, besides letters and digits.
const HEADER_SIGNS: &str = "!#$%&'*+-.^_`|~";

/// Headers that the runner sets itself, in lower case.
pub(super) const OWN_HEADERS: &[&str] = &[
    "accept",
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "idempotency-key",
    "keep-alive",
    "te",
    "traceparent",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The longest time that a call may be silent: a week, in milliseconds.
const LONGEST: u64 = 604_800_000;

/// What carries out the calls of a tool, or of all tools of a toolkit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSetting {
    /// The program and its arguments; none: it is not a command.
    pub command: Option<Vec<String>>,
    /// The address of an HTTP service; none: it is not one, or `at` of the tool has the address.
    pub url: Option<Address>,
    /// The environment variables that a command receives, besides `PATH`, `HOME` and those of the system.
    pub environment: Vec<String>,
    /// The headers of requests: for each name the environment variable with its value.
    pub headers: BTreeMap<String, String>,
    /// Whether a command writes a JSON object on each line.
    pub lines: bool,
    /// How long a call may be silent, in milliseconds.
    pub timeout: Option<u64>,
    /// Whether a call with an unknown outcome fails instead of waiting for a person's decision.
    pub unknown_fails: bool,
    /// Where the entry is written.
    pub place: Place,
}

/// The address of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// The address itself.
    Text(String),
    /// The environment variable with the address.
    Env(String),
}

impl Reader {
    pub(super) fn tools(&mut self, value: &Value<'_>, tools: &mut BTreeMap<String, ToolSetting>) {
        let Some(table) = value.get_ref().as_table() else { return self.expect("a table", value) };
        for (key, value) in super::read::in_order(table) {
            match value.get_ref().as_table() {
                Some(entry) => {
                    let place = self.place(key.span());
                    let setting = self.tool(key.get_ref(), entry, place);
                    tools.insert(key.get_ref().to_string(), setting);
                }
                None => self.expect("a table, such as `{ command = [\"python3\", \"tools/refund.py\"] }`", value),
            }
        }
    }

    fn tool(&mut self, name: &str, table: &DeTable<'_>, place: Place) -> ToolSetting {
        let mut setting = ToolSetting {
            command: None,
            url: None,
            environment: Vec::new(),
            headers: BTreeMap::new(),
            lines: false,
            timeout: None,
            unknown_fails: false,
            place,
        };
        let mut of_command = None;
        let mut of_service = None;
        self.table(table, TOOL_KEYS, |reader, key, value| match key {
            "command" => setting.command = reader.command(value),
            "url" => setting.url = reader.address(value),
            ENV => {
                of_command = Some((ENV, value.span()));
                setting.environment = reader.variables(value);
            }
            "headers" => {
                of_service = Some(("headers", value.span()));
                setting.headers = reader.headers(value);
            }
            "lines" => {
                of_command = Some(("lines", value.span()));
                match value.get_ref().as_bool() {
                    Some(lines) => setting.lines = lines,
                    None => reader.expect("`true` or `false`", value),
                }
            }
            "timeout" => {
                let length = value.get_ref().as_str().and_then(weave_syntax::text::duration_millis);
                setting.timeout = length.filter(|length| (1..=LONGEST).contains(length));
                if setting.timeout.is_none() {
                    reader.expect("a time of at most 7 days, such as \"30s\"", value);
                }
            }
            _ => match value.get_ref().as_str().filter(|word| UNKNOWN.contains(word)) {
                Some(word) => setting.unknown_fails = word == "fail",
                None => reader.expect("\"ask\" or \"fail\"", value),
            },
        });
        let both = table.contains_key("command") && table.contains_key("url");
        let excess = match (of_command, of_service) {
            (Some((key, span)), _) if !both && !table.contains_key("command") => Some((key, span, "`command`", "an HTTP service")),
            (_, Some((key, span))) if !both && table.contains_key("command") => Some((key, span, "`url`", "a command")),
            _ => None,
        };
        if both {
            let span = place.span.start as usize..place.span.end as usize;
            let message = format!("`{name}` has both a `command` and a `url`");
            self.report(&codes::VALUE, span, message, "two ways to call it", "remove one of them".to_owned());
        } else if let Some((key, span, with, noun)) = excess {
            let message = format!("`{key}` means nothing for {noun}");
            self.report(&codes::VALUE, span, message, "has no effect", format!("`{key}` belongs to {with}"));
        }
        setting
    }

    fn command(&mut self, value: &Value<'_>) -> Option<Vec<String>> {
        let words = value.get_ref().as_array().map(|words| words.iter().map(|word| word.get_ref().as_str()).collect::<Option<Vec<_>>>());
        let words = words.flatten().filter(|words| words.first().is_some_and(|program| !program.is_empty()));
        let words = words.filter(|words| words.iter().all(|word| !word.contains('\0')));
        if words.is_none() {
            self.expect("a program and its arguments, such as [\"python3\", \"tools/refund.py\"]", value);
        }
        Some(words?.into_iter().map(str::to_owned).collect())
    }

    fn address(&mut self, value: &Value<'_>) -> Option<Address> {
        if value.get_ref().as_table().is_some() {
            return self.variable_of(value).map(Address::Env);
        }
        match value.get_ref().as_str().filter(|text| is_address(text)) {
            Some(text) => Some(Address::Text(text.to_owned())),
            None => {
                self.expect("an address without user and password, such as \"http://localhost:8080\", or { env = \"NAME\" }", value);
                None
            }
        }
    }

    fn headers(&mut self, value: &Value<'_>) -> BTreeMap<String, String> {
        let mut headers = BTreeMap::new();
        let Some(table) = value.get_ref().as_table() else {
            self.expect("a table, such as { authorization = { env = \"REFUND_TOKEN\" } }", value);
            return headers;
        };
        for (key, value) in super::read::in_order(table) {
            let name = key.get_ref().to_ascii_lowercase();
            if OWN_HEADERS.contains(&name.as_str()) || !is_header(&name) {
                let (message, help) = match is_header(&name) {
                    true => (format!("the header `{name}` is set by `weave run`"), "remove it".to_owned()),
                    false => (format!("`{name}` is not the name of a header"), "use letters, digits and `-`".to_owned()),
                };
                self.report(&codes::VALUE, key.span(), message, "not possible here", help);
                continue;
            }
            headers.extend(self.variable_of(value).map(|variable| (name, variable)));
        }
        headers
    }

    /// `{ env = "NAME" }`: secrets are never written down here.
    fn variable_of(&mut self, value: &Value<'_>) -> Option<String> {
        let expected = "the name of an environment variable, such as { env = \"REFUND_TOKEN\" }";
        let Some(table) = value.get_ref().as_table() else {
            self.expect(expected, value);
            return None;
        };
        let mut found = None;
        self.table(table, &[ENV], |reader, _, value| match value.get_ref().as_str().filter(|name| is_variable(name)) {
            Some(name) => found = Some(name.to_owned()),
            None => reader.expect("the name of an environment variable, such as \"REFUND_TOKEN\"", value),
        });
        if !table.contains_key(ENV) && table.is_empty() {
            self.expect(expected, value);
        }
        found
    }

    fn variables(&mut self, value: &Value<'_>) -> Vec<String> {
        let Some(entries) = value.get_ref().as_array() else {
            self.expect("a list of names of environment variables", value);
            return Vec::new();
        };
        let mut names = Vec::new();
        for entry in entries.iter() {
            match entry.get_ref().as_str().filter(|name| is_variable(name)) {
                Some(name) => names.push(name.to_owned()),
                None => self.expect("the name of an environment variable, such as \"REFUND_TOKEN\"", entry),
            }
        }
        names
    }
}

/// Whether an environment variable can have this name.
fn is_variable(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn is_header(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || HEADER_SIGNS.contains(letter))
}

/// Whether this is an address of HTTP with a host, and without a user, a fragment or spaces.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| {
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        let is_plain = rest.chars().all(|letter| letter.is_ascii_graphic() && !matches!(letter, '#' | '"' | '<' | '>' | '\\'));
        is_plain && !host.contains('@') && !host.is_empty() && !host.starts_with(':')
    })
}
