//! What is still to be written, given what somebody has written.

use std::collections::{BTreeMap, BTreeSet};

use super::{Part, Skeleton};
use crate::Target;

/// What becomes of skeletons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Skeletons that nobody has: they are to be written.
    pub fresh: Vec<String>,
    /// Those that somebody has, by the files that have them: they stay as they are.
    pub kept: BTreeSet<String>,
    /// What they lack.
    pub missing: Vec<Missing>,
}

/// What somebody's file lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The file.
    pub path: String,
    /// What asks for it.
    pub interface: String,
    /// What it lacks.
    pub names: Vec<String>,
    /// What that could be at first.
    pub text: String,
    /// What that needs and the file does not import yet, a statement each.
    pub imports: Vec<String>,
}

/// Finds out which skeletons are to be written and what those lack that are there, by the texts of the files in the folder.
///
/// It looks for names and does not understand the files: a method that stands in a comment is none, one that is made in a roundabout way is
/// not seen.
#[must_use]
pub fn progress(target: Target, skeletons: &[Skeleton], there: &BTreeMap<String, String>) -> Progress {
    let mut progress = Progress::default();
    let entries: BTreeSet<&str> = crate::scaffold::templates(target).iter().map(|(name, _)| *name).collect();
    for skeleton in skeletons {
        // Who has moved an implementation to another file has it all the same.
        let is_entry = entries.contains(skeleton.path.as_str());
        let holder = |part: &Part| there.iter().find(|(_, text)| !is_entry && declares(text, &part.name)).map(|(path, _)| path.as_str());
        let own = there.get_key_value(&skeleton.path).map(|(path, _)| path.as_str());
        let holders: Vec<Option<&str>> = skeleton.parts.iter().map(|part| holder(part).or(own)).collect();
        if own.is_none() && holders.iter().all(Option::is_none) {
            progress.fresh.push(skeleton.path.clone());
            continue;
        }
        progress.kept.extend(own.into_iter().chain(holders.iter().flatten().copied()).map(str::to_owned));
        for (part, holder) in skeleton.parts.iter().zip(holders) {
            let path = holder.unwrap_or(&skeleton.path);
            let text = there.get(path).map_or("", String::as_str);
            let is_there = |name: &str| match target {
                _ if is_entry => mentions(text, name, |_, _| true),
                // Methods may stand in any file of the package.
                Target::Go => there.values().any(|text| has_method(text, &part.name, name)),
                Target::Python => mentions(region(text, &part.name), name, |before, _| before.trim_end().ends_with("def")),
                Target::TypeScript => mentions(region(text, &part.name), name, |before, behind| {
                    !before.ends_with('.') && (behind.is_empty() || behind.starts_with(['(', ':', '=', ',', '?', '<', '"', '\'', ']']))
                }),
            };
            let missing: Vec<_> = part.members.iter().filter(|member| !is_there(&member.name)).collect();
            if missing.is_empty() {
                continue;
            }
            let names = missing.iter().map(|member| member.name.clone()).collect();
            let separator = if is_entry || target == Target::TypeScript { "" } else { "\n" };
            let text = match missing.len() == part.members.len() {
                true => part.text.clone(),
                false => missing.iter().map(|member| member.text.as_str()).collect::<Vec<_>>().join(separator),
            };
            let holder = there.get(path).map_or("", String::as_str);
            // Who names something has imported it.
            let needed =
                skeleton.imports.iter().filter(|it| mentions(&text, &it.name, |_, _| true) && !mentions(holder, &it.name, |_, _| true));
            let imports = needed.map(|it| it.text.clone()).collect();
            progress.missing.push(Missing { path: path.to_owned(), interface: part.interface.clone(), names, text, imports });
        }
    }
    progress
}

/// The words that are declared by what stands before them.
const DECLARING: [&str; 6] = ["type", "class", "const", "let", "var", "function"];

/// Whether something is declared under this name.
fn declares(text: &str, name: &str) -> bool {
    mentions(text, name, |before, _| DECLARING.iter().any(|word| before.trim_end().ends_with(word)))
}

/// Whether Go code has this method of this type, whatever its receiver is called.
fn has_method(text: &str, ty: &str, method: &str) -> bool {
    let ending = format!("{ty})");
    mentions(text, method, |before, behind| {
        let receiver = before.trim_end();
        let is_of = receiver.strip_suffix(&ending).is_some_and(|rest| rest.ends_with([' ', '*', '(']));
        is_of && receiver.trim_start().starts_with("func") && behind.starts_with('(')
    })
}

/// From the line that declares a name to the next thing that begins at the margin; nothing if nobody declares it.
fn region<'t>(text: &'t str, name: &str) -> &'t str {
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        let begins = line.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '@' | '_'));
        match start {
            None if declares(line, name) => start = Some(at),
            Some(from) if begins => return text.get(from..at).unwrap_or_default(),
            _ => {}
        }
        at += line.len();
    }
    // Who has given it another name may still have what it consists of.
    start.map_or(text, |from| text.get(from..).unwrap_or_default())
}

/// Whether a name stands outside of comments where what is before and behind it in its line fits.
fn mentions(text: &str, name: &str, fits: impl Fn(&str, &str) -> bool) -> bool {
    let is_of_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$');
    let is_comment = |line: &str| ["//", "#", "*", "/*"].iter().any(|sign| line.trim_start().starts_with(sign));
    text.lines().filter(|line| !is_comment(line)).any(|line| {
        line.match_indices(name).any(|(at, _)| {
            let (before, behind) = (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
            !before.ends_with(is_of_name) && !behind.starts_with(is_of_name) && fits(before, behind.trim_start())
        })
    })
}
