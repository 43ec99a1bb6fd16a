//! How time and memory grow with the size of a text: `cargo run --release -p weave-tests --example growth -- [SIZE]`.
//!
//! Each kind of text is checked and linted at a size and at ten times that size. The exponent is the logarithm of how much longer the larger one takes: 1 is linear. What is above 1.2 is
//! marked; so is what does not come back at all, because nothing is printed for it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use weave_compiler::lint::{Options, Settings};
use weave_compiler::{Input, LoadError, Loader, check};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What is above is marked.
const MOST: f64 = 1.2;

/// A kind of text: its name, and a text with so many parts.
type Kind = (&'static str, fn(usize) -> String);

const KINDS: &[Kind] = &[
    ("semicolons", |n| ";".repeat(n)),
    ("lines of semicolons", |n| ";\n".repeat(n)),
    ("open braces", |n| "{".repeat(n)),
    ("open brackets in a type", |n| format!("type A = {}", "(".repeat(n))),
    ("quotes", |n| "\"".repeat(n)),
    ("comments", |n| "// a comment\n".repeat(n)),
    ("invisible characters", |n| "\u{200b}".repeat(n)),
    ("one long name", |n| format!("type {} {{ b: string }}\n", "A".repeat(n))),
    ("one long string", |n| format!("tool t(a: string) -> string {{ meta {{ note: \"{}\" }} }}\n", "x".repeat(n))),
    ("types", |n| numbered(n, |number| format!("type A{number} {{ b: string, c?: int }}\n"))),
    ("types in a chain", |n| numbered(n, |number| format!("type A{number} {{ b?: A{} }}\n", (number + 1) % n))),
    ("fields", |n| format!("type A {{\n{}}}\n", numbered(n, |number| format!("  f{number}: string\n")))),
    ("unknown names", |n| format!("type A {{\n{}}}\n", numbered(n, |number| format!("  f{number}: Nope{number}\n")))),
    ("one name many times", |n| "type A { b: string }\n".repeat(n)),
    ("values of an enum", |n| format!("enum Kind {{ {} }}\n", numbered(n, |number| format!("v{number}, ")))),
    ("names joined by |", |n| format!("type A = {}\"z\"\n", numbered(n, |number| format!("\"v{number}\" | ")))),
    ("one name joined by |", |n| format!("type A = {}string\n", "a | ".repeat(n))),
    ("steps in a row", steps),
    ("nodes on one trigger", |n| {
        workflow(&numbered(n, |number| {
            format!("  step s{number} on look also when .look.a == {number} {{ call look {{ text: \"x\" }} }}\n")
        }))
    }),
    ("operands of one guard", |n| {
        workflow(&format!(
            "  end all on look when {}.look.a == 0 = \"all\"\n  end rest on look else = \"rest\"\n",
            numbered(n, |number| format!(".look.a == {number} || "))
        ))
    }),
    ("placeholders in one text", |n| workflow(&format!("  end all on look = \"{}\"\n", "{{.look.b}} ".repeat(n)))),
    ("imports of nothing", |n| numbered(n, |number| format!("import {{ A }} from \"./f{number}.weave\"\n"))),
];

fn numbered(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = write!(text, "{}", part(number));
        text
    })
}

fn workflow(nodes: &str) -> String {
    format!(
        "tool look(text: string) -> {{ a: int, b: string }}\n\nworkflow w(text: string) -> string {{\n  step look {{ call look {{ text: .input.text }} }}\n{nodes}}}\n"
    )
}

fn steps(count: usize) -> String {
    let step = |number| format!("  step s{} on s{number} {{ call look {{ text: .s{number}.b }} }}\n", number + 1);
    workflow(&format!(
        "  step s0 on look {{ call look {{ text: \"x\" }} }}\n{}  end all on s{count} = .s{count}.b\n",
        numbered(count, step)
    ))
}

struct Nothing;

impl Loader for Nothing {
    fn load(&self, _: &str) -> Result<std::sync::Arc<str>, LoadError> {
        Err(LoadError::NotFound)
    }
}

/// How long a text takes, and how much memory at most.
fn measured(text: &str) -> (Duration, usize) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let start = Instant::now();
    let snapshot = check(vec![Input { path: "a.weave".to_owned(), text: text.into() }], &Nothing);
    let settings = |_| Settings::default();
    let found = snapshot.lint(&Options { settings: &settings, today: None });
    std::hint::black_box(found);
    (start.elapsed(), MEMORY.peak_usage().saturating_sub(before))
}

fn exponent(small: f64, large: f64, texts: f64) -> f64 {
    (large.max(1e-9) / small.max(1e-9)).ln() / texts.ln()
}

fn main() {
    let size = std::env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(2_000);
    println!("{:<26} {:>9} {:>9} {:>9} {:>9} {:>9} {:>6} {:>6}", "kind", "bytes", "ms", "KB", "ms x10", "KB x10", "time", "memory");
    for (name, text) in KINDS {
        let texts = [size, 10 * size].map(text);
        // The first run fills caches and starts threads.
        let _ = measured(&texts[0]);
        let [(short, little), (long, much)] = [measured(&texts[0]), measured(&texts[1])];
        let grown = texts[1].len() as f64 / texts[0].len() as f64;
        let time = exponent(short.as_secs_f64(), long.as_secs_f64(), grown);
        let memory = exponent(little as f64, much as f64, grown);
        // What is over at once says nothing about how it grows.
        let mark = if long > Duration::from_millis(20) && time > MOST { " !" } else { "" };
        let [little, much] = [little, much].map(|bytes| bytes / 1024);
        println!(
            "{name:<26} {:>9} {:>9.1} {little:>9} {:>9.1} {much:>9} {time:>6.2} {memory:>6.2}{mark}",
            texts[0].len(),
            short.as_secs_f64() * 1e3,
            long.as_secs_f64() * 1e3
        );
    }
}
