//! Names, asked about by machine: each place where something is mentioned knows all the others and has something to say, and another name can be given and
//! taken back.

use std::collections::{BTreeMap, BTreeSet};

use weave_compiler::Input;
use weave_compiler::lint::Settings;
use weave_diagnostics::{FileId, Place};
use weave_ide::{Analysis, definition, highlights, hover, prepare_rename, references, rename};
use weave_tests::expectation::report;
use weave_tests::program::Program;
use weave_tests::suite::{group, programs};

use crate::examples::examples;
use crate::refactorings::changed;

fn analysis(program: &Program) -> Analysis {
    let inputs = program.roots.iter().map(|path| Input { path: path.clone(), text: program.files[path].as_str().into() }).collect();
    Analysis::new(weave_compiler::check_edited(None, inputs, program), |_| Settings::default(), None)
}

/// Where words begin in a text, whatever they are.
fn words(text: &str) -> impl Iterator<Item = u32> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, letter)| {
        let starts = is_word(letter) && !is_word(before);
        before = letter;
        starts.then_some(at as u32)
    })
}

/// What was asked about a program.
struct Asked<'a> {
    title: &'a str,
    program: &'a Program,
    analysis: Analysis,
    /// Where each place has its like.
    alike: BTreeMap<Place, BTreeSet<Place>>,
    said: &'a mut Vec<String>,
}

impl Asked<'_> {
    fn drawn(&self, place: Place) -> String {
        let name = self.analysis.source(place.file).map_or("", |source| source.name());
        format!("`{}` at {name}:{}", self.analysis.text_of(place), place.span.start)
    }

    fn complain(&mut self, place: Place, what: &str) {
        let drawn = self.drawn(place);
        self.said.push(format!("{}: {drawn}: {what}", self.title));
    }

    /// Asks at each word.
    fn ask(&mut self) {
        let files: Vec<FileId> = self.analysis.snapshot().sources().iter().map(|(file, _)| file).filter(|file| file.0 > 0).collect();
        for file in files {
            let offsets: Vec<u32> = words(self.analysis.text(file)).collect();
            for offset in offsets {
                self.at(file, offset);
            }
        }
        for (place, others) in self.alike.clone() {
            for other in others.iter().filter(|other| other.file.0 > 0) {
                match self.alike.get(other) {
                    None => self.complain(place, &format!("nothing is known at {}", self.drawn(*other))),
                    Some(back) if !back.contains(&place) => self.complain(place, &format!("{} does not know it", self.drawn(*other))),
                    Some(_) => {}
                }
            }
        }
    }

    fn at(&mut self, file: FileId, offset: u32) {
        let found = references(&self.analysis, file, offset, true);
        let here = found
            .iter()
            .find(|mention| mention.place.file == file && mention.place.span.start <= offset && offset <= mention.place.span.end);
        let Some(here) = here.map(|mention| mention.place) else {
            if !found.is_empty() {
                self.complain(found[0].place, &format!("does not know the place {offset} at which it was asked for"));
            }
            return;
        };
        if hover(&self.analysis, file, offset).is_none_or(|hover| hover.markdown.trim().is_empty()) {
            self.complain(here, "nothing is said of it");
        }
        let places: BTreeSet<Place> = found.iter().map(|mention| mention.place).collect();
        let in_file: BTreeSet<Place> = highlights(&self.analysis, file, offset).iter().map(|mention| mention.place).collect();
        if in_file != places.iter().copied().filter(|place| place.file == file).collect() {
            self.complain(here, "other places are marked than found");
        }
        let declared = definition(&self.analysis, file, offset);
        for target in declared.iter().flat_map(|found| &found.targets) {
            if !places.contains(&target.name) && !target.name.span.is_empty() {
                self.complain(here, &format!("its declaration is no mention of it: {}", self.drawn(target.name)));
            }
        }
        self.alike.entry(here).or_default().extend(places);
    }

    /// Gives each thing another name, and the old one again. The answer is how many could be renamed.
    fn rename(&mut self, refused: &mut BTreeMap<String, usize>) -> usize {
        let mut done: BTreeSet<Place> = BTreeSet::new();
        let mut count = 0;
        for (place, others) in self.alike.clone() {
            if !done.insert(place) {
                continue;
            }
            done.extend(others);
            let Ok(part) = prepare_rename(&self.analysis, place.file, place.span.start + 1) else { continue };
            let old = self.analysis.text_of(part).to_owned();
            let new = if old.contains('.') {
                "zz.renamed"
            } else if old.starts_with(char::is_uppercase) {
                "ZzRenamed"
            } else {
                "zz_renamed"
            };
            let edits = match rename(&self.analysis, place.file, place.span.start + 1, new) {
                Ok(edits) => edits,
                Err(why) => {
                    *refused.entry(format!("{}: {}: {why}", self.title, self.drawn(place))).or_default() += 1;
                    continue;
                }
            };
            count += 1;
            let program = changed(self.program, &self.analysis, &edits);
            let after = analysis(&program);
            let Some(first) = edits.first() else {
                self.complain(place, "nothing is renamed");
                continue;
            };
            match rename(&after, first.place.file, first.place.span.start, &old) {
                Ok(back) => {
                    let again = changed(&program, &after, &back);
                    if again.files != self.program.files {
                        self.complain(place, "the old name cannot be given back");
                    }
                }
                Err(why) => self.complain(place, &format!("the old name is refused: {why}")),
            }
        }
        count
    }
}

#[test]
fn each_mention_knows_the_others_and_names_can_be_changed_and_changed_back() {
    let (mut said, mut refused, mut count) = (Vec::new(), BTreeMap::new(), 0);
    let step = std::env::var("NAVIGATION").ok().and_then(|step| step.parse().ok()).unwrap_or(8);
    let cases = programs().into_iter().chain(group("lint")).step_by(step).map(|case| (case.title(), case.program()));
    for (title, program) in examples().into_iter().chain(cases) {
        let mut asked = Asked { title: &title, program: &program, analysis: analysis(&program), alike: BTreeMap::new(), said: &mut said };
        // Where the text is broken, so may be what its words mean.
        if asked.analysis.snapshot().units().iter().any(|unit| unit.syntax.has_errors()) {
            continue;
        }
        asked.ask();
        let snapshot = asked.analysis.snapshot();
        if !snapshot.has_errors() && snapshot.refusals().is_empty() {
            count += asked.rename(&mut refused);
        }
    }
    println!("{count} names were changed; {refused:#?}");
    report(&said);
}
