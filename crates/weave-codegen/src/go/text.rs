//! Comments, strings and imports as they stand in Go, in the one layout of `gofmt`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::names::SHARED;
use crate::scaffold::Import;
use crate::text::{is_unseen, one_line};

/// A string.
pub(super) fn text(value: &str) -> String {
    let mut out = String::new();
    // Go reads the escapes of JSON, and has others for what Unicode has added later.
    for character in Value::from(value).to_string().chars() {
        match u32::from(character) {
            code if is_unseen(character) && code <= 0xffff => out.push_str(&format!("\\u{code:04x}")),
            code if is_unseen(character) => out.push_str(&format!("\\U{code:08x}")),
            _ => out.push(character),
        }
    }
    out
}

/// A JSON value as a string, on one line.
pub(super) fn json(value: &Value) -> String {
    raw(&value.to_string())
}

fn raw(value: &str) -> String {
    if value.contains(|it| it == '`' || is_unseen(it)) { text(value) } else { format!("`{value}`") }
}

/// A doc comment; nothing if there is nothing to say.
pub(super) fn comment(description: Option<&str>, deprecated: Option<&str>, indent: &str) -> String {
    let mut lines: Vec<String> = description.unwrap_or_default().lines().map(plain).collect();
    if let Some(reason) = deprecated {
        let reason = reason.lines().map(plain).collect::<Vec<_>>().join(" ");
        let reason = if reason.trim().is_empty() { "it will be removed." } else { reason.trim() };
        lines.extend([String::new(), format!("Deprecated: {reason}")]);
    }
    let mut out: Vec<String> = Vec::new();
    for line in lines {
        // Empty lines stand between others, one at a time.
        if !line.is_empty() || out.last().is_some_and(|last| !last.is_empty()) {
            out.push(line);
        }
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    end_headings(&mut out);
    out.iter().map(|line| format!("{indent}// {line}").trim_end().to_owned() + "\n").collect()
}

/// A line that `gofmt` leaves as it is and no tool takes for an instruction: no list, no code, no link and no heading.
fn plain(line: &str) -> String {
    let line = one_line(line);
    let line = line.trim();
    let is_link = line.starts_with('[') && line.contains("]:");
    match line {
        _ if is_link => line.replace("]:", "] :"),
        _ if line.starts_with(['#', '+']) => format!("· {}", line.trim_start_matches(['#', '+']).trim_start()),
        _ => line.to_owned(),
    }
}

/// What looks like a heading gets a full stop, so that it stays a line of text.
fn end_headings(lines: &mut [String]) {
    let alone: Vec<bool> = (0..lines.len())
        .map(|index| {
            let is_empty = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_none_or(String::is_empty);
            is_empty(index.checked_sub(1)) && is_empty(index.checked_add(1))
        })
        .collect();
    for (line, alone) in lines.iter_mut().zip(alone) {
        if alone && line.ends_with(|last: char| last.is_alphanumeric()) && !line.starts_with("Deprecated: ") {
            line.push('.');
        }
    }
}

/// A function with a body of one statement, or of none. `gofmt` leaves it in one line as long as that is short.
pub(super) fn function(header: &str, body: &str, margin: &str) -> String {
    let longest = if body.is_empty() { 99 } else { 100 };
    match (header.len() + body.len() <= longest, body) {
        (true, "") => format!("{header} {{}}"),
        (true, _) => format!("{header} {{ {body} }}"),
        (false, "") => format!("{header} {{\n{margin}}}"),
        (false, _) => format!("{header} {{\n{margin}\t{body}\n{margin}}}"),
    }
}

/// What a file imports.
#[derive(Debug)]
pub(super) struct Imports<'a> {
    /// Under which path the output folder is imported.
    path: &'a str,
    standard: BTreeSet<&'static str>,
    /// The folder with the name.
    own: BTreeSet<(String, String)>,
    /// Something of another package is used that is on its way out there.
    deprecated: bool,
}

impl<'a> Imports<'a> {
    pub(super) const fn new(path: &'a str) -> Self {
        Self { path, standard: BTreeSet::new(), own: BTreeSet::new(), deprecated: false }
    }

