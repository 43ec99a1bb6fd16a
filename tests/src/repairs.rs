//! What must hold of `weave lint --fix` and `--fix-unsafe` for every program, be it as broken as it may.

use std::collections::BTreeSet;

use weave_compiler::Input;
use weave_compiler::lint::{Day, Settings};
use weave_diagnostics::{Applicability, Diagnostic};
use weave_fix::{Fixed, Request, Wanted, fix};
use weave_syntax::lex;

use crate::program::Program;
use crate::random::Random;

/// What came of fixing a program.
#[derive(Debug, Default)]
pub struct Repaired {
    /// The number of fixes that were applied.
    pub applied: usize,
    /// What does not hold, in words.
    pub complaints: Vec<String>,
}

fn run(program: &Program, applicability: Applicability) -> Fixed {
    let inputs = program.roots.iter().map(|path| Input { path: path.clone(), text: program.files[path].as_str().into() }).collect();
    let settings = |_: &str| Settings::default();
    fix(&Request { inputs, loader: program, settings: &settings, today: Day::new("2026-01-01"), wanted: Wanted::all(applicability) })
}

fn errors(program: &Program) -> usize {
    program.check().diagnostics.iter().filter(|diagnostic| Diagnostic::is_error(diagnostic)).count()
}

/// Fixes a program and checks that no error is new, that nothing is written twice, and that a second run changes nothing.
#[must_use]
pub fn repaired(title: &str, program: &Program, applicability: Applicability) -> Repaired {
    let fixed = run(program, applicability);
    let mut complaints = Vec::new();
    let mut after = program.clone();
    if fixed.texts.len() != program.roots.len() {
        complaints.push(format!("{title}: {} texts for {} files", fixed.texts.len(), program.roots.len()));
    }
    for (root, text) in program.roots.iter().zip(&fixed.texts) {
        if let Some(twice) = written_twice(&program.files[root], text) {
            complaints.push(format!("{title}: `{twice}` is written twice in a row\n{text}"));
        }
        after.files.insert(root.clone(), text.to_string());
    }
    if fixed.capped {
        complaints.push(format!("{title}: the fixes do not come to an end"));
    }
    if !fixed.applied.is_empty() {
        let (before, left) = (errors(program), errors(&after));
        if left > before {
            complaints.push(format!("{title}: {before} errors before and {left} after {:?}", fixed.applied));
        }
        let again = run(&after, applicability);
        if !again.applied.is_empty() || again.texts != fixed.texts {
            complaints.push(format!("{title}: the second run does {:?}", again.applied));
        }
    }
    Repaired { applied: fixed.applied.len(), complaints }
}

/// Two to four words that follow themselves in the new text and did not in the old one.
fn written_twice(old: &str, new: &str) -> Option<String> {
    let old: BTreeSet<String> = doubled(old).collect();
    doubled(new).find(|twice| !old.contains(twice))
}

fn doubled(text: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> = lex(text).iter().filter(|token| !token.kind.is_trivia()).map(|token| token.span.text(text)).collect();
    let mut found = Vec::new();
    for length in 2..=4 {
        for window in words.windows(2 * length) {
            let (one, other) = window.split_at(length);
            let is_text = one.iter().any(|word| word.len() > 1 && word.starts_with(|first: char| first.is_ascii_alphabetic()));
            if one == other && is_text {
                found.push(one.join(" "));
            }
        }
    }
    found.into_iter()
}

/// A text with so many tokens removed, doubled, exchanged or taken from elsewhere.
#[must_use]
pub fn broken(text: &str, count: usize, random: &mut Random) -> String {
    let mut words: Vec<String> = lex(text).iter().map(|token| token.span.text(text).to_owned()).collect();
    for _ in 0..count {
        let Some(last) = words.len().checked_sub(1) else { break };
        let (place, other) = (random.below(last + 1), random.below(last + 1));
        match random.below(4) {
            0 => drop(words.remove(place)),
            1 => words.insert(place, words[place].clone()),
            2 => words.swap(place, other),
            _ => words[place] = words[other].clone(),
        }
    }
    words.concat()
}

/// A random program with up to four mistakes in its tokens.
#[must_use]
pub fn random_program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let text = crate::programs::generate(seed, 8);
    let count = random.below(5);
    Program::one(&broken(&text, count, &mut random))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_twice_is_found() {
        assert_eq!(written_twice("fail a on b else", "fail a on b else on b else").as_deref(), Some("on b else"));
        assert_eq!(written_twice("a b a b", "a b a b"), None);
    }

    #[test]
    fn the_same_seed_breaks_the_same_tokens() {
        let one = broken("step a { wait 5m }", 3, &mut Random::new(4));
        assert_eq!(one, broken("step a { wait 5m }", 3, &mut Random::new(4)));
        assert_ne!(one, "step a { wait 5m }");
    }
}
