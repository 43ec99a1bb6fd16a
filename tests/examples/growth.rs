//! How time and memory grow with the size of the input: `cargo run --release -p weave-tests --example growth -- [SIZE [NAME]]`.
//!
//! Each kind of input is worked on at a size and at ten times that size; NAME chooses the kinds whose names contain it. Time is that of the processors, of all threads together, the mean of so many
//! runs that it can be told, so that other programs on the machine matter little. It is read from `/proc`, which Linux has. The exponent is the logarithm of how much more the larger input takes, to the base of how much larger it is: 1 is linear. What is above
//! 1.2 is marked, and makes the program fail.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use peak_alloc::PeakAlloc;
use weave_codegen::{Options, Target, generate};
use weave_compiler::lint::{self, Settings};
use weave_compiler::{Input, LoadError, Loader, Snapshot, check};
use weave_diagnostics::FileId;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What is above is marked.
const MOST: f64 = 1.2;

/// What is over in less says nothing about how it grows: most of it is the same for any size.
const LEAST: Duration = Duration::from_millis(20);

/// How long a kind is worked on, so that its time can be told.
const ENOUGH: Duration = Duration::from_millis(400);

/// Files by their names.
type Files = Vec<(String, String)>;

/// A kind of input: its name, a program with so many parts, what is done with it, and for how many of the parts that are asked for there is one.
struct Kind {
    name: &'static str,
    files: fn(usize) -> Files,
    work: fn(Files),
    share: usize,
}

/// A text that is checked and linted.
macro_rules! text {
    ($name:literal, $text:expr) => {
        Kind { name: $name, files: |n| vec![("a.weave".to_owned(), ($text)(n))], work: lint, share: 1 }
    };
}

const KINDS: &[Kind] = &[
    text!("semicolons", |n| ";".repeat(n)),
    text!("lines of semicolons", |n| ";\n".repeat(n)),
    text!("open braces", |n| "{".repeat(n)),
    text!("open brackets in a type", |n| format!("type A = {}", "(".repeat(n))),
    text!("quotes", |n| "\"".repeat(n)),
    text!("comments", |n| "// a comment\n".repeat(n)),
    text!("hidden characters", |n| "\u{200b}".repeat(n)),
    text!("hidden characters in a comment", |n| format!("// {}\n", "\u{200b}".repeat(n))),
    text!("one long name", |n| format!("type {} {{ b: string }}\n", "A".repeat(n))),
    text!("one long string", |n| format!("tool t(a: string) -> string {{ meta {{ note: \"{}\" }} }}\n", "x".repeat(n))),
    text!("types", types),
    text!("types that use the next one", |n| numbered(n, |number| format!("type A{number} {{ b?: A{} }}\n", (number + 1) % n))),
    text!("fields", fields),
    text!("unknown names", |n| format!("type A {{\n{}}}\n", numbered(n, |number| format!("  f{number}: Nope{number}\n")))),
    text!("one declaration many times", |n| "type A { b: string }\n".repeat(n)),
    text!("values of an enum", |n| format!("enum Kind {{ {} }}\n", numbered(n, |number| format!("v{number}, ")))),
    text!("values joined by |", |n| format!("type A = {}\"z\"\n", numbered(n, |number| format!("\"v{number}\" | ")))),
    text!("one name joined by |", |n| format!("type A = {}string\n", "a | ".repeat(n))),
    text!("steps in a row", steps),
    text!("steps on one step", |n| workflow(&numbered(n, |number| format!(
        "  step s{number} on look {{ call look {{ text: \"x\" }} }}\n"
    )))),
    text!("cases of one choice", |n| {
        workflow(&numbered(n, |number| format!("  end s{number} on look when .look.a == {number} = \"x\"\n")))
    }),
    text!("terms of one guard", |n| {
        workflow(&format!(
            "  end all on look when {}.look.a == 0 = \"all\"\n  end rest on look else = \"rest\"\n",
            numbered(n, |number| format!(".look.a == {number} || "))
        ))
    }),
    text!("mistakes in one body", |n| workflow(&numbered(n, |number| format!(
        "  step s{number} on nope{number} {{ call look {{ text: .nope }} }}\n"
    )))),
    text!("placeholders in one text", |n| workflow(&format!("  end all on look = \"{}\"\n", "{{.look.b}} ".repeat(n)))),
    text!("imports of nothing", |n| numbered(n, |number| format!("import {{ A }} from \"./f{number}.weave\"\n"))),
    text!("tests", |n| {
        let tests = numbered(n, |number| format!("test t{number} of w {{\n  start {{ text: \"x\" }}\n  answer look\n  expect done\n}}\n"));
        workflow("  end done on look = .look.b\n") + &tests
    }),
    Kind { name: "files that import the next one", files: files_in_a_row, work: lint, share: 4 },
    Kind { name: "definition of steps in a row", files: |n| one(steps(n)), work: compile, share: 4 },
    Kind { name: "formatting of fields", files: |n| one(fields(n)), work: format, share: 1 },
    Kind { name: "formatting of steps", files: |n| one(steps(n)), work: format, share: 4 },
    Kind { name: "code from types of one file", files: |n| one(types(n)), work: code, share: 8 },
    Kind { name: "code from one type", files: |n| one(fields(n)), work: code, share: 8 },
    Kind { name: "code from files", files: files_in_a_row, work: code, share: 8 },
    Kind { name: "picture of steps in a row", files: |n| one(steps(n)), work: picture, share: 16 },
    Kind { name: "differences between types", files: |n| one(types(n)), work: differences, share: 8 },
];

