//! Why a command could not do its work, and how a process ends.

use std::io;

use weave_diagnostics::Charset;

/// How a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All is well.
    Clean,
    /// The files have errors, or something is out of date.
    Errors,
    /// The command was used wrongly, or a file could not be read or written.
    Unusable,
    /// A run has not ended.
    #[cfg(feature = "run")]
    Waiting,
}

impl Exit {
    pub(crate) const fn code(self) -> i32 {
        match self {
            Self::Clean => 0,
            Self::Errors => 1,
            Self::Unusable => 2,
            #[cfg(feature = "run")]
            Self::Waiting => 3,
        }
    }
}

/// Why a command could not do its work, for a person; it is no diagnostic, because it is about no place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    message: String,
    details: Vec<String>,
    help: Option<String>,
    exit: Exit,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), details: Vec::new(), help: None, exit: Exit::Unusable }
    }

    /// With something that belongs to it, on a line of its own.
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.details.push(detail.into());
        self
    }

    /// With what to do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What is wrong lies in the files, not in how the command was used.
    pub(crate) fn in_files(mut self) -> Self {
        self.exit = Exit::Errors;
        self
    }

    pub(crate) const fn exit(&self) -> Exit {
        self.exit
    }

    pub(crate) fn render(&self, color: bool) -> String {
        let (red, bold, end) = if color { ("\u{1b}[1;31m", "\u{1b}[1m", "\u{1b}[0m") } else { ("", "", "") };
        // The names of files and the words of other programs are in these texts.
        let shown = |text: &str| Charset::Unicode.line(text);
        let mut text = format!("{red}error{end}{bold}: {}{end}\n", shown(&self.message));
        for detail in &self.details {
            text.push_str(&format!("  {}\n", shown(detail)));
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("{bold}help:{end} {}\n", shown(help)));
        }
        text
    }
}

/// All that kept a command from its work.
pub(crate) type Failures = Vec<Failure>;

impl From<Failure> for Failures {
    fn from(failure: Failure) -> Self {
        vec![failure]
    }
}

/// The reason of the system, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "part of its path is a file, not a folder".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            let mut characters = text.chars();
            characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_why_and_what_to_do() {
        let failure = Failure::new("two workflows are called `greet`").detail("a.weave").detail("b.weave").help("rename one");
        assert_eq!(failure.render(false), "error: two workflows are called `greet`\n  a.weave\n  b.weave\nhelp: rename one\n");
        assert!(failure.render(true).contains("\u{1b}[1;31merror\u{1b}[0m"));
    }

    #[test]
    fn reasons_have_no_numbers() {
        assert_eq!(reason(&io::Error::from_raw_os_error(28)), "no space left on device");
        assert_eq!(reason(&io::ErrorKind::NotFound.into()), "no such file or folder");
    }
}
