//! What a run of the rules needs to know: the configurations of the files, and the day.

use std::path::Path;

use weave_compiler::Input;
use weave_compiler::lint::{Day, Options};
use weave_diagnostics::FileId;

use crate::compile::merged;
use crate::config::Configs;
use crate::failure::Failures;
use crate::lint::Seen;
use crate::read::Disk;

/// What holds for all runs of the rules of one command.
#[derive(Debug)]
pub(crate) struct Work {
    /// The configurations of the files.
    pub(crate) configs: Configs,
    today: Day,
}

impl Work {
    /// Reads the configurations of these files; what is wrong in one is a diagnostic of [`Configs`].
    pub(crate) fn new<'a>(inputs: impl IntoIterator<Item = &'a Input>, config: Option<&Path>) -> Result<Self, Failures> {
        let mut configs = Configs::new(config)?;
        for input in inputs {
            configs.find(Path::new(&input.path))?;
        }
        Ok(Self { configs, today: today() })
    }

    /// The day on which the command started.
    pub(crate) fn today(&self) -> Day {
        self.today.clone()
    }

    /// What the compiler and the rules say about these files.
    pub(crate) fn look(&self, inputs: Vec<Input>) -> Seen {
        let snapshot = weave_compiler::check(inputs, &Disk);
        let settings = |file: FileId| self.configs.of(Path::new(snapshot.sources().name(file)));
        let findings = snapshot.lint(&Options { settings: &settings, today: Some(self.today()) });
        let found = merged(snapshot.diagnostics(), findings);
        Seen { snapshot, found }
    }
}

/// The day of the clock, in the time zone that all machines share.
pub(crate) fn today() -> Day {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Day::since_1970(seconds / 86_400)
}