fn numbered(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = write!(text, "{}", part(number));
        text
    })
}

fn one(text: String) -> Files {
    vec![("a.weave".to_owned(), text)]
}

fn workflow(nodes: &str) -> String {
    format!(
        "tool look(text: string) -> {{ a: int, b: string }}\n\nworkflow w(text: string) -> string {{\n  step look {{ call look {{ text: .input.text }} }}\n{nodes}}}\n"
    )
}

fn types(count: usize) -> String {
    numbered(count, |number| format!("type A{number} {{ b: string, c?: int }}\n"))
}

fn fields(count: usize) -> String {
    format!("type A {{\n{}}}\n", numbered(count, |number| format!("  f{number}: string\n")))
}

fn steps(count: usize) -> String {
    let step = |number| format!("  step s{} on s{number} {{ call look {{ text: .s{number}.b }} }}\n", number + 1);
    workflow(&format!(
        "  step s0 on look {{ call look {{ text: \"x\" }} }}\n{}  end all on s{count} = .s{count}.b\n",
        numbered(count, step)
    ))
}

fn files_in_a_row(count: usize) -> Files {
    let file = |number: usize| {
        let text = match number + 1 {
            next if next < count => format!("import {{ A{next} }} from \"./f{next}.weave\"\n\ntype A{number} {{ next?: A{next} }}\n"),
            _ => format!("type A{number} {{ b: string }}\n"),
        };
        (format!("f{number}.weave"), text)
    };
    (0..count).map(file).collect()
}

struct Nothing;

impl Loader for Nothing {
    fn load(&self, _: &str) -> Result<std::sync::Arc<str>, LoadError> {
        Err(LoadError::NotFound)
    }
}

fn checked(files: Files) -> Snapshot {
    check(files.into_iter().map(|(path, text)| Input { path, text: text.into() }).collect(), &Nothing)
}

fn lint(files: Files) {
    let settings = |_| Settings::default();
    let snapshot = checked(files);
    std::hint::black_box((snapshot.lint(&lint::Options { settings: &settings, today: None }).len(), snapshot.tests().is_ok()));
}

fn compile(files: Files) {
    let compiled = checked(files).compile().expect("what is right can be written");
    for compiled in compiled {
        std::hint::black_box(compiled.definition.to_json_pretty().expect("what is right can be written"));
    }
}

