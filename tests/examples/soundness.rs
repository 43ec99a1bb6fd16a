//! Runs random clean programs in random worlds, and prints what was seen.
//!
//! `cargo run --release -p weave-tests --example soundness -- --pairs 100000 --seed 1`. Every third program is one of the examples or of
//! the suite with a few changes. `--help` says what else there is.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use weave_tests::programs::{CONSTRUCTS, Survey, bases, changed, generate};

const USAGE: &str = "\
usage: soundness --pairs COUNT [--seed SEED] [--show COUNT] [--trace 1]
       soundness --program SEED | --changed SEED

  --pairs COUNT    run programs in worlds until so many pairs of them have been seen
  --seed SEED      where the random numbers start (1)
  --show COUNT     show up to so many examples of each kind of finding (3)
  --trace 1        print each seed before its program is run
  --program SEED   print the program that is generated from a seed, and run nothing
  --changed SEED   print the program that is made from one of the examples or of the suite, and run nothing
";

const OPTIONS: [&str; 6] = ["pairs", "seed", "show", "trace", "program", "changed"];

/// The options, each with its number; nothing if something else is given.
fn options(arguments: &[String]) -> Option<BTreeMap<String, u64>> {
    let option = |pair: &[String]| {
        let [name, number] = pair else { return None };
        let name = name.strip_prefix("--").filter(|name| OPTIONS.contains(name))?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    arguments.chunks(2).map(option).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let options = options(&arguments).unwrap_or_default();
    if !["pairs", "program", "changed"].iter().any(|option| options.contains_key(*option)) {
        print!("{USAGE}");
        let is_asked = matches!(arguments.as_slice(), [] | [_]) && arguments.iter().all(|it| it == "--help" || it == "-h");
        return if is_asked { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let option = |name: &str, default| options.get(name).copied().unwrap_or(default);
    if let Some(seed) = options.get("program") {
        print!("{}", generate(*seed, 3 + (*seed % 23) as usize));
        return ExitCode::SUCCESS;
    }
    // A panic is a finding; it need not be printed as well.
    if option("trace", 0) == 0 {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let (pairs, seed) = (option("pairs", 100_000), option("seed", 1));
    let mut survey = Survey { examples: option("show", 3) as usize, ..Survey::default() };
    let (started, bases) = (Instant::now(), bases());
    if let Some(seed) = options.get("changed") {
        print!("{}", changed(&bases, *seed).0.files.values().cloned().collect::<Vec<_>>().join("// ----\n"));
        return ExitCode::SUCCESS;
    }
    let mut next = seed.wrapping_mul(1_000_003);
    while survey.pairs < pairs {
        next = next.wrapping_add(1);
        if option("trace", 0) > 0 {
            eprintln!("{next}");
        }
        if next.is_multiple_of(3) { survey.mutated(&bases, next) } else { survey.generated(next) }
    }
    print(&survey);
    println!("{} programs to change, {:?}", bases.len(), started.elapsed());
    if survey.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(survey: &Survey) {
    let Survey { programs, clean, pairs, events, ended, prefixes, .. } = survey;
    println!(
        "{programs} programs, {clean} of them clean; {pairs} runs with {events} events, {ended} of them ended; {prefixes} prefixes replayed"
    );
    println!("the others are refused first for {:?}", survey.refused);
    for construct in CONSTRUCTS {
        let count = |counts: &BTreeMap<String, u64>| counts.get(construct).copied().unwrap_or_default();
        println!("{:>9} programs {:>9} times  {construct}", count(&survey.coverage.occurred), count(&survey.coverage.ran));
    }
    for (what, count) in survey.coverage.ran.iter().filter(|(what, _)| !CONSTRUCTS.contains(&what.as_str())) {
        println!("{count:>28} times  {what}");
    }
    println!("{}\n{} kinds of findings", survey.report(), survey.findings.len());
}
