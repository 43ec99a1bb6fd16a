//! `weave run` at a terminal: a person answers for what is not configured.
#![cfg(all(feature = "run", unix))]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Project, Run};

/// Runs a program at a pseudo terminal: waits for each text, and types what belongs to it. Standard output is a file, so that only
/// what a person sees is in the transcript.
const TERMINAL: &str = r#"
import json, os, pty, select, sys, time
talk, output, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    os.execv(command[0], command)
seen, at, talk, ends = b'', 0, json.loads(talk), time.time() + 60
def read():
    global seen
    if time.time() > ends:
        os.kill(child, 9)
        sys.exit('too late, after ' + seen.decode(errors='replace'))
    if select.select([terminal], [], [], 1)[0]:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            data = b''
        seen += data
        return data != b''
    return True
for wait, say in talk:
    while wait.encode() not in seen[at:]:
        if not read():
            sys.exit('no %r in %s' % (wait, seen.decode(errors='replace')))
    at = seen.index(wait.encode(), at) + len(wait.encode())
    os.write(terminal, say.encode())
while read():
    pass
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.stderr.write(seen.decode(errors='replace').replace('\r\n', '\n'))
sys.stdout.write(open(output).read())
sys.exit(code)
"#;

fn talk(project: &Project, arguments: &[&str], talk: &[(&str, &str)]) -> Run {
    let mut command = std::process::Command::new("python3");
    command.args(["-c", TERMINAL, &serde_json::to_string(talk).unwrap(), "output.txt", env!("CARGO_BIN_EXE_weave")]);
    command
        .args(arguments)
        .current_dir(project.path(""))
        .env("NO_COLOR", "1")
        .env("USER", "max")
        .env_remove("VISUAL")
        .env("EDITOR", "false");
    command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    common::finish(command.spawn().unwrap())
}

const DESK: &str = "\
/// A manager looks at it.
event review.requested { text: string } -> review.done | review.refused
external event review.done { by: string }
external event review.refused { reason: string }

agent writer(topic: string) -> { text: string } {
  model mini
  system \"You write letters.\"
}

/// Sends a letter.
tool send(text: string, count: int(1..9)) -> { id: string } {
  approval always
  example { text: \"Hello\", count: 1 } -> { id: \"m-1\" }
}

interaction tool choose(ids: string[]) -> string

workflow letter(topic: string(min: 2)) -> { id: string, choice: string } {
  step write { ask writer { topic: .input.topic } }
  step review on write { emit review.requested { text: .write.text } }
  step post on review.done from review { call send { text: .write.text, count: 1 } }
  step pick on post { call choose { ids: [.post.id] } }
  end sent on pick = { id: .post.id, choice: .pick }
  end refused on review.refused from review = { id: .event.reason, choice: \"none\" }
}
";

const PROMPT: &str = "[l]ater › ";

#[test]
fn a_person_answers_for_what_is_not_configured() {
    let project = Project::new(&[("letter.weave", DESK)]);
    let run = talk(
        &project,
        &["run", "letter", "--id", "l-1"],
        &[
            // The input is asked for, and checked.
            ("needs an input", "{\"topic\": \"x\"}\n"),
            ("topic: ", "{\"topic\": \"cats\"}\n"),
            ("? write   ask writer (mini)", "?\n"),
            ("\"type\": \"object\"", "{\"text\": 7}\n"),
            ("text: 7 is not", "{\"text\": \"Dear cats\"}\n"),
            ("A manager looks at it.", "1\n"),
            ("`review.done`, as an example", "{\"by\": \"Ann\"}\n"),
            ("`send` needs an approval", "x\n"),
            ("type `a`", "e\n"),
            ("the arguments, as an example", "{\"text\": \"Dear dogs\", \"count\": 2}\n"),
            ("? post   send {\"text\":\"Dear dogs\",\"count\":2}", "\n"),
            ("? pick   choose", "\"m-1\"\n"),
        ],
    );
    let run = run.exits(0).says("✓ pick").says("■ sent");
    assert_eq!(run.stdout, "{\"id\":\"m-1\",\"choice\":\"m-1\"}\n");
}

#[test]
fn a_run_is_parked_and_goes_on_and_a_failure_is_said() {
    let project = Project::new(&[("letter.weave", DESK)]);
    let arguments = ["run", "letter", "--id", "l-1", "--input", "{\"topic\": \"cats\"}"];
    let parked = talk(&project, &arguments, &[("ask writer", "\n"), ("A manager looks at it.", "l\n")]).exits(3);
    let parked = parked.says("Parked. `weave run --resume l-1`");
    assert_eq!(parked.stdout, "");
    // ^C is the same.
    talk(&project, &["run", "--resume", "l-1"], &[("A manager looks at it.", "\u{3}")]).exits(3).says("Parked.");
    let refused =
        talk(&project, &["run", "--resume", "l-1"], &[("A manager looks at it.", "review.refused\n"), (PROMPT, "{\"reason\": \"no\"}\n")]);
    assert_eq!(refused.exits(0).stdout, "{\"id\":\"no\",\"choice\":\"none\"}\n");
    // The end of the input parks, too, and an editor that fails changes nothing.
    let edited = talk(&project, &arguments[..2], &[("needs an input", "e\n"), ("the editor `false` failed", "\u{4}")]).exits(2);
    edited.says("the workflow needs an input");
    let failed = talk(&project, &["run", "letter", "--input", arguments[5]], &[("ask writer", "f no ink\n")]).exits(1);
    failed.says("✗ write").says("execution_error: no ink");
    let denied = talk(
        &project,
        &["run", "letter", "--input", arguments[5]],
        &[("ask writer", "\n"), ("A manager", "\n"), ("`review.done`", "\n"), ("needs an approval", "d too late\n")],
    );
    denied.exits(1).says("denied: too late");
}

#[test]
fn nothing_is_asked_without_a_terminal() {
    let project = Project::new(&[("letter.weave", DESK)]);
    project.run(&["run", "letter"]).exits(2).says("needs an input");
    project.run(&["run", "letter", "--input", "{\"topic\": \"cats\"}"]).exits(2).says("there is no terminal to ask").says("[tools.send]");
    assert!(!project.path(".weave").exists());
}