fn format(files: Files) {
    for (_, text) in files {
        std::hint::black_box(weave_format::format_text(&text.into(), None, FileId(0)).expect("it has no mistakes"));
    }
}

fn code(files: Files) {
    let packages = checked(files).packages().expect("what is right can be written");
    for target in [Target::Go, Target::TypeScript, Target::Python] {
        std::hint::black_box(generate(target, &packages, &Options::default()).expect("no two files use each other"));
    }
}

fn picture(files: Files) {
    for compiled in checked(files).compile().expect("what is right can be written") {
        std::hint::black_box(weave_graph::Graph::of(&compiled.definition).svg());
    }
}

fn differences(files: Files) {
    let text: String = files.into_iter().map(|(_, text)| text).collect();
    let workflow = |text: &str| {
        let all = numbered(text.lines().count(), |number| format!("  f{number}: A{number}\n"));
        checked(one(format!("{text}type All {{\n{all}}}\nworkflow w(all: All) -> string {{\n  end done = \"x\"\n}}\n")))
    };
    let [old, new] = [text.clone(), text.replace("c?: int", "c?: string")].map(|text| {
        let compiled = workflow(&text).compile().expect("what is right can be written");
        compiled.into_iter().map(|compiled| compiled.definition).collect::<Vec<_>>()
    });
    let [old, new] = [&old, &new].map(|all| all.iter().collect::<Vec<_>>());
    std::hint::black_box(weave_diff::diff(&old, &new));
}

/// The time that the processors have worked for this process, in steps of ten milliseconds.
fn worked() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux says how long a process has worked");
    // After the name in parentheses, in which there may be anything: the time in the program and that in the system are the 12th and the 13th.
    let numbers = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(numbers.filter_map(|number| number.parse::<u64>().ok()).sum::<u64>() * 10)
}

/// How long a kind takes, and how much memory at most.
fn measured(kind: &Kind, size: usize) -> (usize, Duration, usize) {
    let files = (kind.files)((size / kind.share).max(2));
    let bytes = files.iter().map(|(_, text)| text.len()).sum();
    // The first run fills caches and starts threads.
    (kind.work)(files.clone());
    MEMORY.reset_peak_usage();
    let (before, start) = (MEMORY.current_usage(), worked());
    (kind.work)(files.clone());
    let memory = MEMORY.peak_usage().saturating_sub(before);
    let mut runs = 1;
    while worked().saturating_sub(start) < ENOUGH && runs < 10_000 {
        (kind.work)(files.clone());
        runs += 1;
    }
    (bytes, worked().saturating_sub(start) / runs, memory)
}

fn exponent(small: f64, large: f64, texts: f64) -> f64 {
    (large.max(1e-9) / small.max(1e-9)).ln() / texts.ln()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let size: usize = arguments.next().and_then(|argument| argument.parse().ok()).unwrap_or(2_000);
    let name = arguments.next().unwrap_or_default();
    let mut marked = 0;
    println!("| input | bytes | ms | MB | bytes | ms | MB | time | memory |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for kind in KINDS.iter().filter(|kind| kind.name.contains(&name)) {
        let [(few, short, little), (many, long, much)] = [size, 10 * size].map(|size| measured(kind, size));
        let grown = many as f64 / few as f64;
        let time = exponent(short.as_secs_f64(), long.as_secs_f64(), grown);
        let memory = exponent(little as f64, much as f64, grown);
        let is_long = long > LEAST && time > MOST;
        marked += usize::from(is_long);
        let mark = if is_long { " **!**" } else { "" };
        let [short, long] = [short, long].map(|time| time.as_secs_f64() * 1e3);
        let [little, much] = [little, much].map(|bytes| bytes as f64 / f64::from(1 << 20));
        println!("| {} | {few} | {short:.1} | {little:.1} | {many} | {long:.1} | {much:.1} | {time:.2}{mark} | {memory:.2} |", kind.name);
    }
    if marked == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
