//! What a run of the rules needs to know: the configurations of the files, and the day.

use std::path::Path;

use weave_compiler::lint::{Day, Options};
use weave_compiler::{Input, Snapshot};
use weave_diagnostics::{Diagnostic, FileId};

use crate::config::Configs;
use crate::failure::Failures;

/// What holds for all runs of the rules of one command.
#[derive(Debug)]
pub(crate) struct Work {
    /// The configurations of the files.
    pub(crate) configs: Configs,
    today: Day,
}

impl Work {
    /// Reads the configurations of these files; what is wrong in one is a diagnostic of [`Configs`].
    pub(crate) fn new(inputs: &[Input], config: Option<&Path>) -> Result<Self, Failures> {
        let mut configs = Configs::new(config)?;
        for input in inputs {
            configs.find(Path::new(&input.path))?;
        }
        Ok(Self { configs, today: today() })
    }

    /// What the rules find.
    pub(crate) fn findings(&self, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let settings = |file: FileId| self.configs.of(Path::new(snapshot.sources().name(file)));
        snapshot.lint(&Options { settings: &settings, today: Some(self.today.clone()) })
    }
}

/// The day of the clock, in the time zone that all machines share.
fn today() -> Day {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Day::since_1970(seconds / 86_400)
}
