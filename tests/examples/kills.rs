//! Kills commands while they write, and looks at what they leave: `cargo run -p weave-tests --example kills -- WEAVE [KILLS]`, where WEAVE is the program.
//!
//! `fmt`, `lint --fix`, `compile -o` and `gen` are started and killed after a time that is drawn at random. Each file must have its old text or its new one, never half of one; and the run after the
//! killed one must succeed and leave no temporary file.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use weave_tests::random::Random;

/// How many files the commands work on.
const FILES: usize = 40;

const COMMANDS: [&[&str]; 4] =
    [&["fmt", "flows"], &["lint", "flows", "--fix"], &["compile", "flows", "-o", "build"], &["gen", "typescript", "flows", "-o", "gen"]];

fn source(number: usize, turn: usize) -> String {
    format!(
        "import {{ Gone }} from \"./shared.weave\"\n\nworkflow w{number}(who:string) -> string {{\n  end done = \"{} {turn} {{{{.input.who}}}}\"\n}}\n",
        "Hello ".repeat(200)
    )
}

fn command(weave: &Path, folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(weave);
    command.args(words).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() { folders.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(weave) = arguments.next().map(PathBuf::from).and_then(|path| path.canonicalize().ok()) else {
        println!("usage: kills WEAVE [KILLS]");
        return ExitCode::FAILURE;
    };
    let kills = arguments.next().and_then(|argument| argument.parse().ok()).unwrap_or(500);
    let mut random = Random::new(1);
    let (mut half, mut stuck, mut left, mut killed) = (0, 0, 0, 0);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    std::fs::create_dir(folder.join("flows")).expect("the folder can be written");
    for turn in 0..kills {
        let words = COMMANDS[turn % COMMANDS.len()];
        std::fs::write(folder.join("flows/shared.weave"), "type Gone { id: string }\n").expect("the folder can be written");
        let sources: Vec<String> = (0..FILES).map(|number| source(number, turn)).collect();
        for (number, text) in sources.iter().enumerate() {
            std::fs::write(folder.join(format!("flows/f{number}.weave")), text).expect("the folder can be written");
        }
        let mut child = command(&weave, folder, words).spawn().expect("the program can be started");
        std::thread::sleep(Duration::from_micros(random.below(40_000) as u64));
        let is_running = child.try_wait().ok().flatten().is_none();
        killed += usize::from(is_running && child.kill().is_ok());
        let _ = child.wait();
        for (number, text) in sources.iter().enumerate() {
            let now = std::fs::read_to_string(folder.join(format!("flows/f{number}.weave"))).unwrap_or_default();
            // What is new has all of the text, in another layout or without the import.
            let is_whole = now == *text || (now.ends_with("}\n") && now.contains(&format!("{turn} {{{{.input.who}}}}")));
            half += usize::from(!is_whole);
        }
        stuck += usize::from(!command(&weave, folder, words).status().is_ok_and(|status| status.success()));
        let is_temporary = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "tmp" || extension == "pending");
        left += below(folder).iter().filter(|path| is_temporary(path)).count();
    }
    println!(
        "{kills} runs, {killed} of them killed: {half} files half written, {stuck} runs stuck afterwards, {left} temporary files left"
    );
    if half + stuck + left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
