//! Kills commands while they write: `cargo run -p weave-tests --example kills -- WEAVE [KILLS]`, where WEAVE is the program. What is looked at is said in `weave_tests::kills`.

use std::path::PathBuf;
use std::process::ExitCode;

use weave_tests::kills::campaign;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(weave) = arguments.next().map(PathBuf::from).and_then(|path| path.canonicalize().ok()) else {
        println!("usage: kills WEAVE [KILLS]");
        return ExitCode::FAILURE;
    };
    let kills: usize = arguments.next().and_then(|argument| argument.parse().ok()).unwrap_or(500);
    let told = campaign(&weave, kills, 40);
    println!("{told}");
    if told.is_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
