//! Seeds 26 kinds of defects into all clean programs of the examples and the suite, and prints how many are reported:
//! `cargo run -p weave-tests --example defects -- [PLACES] [SEED] [list]`.
//!
//! `PLACES` is the largest number of defects of one kind in one program. With `list`, the defects that are not reported are listed.

use std::process::ExitCode;

use weave_tests::defects::{Table, Verdict, clean_programs, seeded};

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let list = arguments.last().is_some_and(|last| last == "list");
    if list {
        arguments.pop();
    }
    let numbers: Option<Vec<u64>> = arguments.iter().map(|argument| argument.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() <= 2) else {
        println!("usage: defects [PLACES] [SEED] [list]");
        return ExitCode::FAILURE;
    };
    let (places, seed) = (numbers.first().copied().unwrap_or(3) as usize, numbers.get(1).copied().unwrap_or(1));
    let mut table = Table::default();
    let (mut missed, mut misplaced) = (Vec::new(), Vec::new());
    let programs = clean_programs();
    for (title, judge) in &programs {
        for defect in seeded(judge.text(), places, seed) {
            let verdict = judge.judge(&defect);
            table.add(defect.kind, &verdict);
            let line = format!("{title}: {}: {}", defect.kind, defect.shown(judge.text()));
            match verdict {
                Verdict::Missed => missed.push(line),
                Verdict::Found { right: Some(false), ids } => misplaced.push(format!("{line}: {ids:?}")),
                _ => {}
            }
        }
    }
    println!("{} clean programs\n\n{table}", programs.len());
    if list {
        println!("not reported:\n{}\n\nreported at another place:\n{}", missed.join("\n"), misplaced.join("\n"));
    }
    ExitCode::SUCCESS
}
