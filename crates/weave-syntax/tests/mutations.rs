//! Random mistakes: what is left of the rest of the file, and how many diagnostics one mistake gets.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, clippy::disallowed_macros, reason = "a test")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use weave_diagnostics::FileId;
use weave_syntax::{File, ItemSlot, lex, parse};

const MUTATIONS: usize = 3000;

/// A small generator of random numbers, so that each run does the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.extension().is_some_and(|extension| extension == "weave") {
            files.push(path);
        } else {
            collect(&path, files);
        }
    }
}

/// The files of the samples, the examples and the suite that have no fault of their own.
fn sources() -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["tests/samples", "../../examples", "../../tests/suite"] {
        collect(&here.join(folder), &mut files);
    }
    let texts = files.into_iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| lex(text).iter().any(|token| !token.kind.is_trivia()) && complaints(&parse(text.as_str().into())) == 0).collect()
}

fn complaints(file: &File) -> usize {
    file.diagnostics(FileId(0)).len()
}

/// A text with one mistake, and the range of the old text that it touches.
struct Mutation {
    text: String,
    touched: std::ops::Range<usize>,
    what: String,
}

fn mutate(text: &str, pool: &[String], random: &mut Random) -> Mutation {
    let tokens: Vec<(usize, usize)> = lex(text)
        .iter()
        .filter(|token| !token.kind.is_trivia())
        .map(|token| (token.span.start as usize, token.span.end as usize))
        .collect();
    let (start, end) = tokens[random.below(tokens.len())];
    let token = &text[start..end];
    let (replacement, touched, what) = match random.below(4) {
        0 => (format!("{}{}", &text[..start], &text[end..]), start..end, format!("without {token:?}")),
        1 => {
            let inserted = &pool[random.below(pool.len())];
            (format!("{}{inserted} {}", &text[..start], &text[start..]), start..end, format!("with {inserted:?} before {token:?}"))
        }
        2 => (format!("{} {token}{}", &text[..end], &text[end..]), start..end, format!("with {token:?} twice")),
        _ => (text[..start].to_owned(), start..text.len(), format!("up to {token:?}")),
    };
    let line = text[..start].matches('\n').count() + 1;
    Mutation { text: replacement, touched, what: format!("line {line} {what}") }
}

fn same(before: &File, slot: &ItemSlot, after: &File, other: &ItemSlot) -> bool {
    before.item_text(slot) == after.item_text(other) && slot.parsed == other.parsed
}

/// The items that the mistake does not touch and that are not what they were.
fn lost(before: &File, after: &File, touched: &std::ops::Range<usize>) -> Vec<String> {
    let mut rest = after.items.iter();
    let untouched = before.items.iter().filter(|slot| (slot.end as usize) <= touched.start || touched.end <= slot.start as usize);
    let mut lost = Vec::new();
    for slot in untouched {
        let mut ahead = rest.clone();
        if ahead.any(|other| same(before, slot, after, other)) {
            rest = ahead;
        } else {
            lost.push(before.item_text(slot).lines().next().unwrap_or_default().to_owned());
        }
    }
    lost
}

#[test]
fn a_mistake_costs_little() {
    let sources = sources();
    let files: Vec<File> = sources.iter().map(|text| parse(text.as_str().into())).collect();
    let mut pool: Vec<String> = sources
        .iter()
        .flat_map(|text| {
            lex(text).iter().filter(|token| !token.kind.is_trivia()).map(|token| token.span.text(text).to_owned()).collect::<Vec<_>>()
        })
        .collect();
    pool.sort();
    pool.dedup();
    let mut random = Random(0x5eed_1234_5678_9abc);
    let (mut survived, mut quiet, mut report) = (0, 0, String::new());
    let mut counts = [0; 8];
    for _ in 0..MUTATIONS {
        let number = random.below(sources.len());
        let mutation = mutate(&sources[number], &pool, &mut random);
        let after = parse(mutation.text.as_str().into());
        let lost = lost(&files[number], &after, &mutation.touched);
        let said = complaints(&after);
        counts[said.min(7)] += 1;
        survived += usize::from(lost.is_empty());
        quiet += usize::from(said <= 1);
        if !lost.is_empty() || said > 1 {
            let said: Vec<String> =
                after.diagnostics(FileId(0)).into_iter().map(|it| format!("\n    {}: {}", it.code.id, it.message)).collect();
            let line = mutation.text[..mutation.touched.start].matches('\n').count();
            let around: Vec<&str> = mutation.text.lines().skip(line.saturating_sub(1)).take(3).collect();
            writeln!(report, "{}: lost {lost:?}, said {}\n      | {}", mutation.what, said.concat(), around.join("\n      | ")).unwrap();
        }
    }
    if let Some(path) = option_env!("MUTATION_REPORT") {
        std::fs::write(path, &report).unwrap();
    }
    let percent = |part: usize| part as f64 * 100.0 / MUTATIONS as f64;
    println!("{MUTATIONS} mutations of {} files:", sources.len());
    println!("  all untouched items survive in {:.2} %", percent(survived));
    println!("  at most one diagnostic in {:.2} % (by number of diagnostics: {counts:?})", percent(quiet));
    assert!(percent(survived) >= 99.5, "{report}");
    assert!(percent(quiet) >= 85.0, "{report}");
}
