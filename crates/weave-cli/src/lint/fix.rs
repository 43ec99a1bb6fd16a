//! `weave lint --fix`, `--fix-unsafe` and `--diff`.

use std::path::{Path, PathBuf};

use weave_compiler::Input;
use weave_diagnostics::{Applicability, counted};
use weave_fix::{Dropped, Fixed, Harm, Request, Wanted, fix};

use crate::args;
use crate::failure::{Failure, Failures};
use crate::lint::Seen;
use crate::lint::work::Work;
use crate::printed::Printed;
use crate::read::Disk;
use crate::terminal::Terminal;
use crate::write::{difference, remove_abandoned_beside, replace};

/// Which fixes are asked for, if any.
pub(crate) fn wanted(arguments: &args::Lint) -> Option<Applicability> {
    match (arguments.fix_unsafe, arguments.fix || arguments.diff) {
        (true, _) => Some(Applicability::Unsafe),
        (false, true) => Some(Applicability::Safe),
        (false, false) => None,
    }
}

/// Fixes files, or shows how. The answer is what is left to say and why some files could not be written, or nothing where only the difference was
/// asked for, and there is one.
pub(crate) fn mend(
    files: Vec<(Option<PathBuf>, Input)>,
    work: &Work,
    applicability: Applicability,
    arguments: &args::Lint,
    terminal: Terminal,
) -> Result<Option<(Seen, Failures)>, Failures> {
    let (paths, inputs): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let prints_text = paths.iter().any(Option::is_none) || arguments.diff;
    if prints_text && arguments.report.format.is_some() && arguments.report.output.is_none() {
        let failure = Failure::new("both the fixed text and the report would go to standard output");
        return Err(failure.help("write the report to a file: `--output FILE`").into());
    }
    let settings = |name: &str| work.configs.of(Path::new(name));
    let request = Request { inputs, loader: &Disk, settings: &settings, today: Some(work.today()), wanted: Wanted::all(applicability) };
    let fixed = fix(&request);
    let changed = request.inputs.iter().zip(&fixed.texts).filter(|(input, text)| input.text != **text).count();
    about_left_out(&fixed, terminal);
    if arguments.diff && changed > 0 {
        for (input, text) in request.inputs.iter().zip(&fixed.texts).filter(|(input, text)| input.text != **text) {
            terminal.print(&Printed::exact(difference(&input.path, &input.text, text)))?;
        }
        terminal.remark(format!("{} would be applied in {}.", counted(fixed.applied.len(), "fix"), counted(changed, "file")));
        return Ok(None);
    }
    let mut failures = Failures::new();
    if !arguments.diff {
        remove_abandoned_beside(paths.iter().filter_map(|path| path.as_deref()));
    }
    let mut applied = fixed.applied.len();
    let mut left = Vec::new();
    for ((path, input), text) in paths.iter().zip(&request.inputs).zip(&fixed.texts) {
        match write(path.as_deref(), input, text, arguments.diff, terminal) {
            Ok(()) => left.push(Input { path: input.path.clone(), text: text.clone() }),
            Err(failure) => {
                failures.push(failure);
                applied = applied.saturating_sub(fixed.applied.iter().filter(|applied| applied.file == input.path).count());
                left.push(input.clone());
            }
        }
    }
    if applied > 0 {
        terminal.remark(format!("{} applied in {}.", counted(applied, "fix"), counted(changed.saturating_sub(failures.len()), "file")));
    }
    // A file that could not be written still says what it said.
    let seen = if failures.is_empty() { Seen { snapshot: fixed.snapshot, found: fixed.findings } } else { work.look(left) };
    about_unsafe(&seen, applicability, terminal);
    Ok(Some((seen, failures)))
}

/// Writes a text where it came from, if it is another one.
fn write(path: Option<&Path>, input: &Input, text: &str, is_dry: bool, terminal: Terminal) -> Result<(), Failure> {
    match path {
        None if is_dry => Ok(()),
        None => terminal.print(&Printed::exact(text)),
        Some(_) if *input.text == *text => Ok(()),
        Some(path) => replace(path, &input.text, text).map_err(|error| error.failure(path)),
    }
}

/// Says which fixes were left out, and why.
fn about_left_out(fixed: &Fixed, terminal: Terminal) {
    for dropped in &fixed.dropped {
        about_dropped(dropped).into_iter().for_each(|line| terminal.say(line));
    }
    if fixed.outside > 0 {
        let (fixes, verb) = (counted(fixed.outside, "fix"), if fixed.outside == 1 { "was" } else { "were" });
        terminal.remark(format!("{fixes} {verb} skipped, because other files would change too; name these files as well."));
    }
    if fixed.capped {
        terminal.say("warning: each fix caused another finding, many times in a row; the fixes so far are kept");
        terminal.say("help: run the command again; if it does not finish, this is a bug in weave: please report it with the files");
    }
}

fn about_dropped(dropped: &Dropped) -> Vec<String> {
    let Dropped { rule, file, line, message, applicability, harm } = dropped;
    let why = match harm {
        Harm::Error(error) => format!("the error {}: {}", error.code.id, error.message),
        Harm::Uncovered(error) => {
            let hidden = format!("{}: {}", error.code.id, error.message);
            return vec![format!(
                "warning: a fix of {rule} was left out in {file}:{line} ({message}), because it uncovers the error {hidden}"
            )];
        }
        Harm::Useless => "no fewer findings".to_owned(),
        Harm::Finding(finding) => format!("the finding {}: {}", finding.code.id, finding.message),
        Harm::Misfit => "a text that cannot be".to_owned(),
    };
    let mut lines = vec![format!("warning: a fix of {rule} was left out in {file}:{line} ({message}), because it brings {why}")];
    if *applicability == Applicability::Safe {
        lines.push("help: this is a bug in weave; please report it with the file".to_owned());
    }
    lines
}

/// Says that there are fixes that were not asked for.
fn about_unsafe(seen: &Seen, applicability: Applicability, terminal: Terminal) {
    let is_unsafe = |fix: &weave_diagnostics::Fix| fix.applicability == Applicability::Unsafe;
    let count = seen.found.iter().filter(|finding| finding.fixes.iter().any(is_unsafe)).count();
    if applicability == Applicability::Safe && count > 0 {
        let rest = match count {
            1 => "has a fix that is not safe; `--fix-unsafe` applies it too.",
            _ => "have fixes that are not safe; `--fix-unsafe` applies them too.",
        };
        terminal.remark(format!("{} {rest}", counted(count, "finding")));
    }
}
