//! How fast texts become tokens, trees, models and definitions; run with `cargo bench -p weave-tests`.

use std::sync::Arc;

use divan::{Bencher, counter::BytesCount};
use weave_codegen::Target;
use weave_compiler::lint::{Options, Settings};
use weave_compiler::{Input, LoadError, Loader};
use weave_diagnostics::FileId;
use weave_tests::generator::{network, program, ring};
use weave_tests::shapes::SHAPES;

/// The allocator of the command line, so that the figures are those of `weave`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

struct NoImports;

impl Loader for NoImports {
    fn load(&self, _path: &str) -> Result<Arc<str>, LoadError> {
        Err(LoadError::NotFound)
    }
}

const LINES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

#[divan::bench(args = LINES, sample_count = 10)]
fn lex(bencher: Bencher, lines: usize) {
    let text = program(lines, 1);
    bencher.counter(BytesCount::of_str(&text)).bench(|| weave_syntax::lex(&text));
}

#[divan::bench(args = LINES, sample_count = 10)]
fn parse(bencher: Bencher, lines: usize) {
    let text: Arc<str> = program(lines, 1).into();
    bencher.counter(BytesCount::of_str(&text)).bench(|| weave_syntax::parse(Arc::clone(&text)));
}

#[divan::bench(args = LINES, sample_count = 5)]
fn check(bencher: Bencher, lines: usize) {
    let text: Arc<str> = program(lines, 1).into();
    bencher.counter(BytesCount::of_str(&text)).bench(|| checked(&text));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn compile(bencher: Bencher, lines: usize) {
    let text: Arc<str> = program(lines, 1).into();
    let snapshot = checked(&text);
    bencher.counter(BytesCount::of_str(&text)).bench(|| snapshot.compile().map(|compiled| compiled.len()));
}

/// The rules alone, over a program that was checked.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn lint(bencher: Bencher, lines: usize) {
    let text: Arc<str> = program(lines, 1).into();
    let snapshot = checked(&text);
    let settings = |_| Settings::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| snapshot.lint(&Options { settings: &settings, today: None }).len());
}

/// Parsing included, and the comparison of the tokens before and after.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn format(bencher: Bencher, lines: usize) {
    let text: Arc<str> = program(lines, 1).into();
    bencher.counter(BytesCount::of_str(&text)).bench(|| weave_format::format_text(&text, None, FileId(0)).map(|text| text.len()));
}

fn checked(text: &Arc<str>) -> weave_compiler::Snapshot {
    let snapshot = weave_compiler::check(vec![Input { path: "generated.weave".into(), text: Arc::clone(text) }], &NoImports);
    assert!(!snapshot.has_errors());
    snapshot
}

/// One workflow of this many nodes with four times as many edges: the graph as a whole is looked at.
#[divan::bench(args = [1_250, 5_000, 20_000], sample_count = 5)]
fn check_network(bencher: Bencher, nodes: usize) {
    let text: Arc<str> = network(nodes).into();
    bencher.bench(|| checked(&text));
}

#[divan::bench(args = [1_250, 5_000, 20_000], sample_count = 5)]
fn compile_network(bencher: Bencher, nodes: usize) {
    let text: Arc<str> = network(nodes).into();
    let snapshot = checked(&text);
    bencher.bench(|| snapshot.compile().map(|compiled| compiled.len()));
}

/// Types that all refer to each other, with a tool for each.
#[divan::bench(args = rings(), sample_count = 5)]
fn generate_ring(bencher: Bencher, (target, types): (&str, usize)) {
    let text: Arc<str> = ring(types).into();
    let packages = checked(&text).packages().expect("what is right can be written");
    let target = [Target::Go, Target::TypeScript, Target::Python].into_iter().find(|it| it.name() == target).expect("a language");
    bencher.bench(|| weave_codegen::generate(target, &packages, &weave_codegen::Options::default()).map(|files| files.len()));
}

fn rings() -> Vec<(&'static str, usize)> {
    let languages = [Target::Go, Target::TypeScript, Target::Python].map(Target::name);
    languages.into_iter().flat_map(|language| [(language, 1_000), (language, 10_000)]).collect()
}

/// Workflows that are large in one direction, each at its size and at a quarter of it.
#[divan::bench(args = shapes(), sample_count = 5)]
fn check_shape(bencher: Bencher, (name, size): (&str, usize)) {
    let (.., make) = SHAPES.iter().find(|(other, ..)| *other == name).expect("one of the shapes");
    let text: Arc<str> = make(size).into();
    bencher.bench(|| checked(&text));
}

fn shapes() -> Vec<(&'static str, usize)> {
    SHAPES.iter().flat_map(|(name, size, _)| [(*name, size / 4), (*name, *size)]).collect()
}
