//! Many programs in many worlds, and what was seen in all of them.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Coverage, Ended, Finding, Subject, generate, mutate, shrink, subjects};
use crate::program::Program;
use crate::random::Random;

/// How many worlds a program is run in.
const WORLDS: u64 = 10;
/// Of so many scrolls one is replayed from each of its prefixes.
const REPLAYED: u64 = 20;
/// Replaying from each prefix is quadratic.
const LONGEST_REPLAYED: usize = 400;
/// The name of a program of one file.
const FILE: &str = "input.weave";

/// What was seen.
#[derive(Default)]
pub struct Survey {
    /// How many programs were made.
    pub programs: u64,
    /// How many of them are clean.
    pub clean: u64,
    /// How many runs there were.
    pub pairs: u64,
    /// How many events they have.
    pub events: u64,
    /// How many of them ended.
    pub ended: u64,
    /// How many prefixes of scrolls were continued again.
    pub prefixes: u64,
    /// The first mistake of each program that is not clean.
    pub refused: BTreeMap<&'static str, u64>,
    /// What the clean programs are made of, and what happened in their runs.
    pub coverage: Coverage,
    /// What must not have happened: how often, and the first few, each with a small program that shows it.
    pub findings: BTreeMap<&'static str, (u64, Vec<String>)>,
    /// How many examples of each kind of finding are kept.
    pub examples: usize,
}

impl Survey {
    /// Runs a random program, if it is clean.
    pub fn generated(&mut self, seed: u64) {
        let program = Program::one(&generate(seed, 3 + (seed % 23) as usize));
        self.look_at(&program, FILE, seed);
    }

    /// Runs one of these programs with a few changes, if it is clean.
    pub fn mutated(&mut self, bases: &[Program], seed: u64) {
        let (program, root) = changed(bases, seed);
        self.look_at(&program, &root, seed);
    }

    fn look_at(&mut self, program: &Program, root: &str, seed: u64) {
        self.programs += 1;
        let subjects = match guarded(|| subjects(program)) {
            Ok(Ok(subjects)) => subjects,
            Ok(Err(ids)) => return *self.refused.entry(ids[0]).or_default() += 1,
            Err(_) => return self.found(program, root, seed, 0, "", Finding { kind: "a panic", detail: "of the compiler".to_owned() }),
        };
        self.clean += 1;
        for subject in subjects.iter().filter(|subject| !subject.definition().nodes.iter().any(|node| node.id == "think")) {
            self.coverage.program(subject.definition());
            for world in 0..WORLDS {
                let world = seed.wrapping_mul(31).wrapping_add(world);
                let findings = self.run(subject, world);
                for finding in findings {
                    self.found(program, root, seed, world, &subject.definition().workflow, finding);
                }
            }
        }
    }

    fn run(&mut self, subject: &Subject, world: u64) -> Vec<Finding> {
        let coverage = &mut self.coverage;
        let Ok(Ended { mut findings, scroll, is_done, .. }) = guarded(|| subject.run(world, coverage)) else {
            return vec![Finding { kind: "a panic", detail: "of the runner".to_owned() }];
        };
        self.pairs += 1;
        self.events += scroll.len() as u64;
        self.ended += u64::from(is_done);
        if self.pairs.is_multiple_of(REPLAYED) && scroll.len() < LONGEST_REPLAYED {
            self.prefixes += scroll.len() as u64;
            findings.extend(subject.replay(&scroll).err().map(|detail| Finding { kind: "another replay", detail }));
        }
        findings
    }

    fn found(&mut self, program: &Program, root: &str, seed: u64, world: u64, workflow: &str, finding: Finding) {
        let (count, examples) = self.findings.entry(finding.kind).or_default();
        *count += 1;
        if examples.len() >= self.examples {
            return;
        }
        let shows = |text: &str| {
            let mut program = program.clone();
            program.files.insert(root.to_owned(), text.to_owned());
            let Ok(Ok(subjects)) = guarded(|| subjects(&program)) else { return false };
            let Some(subject) = subjects.iter().find(|subject| subject.definition().workflow == workflow) else { return false };
            let shows = |world: u64| {
                let run = guarded(|| subject.run(world, &mut Coverage::default()));
                run.map_or(finding.kind == "a panic", |run| run.findings.iter().any(|it| it.kind == finding.kind))
            };
            shows(world) || (0..40).any(|other| shows(seed.wrapping_mul(31).wrapping_add(other)))
        };
        let small = if workflow.is_empty() { program.files[root].clone() } else { shrink(&program.files[root], shows) };
        examples.push(format!("program {seed}, world {world}, `{workflow}`: {}\n{small}", finding.detail));
    }

    /// All findings with their programs.
    #[must_use]
    pub fn report(&self) -> String {
        let mut report = String::new();
        for (kind, (count, examples)) in &self.findings {
            report += &format!("\n=== {kind}: {count} times\n");
            examples.iter().for_each(|example| report += &format!("{example}\n"));
        }
        report
    }
}

/// One of these programs with a few changes in its root, whose name is the second.
#[must_use]
pub fn changed(bases: &[Program], seed: u64) -> (Program, String) {
    let mut random = Random::new(seed);
    let mut program = random.pick(bases).clone();
    let root = program.roots[0].clone();
    for _ in 0..1 + random.below(3) {
        let text = &program.files[&root];
        if let Some(changed) = mutate(text, &mut random) {
            program.files.insert(root.clone(), changed);
        }
    }
    (program, root)
}

/// A panic as an error.
fn guarded<T>(of: impl FnOnce() -> T) -> Result<T, ()> {
    catch_unwind(AssertUnwindSafe(of)).map_err(drop)
}

/// The clean programs of the examples and the suite that have a workflow.
#[must_use]
pub fn bases() -> Vec<Program> {
    let examples = crate::root().join("examples");
    let mut bases = Vec::new();
    for path in crate::files_below(&examples, "weave") {
        let root = crate::suite::file_name(&path);
        bases.push(Program { roots: vec![root], ..Program::in_folder(&examples) });
    }
    for group in ["analysis", "lower"] {
        let mut folders: Vec<_> = crate::files_below(&crate::root().join("tests/suite").join(group), "weave");
        folders.retain(|path| path.file_name().is_some_and(|name| name == "input.weave"));
        bases.extend(folders.iter().filter_map(|path| path.parent()).map(Program::in_folder));
    }
    bases.retain(|program| program.roots.len() == 1 && subjects(program).is_ok_and(|subjects| !subjects.is_empty()));
    bases
}
