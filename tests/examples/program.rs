//! Prints a generated program: `cargo run --release -p weave-tests --example program -- LINES [SEED]`.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (Some(Ok(lines)), Ok(seed)) = (arguments.next(), arguments.next().unwrap_or(Ok(1))) else {
        return Err(std::io::Error::other("usage: program LINES [SEED]"));
    };
    std::io::stdout().write_all(weave_tests::generator::program(lines as usize, seed).as_bytes())
}
