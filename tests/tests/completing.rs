//! Completion, asked by machine: what stands in a program is offered where it stands, before anything of it is typed and behind its first letter.

use weave_compiler::Input;
use weave_compiler::lint::Settings;
use weave_diagnostics::{FileId, Span};
use weave_ide::{Analysis, Completions, Role, completion, references};
use weave_syntax::TokenKind;
use weave_tests::expectation::report;
use weave_tests::program::Program;
use weave_tests::suite::group;

use crate::examples::examples;

/// The first root.
const FILE: FileId = FileId(1);

fn analysis(program: &Program) -> Analysis {
    let inputs = program.roots.iter().map(|path| Input { path: path.clone(), text: program.files[path].as_str().into() }).collect();
    Analysis::new(weave_compiler::check_edited(None, inputs, program), |_| Settings::default(), None)
}

/// The words of the first root that somebody can know before they stand there: those of the language, and names of what is declared elsewhere. A name
/// behind `as` is new.
fn known_words(analysis: &Analysis) -> Vec<Span> {
    let unit = &analysis.snapshot().units()[FILE.0 as usize];
    let is_known = |kind: TokenKind, span: Span| {
        let mentions = references(analysis, FILE, span.start, true);
        let here = mentions.iter().filter(|mention| mention.place.file == FILE && mention.place.span.touches(span.start));
        let roles: Vec<Role> = here.map(|mention| mention.role).collect();
        !roles.contains(&Role::Declares) && (kind != TokenKind::Identifier || !roles.is_empty())
    };
    let code: Vec<_> = unit.syntax.tokens.iter().filter(|token| !token.kind.is_trivia()).collect();
    let before = std::iter::once(None).chain(code.iter().map(|token| Some(token.kind)));
    let words = code.iter().zip(before).filter(|(token, before)| token.kind.is_word() && *before != Some(TokenKind::As));
    words.map(|(token, _)| token).filter(|token| is_known(token.kind, token.span)).map(|token| token.span).collect()
}

fn offers(found: &Completions, word: &str) -> bool {
    // `a from b` and a topic are offered as a whole.
    found.items.iter().any(|item| item.label == word || item.label.split(['.', ' ']).any(|part| part == word))
}

#[test]
fn what_stands_in_a_program_is_offered_where_it_stands() {
    let (mut asked, mut said) = (0, Vec::new());
    let step = std::env::var("COMPLETING").ok().and_then(|step| step.parse().ok()).unwrap_or(12);
    // Where keywords are names, those that stand behind a word that is left out are read as keywords.
    let cases = group("lower").into_iter().filter(|case| case.name != "keywords-as-names").step_by(step);
    for (title, program) in examples().into_iter().chain(cases.map(|case| (case.title(), case.program()))) {
        let before = analysis(&program);
        // What is offered in tests is shown by cases: their lines read the state of a run, which this check does not play.
        let has_tests = !before.snapshot().scripts().iter().all(|scripts| scripts.tests.is_empty());
        if before.snapshot().has_errors() || has_tests {
            continue;
        }
        let root = &program.roots[0];
        let text = &program.files[root];
        for span in known_words(&before) {
            let word = span.text(text);
            for typed in [0, 1] {
                let cursor = span.start + typed;
                let mut changed = program.clone();
                changed.files.insert(root.clone(), format!("{}{}", &text[..cursor as usize], &text[span.end as usize..]));
                asked += 1;
                let found = completion(&analysis(&changed), FILE, cursor);
                if !found.as_ref().is_some_and(|found| offers(found, word)) {
                    let line = text[..span.start as usize].lines().count();
                    let count = found.map_or(0, |found| found.items.len());
                    said.push(format!("{title}:{line}: `{word}` is not among {count} after {typed} letters"));
                }
            }
        }
    }
    println!("{asked} words were asked for");
    report(&said);
}
