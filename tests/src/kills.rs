//! Kills commands while they write, and looks at what they leave.
//!
//! `fmt`, `lint --fix`, `compile -o` and `gen` run to their end in one folder. In a second folder with the same files they are ended by a signal after a random part of that time. Each file of the
//! second folder must then have its earlier text or the one that it has in the first folder, never a part of one. The run after that must succeed, and leave what is in the first folder: the same
//! files, with the same texts.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::random::Random;

const COMMANDS: [&[&str]; 4] =
    [&["fmt", "flows"], &["lint", "flows", "--fix"], &["compile", "flows", "-o", "build"], &["gen", "typescript", "flows", "-o", "gen"]];

/// How a command is ended. The first one, which no program can answer, is sent every other time.
const SIGNALS: [&str; 4] = ["KILL", "TERM", "INT", "HUP"];

/// The files below a folder, by their paths in it.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// What a campaign has seen.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// How many runs were ended by a signal, by command and signal.
    pub killed: BTreeMap<String, usize>,
    /// How many of them had written something, but not everything.
    pub between: usize,
    /// Files that have neither their earlier text nor the new one.
    pub torn: usize,
    /// Runs that do not succeed after one that was ended.
    pub stuck: usize,
    /// Folders that are not, after that, what an undisturbed run makes of them.
    pub different: usize,
    /// Undisturbed runs that fail.
    pub failed: usize,
}

impl Told {
    /// Whether nothing went wrong.
    #[must_use]
    pub const fn is_well(&self) -> bool {
        self.torn + self.stuck + self.different + self.failed == 0
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count) in &self.killed {
            writeln!(f, "{kind:<14} {count:>5}")?;
        }
        write!(
            f,
            "{} runs ended by a signal, {} of them between the first file that was written and the last: {} files torn, {} runs stuck afterwards, {} folders different afterwards; {} undisturbed runs failed",
            self.killed.values().sum::<usize>(),
            self.between,
            self.torn,
            self.stuck,
            self.different,
            self.failed
        )
    }
}

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

fn succeeds(weave: &Path, folder: &Path, words: &[&str]) -> bool {
    command(weave, folder, words).status().is_ok_and(|status| status.success())
}

/// Ends a program by a signal; says whether it was still running.
fn end(child: &mut Child, signal: &str) -> bool {
    if child.try_wait().ok().flatten().is_some() {
        return false;
    }
    let is_sent = match signal {
        "KILL" => child.kill().is_ok(),
        other => Command::new("kill").arg(format!("-{other}")).arg(child.id().to_string()).status().is_ok_and(|status| status.success()),
    };
    let is_ended_by_it = child.wait().is_ok_and(|status| status.code().is_none());
    is_sent && is_ended_by_it
}

fn below(folder: &Path) -> Files {
    let (mut folders, mut files) = (vec![folder.to_owned()], Files::new());
    while let Some(here) = folders.pop() {
        for entry in std::fs::read_dir(&here).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let (Ok(name), Ok(text)) = (path.strip_prefix(folder), std::fs::read(&path)) {
                files.insert(name.to_owned(), text);
            }
        }
    }
    files
}

/// A file that is there only while a command writes.
fn is_passing(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(".weave-") && (name.ends_with(".tmp") || name.ends_with(".pending"))
}

fn write_sources(folder: &Path, turn: usize, files: usize) {
    let flows = folder.join("flows");
    std::fs::create_dir_all(&flows).expect("the folder can be written");
    std::fs::write(flows.join("shared.weave"), "type Gone { id: string }\n").expect("the folder can be written");
    // Every fourth file is there in every other turn alone, so that commands also remove what belongs to it.
    for number in 0..files {
        let path = flows.join(format!("f{number}.weave"));
        if number.is_multiple_of(4) && (turn / COMMANDS.len()) % 2 == 1 {
            let _ = std::fs::remove_file(path);
        } else {
            std::fs::write(path, source(number, turn)).expect("the folder can be written");
        }
    }
}

/// Ends so many runs by a signal, each over so many files.
///
/// # Panics
///
/// If the program cannot be started, or a temporary folder cannot be written.
#[must_use]
pub fn campaign(weave: &Path, kills: usize, files: usize) -> Told {
    let mut random = Random::new(1);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let [calm, disturbed] = ["calm", "disturbed"].map(|name| folder.path().join(name));
    let (mut told, mut turn) = (Told::default(), 0);
    // A run that ended before its signal is no kill; there is an end to the trying all the same.
    while told.killed.values().sum::<usize>() < kills && turn < 3 * kills {
        let words = COMMANDS[turn % COMMANDS.len()];
        let signal = if (turn / COMMANDS.len()).is_multiple_of(2) { SIGNALS[0] } else { SIGNALS[1 + turn / (2 * COMMANDS.len()) % 3] };
        [&calm, &disturbed].into_iter().for_each(|folder| write_sources(folder, turn, files));
        let earlier = below(&disturbed);
        let start = Instant::now();
        told.failed += usize::from(!succeeds(weave, &calm, words));
        let whole = start.elapsed();
        let wanted = below(&calm);

        let mut child = command(weave, &disturbed, words).spawn().expect("the program can be started");
        std::thread::sleep(whole.mul_f64(random.below(1_000) as f64 / 1_000.0).max(Duration::from_micros(100)));
        if end(&mut child, signal) {
            *told.killed.entry(format!("{} {signal}", words[0])).or_default() += 1;
        }
        let _ = child.wait();
        let now = below(&disturbed);
        let is_whole =
            |(path, text): &(&PathBuf, &Vec<u8>)| is_passing(path) || earlier.get(*path) == Some(text) || wanted.get(*path) == Some(text);
        told.torn += now.iter().filter(|file| !is_whole(file)).count();
        // What is still wanted was there before, so it is there now.
        told.torn += earlier.keys().filter(|path| wanted.contains_key(*path) && !now.contains_key(*path)).count();
        told.between += usize::from(now != earlier && now != wanted);

        told.stuck += usize::from(!succeeds(weave, &disturbed, words));
        told.different += usize::from(below(&disturbed) != wanted);
        turn += 1;
    }
    told
}
