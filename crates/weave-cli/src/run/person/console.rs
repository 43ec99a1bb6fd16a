//! What a person types.

use std::io::{BufRead as _, Write as _};
use std::process::Command;
use std::sync::mpsc::{Sender, channel};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::failure::{Failure, reason};
use crate::terminal::Terminal;

/// The longest line that is read; a longer one is cut.
const LONGEST: u64 = 16 << 20;

/// Lines of standard input.
///
/// A thread reads them one at a time, and only when asked, so that an editor can have the terminal meanwhile. A question that is closed
/// before it was answered leaves a line asked for; the next question gets it.
pub(super) struct Console {
    terminal: Terminal,
    thread: Option<(Sender<()>, UnboundedReceiver<Option<String>>)>,
    asked: bool,
}

impl Console {
    pub(super) const fn new(terminal: Terminal) -> Self {
        Self { terminal, thread: None, asked: false }
    }

    /// The next line, after this prompt; nothing at the end of the input.
    pub(super) async fn line(&mut self, prompt: &str) -> Option<String> {
        self.terminal.prompt(prompt);
        let (wanted, lines) = self.thread.get_or_insert_with(reader);
        if !self.asked {
            self.asked = wanted.send(()).is_ok();
        }
        let line = lines.recv().await.flatten();
        self.asked = false;
        if line.is_none() {
            // The cursor is still after the prompt.
            self.terminal.say("");
        }
        line
    }

    /// A text, edited in the person's editor.
    pub(super) async fn edit(&self, text: &str) -> Result<String, Failure> {
        let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|editor| !editor.trim().is_empty()));
        let Some(editor) = editor else {
            return Err(Failure::new("no editor is set").help("type the JSON on one line, or set EDITOR"));
        };
        let text = text.to_owned();
        let edited = tokio::task::spawn_blocking(move || edited(&editor, &text)).await;
        edited.unwrap_or_else(|error| Err(Failure::new(format!("the editor cannot be started: {error}"))))
    }
}

fn reader() -> (Sender<()>, UnboundedReceiver<Option<String>>) {
    let (wanted, wishes) = channel();
    let (sender, lines) = unbounded_channel();
    std::thread::spawn(move || {
        while wishes.recv().is_ok() {
            let mut text = Vec::new();
            let read = std::io::Read::take(std::io::stdin().lock(), LONGEST).read_until(b'\n', &mut text);
            let line = read.ok().filter(|read| *read > 0).map(|_| String::from_utf8_lossy(&text).trim().to_owned());
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    (wanted, lines)
}

fn edited(editor: &str, text: &str) -> Result<String, Failure> {
    let failed = |what: &str, error: &std::io::Error| Failure::new(format!("{what}: {}", reason(error)));
    let file = tempfile::Builder::new().prefix("weave-").suffix(".json").tempfile();
    let mut file = file.map_err(|error| failed("cannot write a temporary file", &error))?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(|error| failed("cannot write a temporary file", &error))?;
    // An editor may replace the file, so it is read by its path.
    let path = file.into_temp_path();
    let status = if cfg!(windows) {
        Command::new(editor).arg(&path).status()
    } else {
        // The variable may have arguments of its own, as in `code --wait`.
        Command::new("/bin/sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&path).status()
    };
    let status = status.map_err(|error| failed(&format!("the editor `{editor}` cannot be started"), &error))?;
    if !status.success() {
        return Err(Failure::new(format!("the editor `{editor}` failed")));
    }
    crate::read::read_named(&path)
        .map(|text| text.to_string())
        .map_err(|error| Failure::new(format!("cannot read the edited text: {error}")))
}
