//! Workflows that are large in one direction, for measuring what the analysis of their graphs costs. All of them are clean.

use std::fmt::Write;

/// A shape: its name, the size at which it is measured, and the program of some size.
pub type Shape = (&'static str, usize, fn(usize) -> String);

/// All shapes.
pub const SHAPES: [Shape; 6] = [
    ("a chain of steps", 20_000, chain),
    ("listeners of one step", 5_000, hub),
    ("members of one join", 5_000, join),
    ("forks with joins, one behind the other", 2_000, forks),
    ("choices with four branches, one behind the other", 5_000, choices),
    ("loops, one behind the other", 300, loops),
];

/// A workflow of these nodes, with the tools that they call.
fn workflow(nodes: &str) -> String {
    format!(
        "tool work(number: int) -> {{ kind: \"a\" | \"b\" | \"c\" | \"d\", good: bool }}\n\nworkflow shape(number: int) -> int {{\n{nodes}}}\n"
    )
}

fn call(nodes: &mut String, name: &str, on: &str) {
    let _ = writeln!(nodes, "  step {name}{on} {{ call work {{ number: .input.number }} }}");
}

/// Each step waits for the one before it.
#[must_use]
pub fn chain(size: usize) -> String {
    let mut nodes = String::new();
    for number in 0..size {
        let on = number.checked_sub(1).map(|before| format!(" on s{before}"));
        call(&mut nodes, &format!("s{number}"), &on.unwrap_or_default());
    }
    workflow(&format!("{nodes}  end done on s{} = 1\n", size.saturating_sub(1)))
}

/// One step, and many that wait for it.
#[must_use]
pub fn hub(size: usize) -> String {
    let mut nodes = String::new();
    call(&mut nodes, "first", "");
    (0..size).for_each(|number| call(&mut nodes, &format!("s{number}"), " on first"));
    workflow(&format!("{nodes}  end done on s0 = 1\n"))
}

/// Many steps, and one node that waits for all of them.
#[must_use]
pub fn join(size: usize) -> String {
    let mut nodes = String::new();
    (0..size).for_each(|number| call(&mut nodes, &format!("s{number}"), ""));
    let members = (0..size).map(|number| format!("s{number}")).collect::<Vec<_>>().join(", ");
    workflow(&format!("{nodes}  end done on all({members}) = 1\n"))
}

/// Two branches that meet again, over and over.
#[must_use]
pub fn forks(size: usize) -> String {
    let mut nodes = String::new();
    call(&mut nodes, "j0", "");
    for number in 0..size {
        call(&mut nodes, &format!("a{number}"), &format!(" on j{number}"));
        call(&mut nodes, &format!("b{number}"), &format!(" on j{number}"));
        call(&mut nodes, &format!("j{}", number + 1), &format!(" on all(a{number}, b{number})"));
    }
    workflow(&format!("{nodes}  end done on j{size} = 1\n"))
}

/// Four branches of which one fires, over and over.
#[must_use]
pub fn choices(size: usize) -> String {
    let mut nodes = String::new();
    call(&mut nodes, "s0", "");
    for number in 0..size {
        for kind in ["a", "b", "c"] {
            call(&mut nodes, &format!("{kind}{number}"), &format!(" on s{number} when .s{number}.kind == \"{kind}\""));
        }
        call(&mut nodes, &format!("d{number}"), &format!(" on s{number} else"));
        call(&mut nodes, &format!("s{}", number + 1), &format!(" on a{number} | b{number} | c{number} | d{number}"));
    }
    workflow(&format!("{nodes}  end done on s{size} = 1\n"))
}

/// Steps that are repeated until they are good, and fail after three times.
#[must_use]
pub fn loops(size: usize) -> String {
    let mut nodes = String::new();
    for number in 0..size {
        let before = number.checked_sub(1).map_or_else(|| "start".to_owned(), |before| format!("next{before}"));
        call(&mut nodes, &format!("s{number}"), &format!(" on {before} | again{number}"));
        call(&mut nodes, &format!("next{number}"), &format!(" on s{number} when .s{number}.good"));
        call(&mut nodes, &format!("again{number}"), &format!(" on s{number} when !.s{number}.good limit 3"));
        let _ = writeln!(nodes, "  fail out{number} on s{number} else");
    }
    workflow(&format!("{nodes}  end done on next{} = 1\n", size.saturating_sub(1)))
}