    /// What all packages share.
    pub(super) fn shared(&mut self) -> &'static str {
        self.own.insert((SHARED.to_owned(), "weave".to_owned()));
        "weave"
    }

    /// A package of the standard library.
    pub(super) fn standard(&mut self, path: &'static str) -> &'static str {
        self.standard.insert(path);
        path.rsplit('/').next().unwrap_or(path)
    }

    /// Another package of ours, by its folder and its name here.
    pub(super) fn package(&mut self, folder: &str, alias: &str) {
        self.own.insert((folder.to_owned(), alias.to_owned()));
    }

    /// Says that something of another package is used that is on its way out there.
    pub(super) const fn deprecated(&mut self) {
        self.deprecated = true;
    }

    /// Of what was imported for a type and for what reads it, imports what one of the two names.
    pub(super) fn for_code(&mut self, code: &str, all: &Imports<'_>) {
        let names = |name: &str| {
            let starts = |at: usize| !code.get(..at).unwrap_or_default().ends_with(|it: char| it.is_alphanumeric() || it == '_');
            code.match_indices(&format!("{name}.")).any(|(at, _)| starts(at))
        };
        self.standard.extend(all.standard.iter().filter(|path| names(path.rsplit('/').next().unwrap_or(path))));
        self.own.extend(all.own.iter().filter(|(_, alias)| names(alias)).cloned());
        self.deprecated |= all.deprecated;
    }

    /// The file: the name of its package, what it imports, and the rest.
    pub(super) fn before(&self, package: &str, body: &str) -> String {
        let standard = self.standard.iter().map(|path| format!("\t\"{path}\"\n")).collect::<String>();
        let own = self.own.iter().map(|(folder, alias)| format!("\t{}\n", self.line(folder, alias))).collect::<String>();
        let imports = match (standard.is_empty(), own.is_empty()) {
            (true, true) => String::new(),
            (false, false) => format!("import (\n{standard}\n{own})\n\n"),
            _ => format!("import (\n{standard}{own})\n\n"),
        };
        // Whoever uses what is generated is told; that it refers to itself is no mistake of anybody.
        let ignored = if self.deprecated { "//lint:file-ignore SA1019 What is deprecated is there until it is removed.\n\n" } else { "" };
        format!("{ignored}package {package}\n\n{imports}{}\n", body.trim_end()).trim_end().to_owned() + "\n"
    }

    /// What a file imports, a statement each.
    pub(super) fn all(&self) -> Vec<Import> {
        let standard = self.standard.iter().map(|path| (path.rsplit('/').next().unwrap_or(path).to_owned(), text(path)));
        let own = self.own.iter().map(|(folder, alias)| (alias.clone(), self.line(folder, alias)));
        standard.chain(own).map(|(name, line)| Import { name, text: format!("import {line}") }).collect()
    }

    /// What imports a package of ours.
    pub(super) fn line(&self, folder: &str, alias: &str) -> String {
        format!("{alias} {}", text(&self.joined(folder)))
    }

    fn joined(&self, folder: &str) -> String {
        if self.path.is_empty() { folder.to_owned() } else { format!("{}/{folder}", self.path) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_comment_means_anything() {
        let text = "# One\n\n- two\n\tthree\n\n\nFour\n\n[five]: https://example.com\n+build x\n";
        let expected = "// · One.\n//\n// - two\n// three\n//\n// Four.\n//\n// [five] : https://example.com\n// · build x\n";
        assert_eq!(comment(Some(text), None, ""), expected);
        assert_eq!(comment(None, Some("use\nthat"), "\t"), "\t// Deprecated: use that\n");
        assert_eq!(comment(None, None, ""), "");
    }

    #[test]
    fn long_functions_take_several_lines() {
        let [short, long] = [49, 50].map(|length| "x".repeat(length));
        let header = format!("func {}", "f".repeat(45));
        assert_eq!(function(&header, &long, "\t"), format!("{header} {{ {long} }}"));
        assert_eq!(function(&header, &format!("{short}xx"), "\t"), format!("{header} {{\n\t\t{short}xx\n\t}}"));
        assert_eq!(function("func f()", "", ""), "func f() {}");
        assert_eq!(function(&"f".repeat(99), "", ""), format!("{} {{}}", "f".repeat(99)));
        assert_eq!(function(&"f".repeat(100), "", ""), format!("{} {{\n}}", "f".repeat(100)));
    }

    #[test]
    fn strings_are_those_of_go() {
        assert_eq!(text("a\"\u{feff}\u{0}\n"), "\"a\\\"\\ufeff\\u0000\\n\"");
        assert_eq!(json(&serde_json::json!({"a": "b"})), "`{\"a\":\"b\"}`");
        assert_eq!(json(&serde_json::json!("`")), "\"\\\"`\\\"\"");
    }
}
