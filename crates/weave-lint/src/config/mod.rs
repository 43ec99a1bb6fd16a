//! `weave.toml`: the levels and options of rules, for a whole project and for some of its files, the folders of generated code, and
//! what carries out the calls of tools.
//!
//! ```toml
//! [lint]
//! baseline = ".weave-baseline.json"
//!
//! [lint.groups]
//! pedantic = "note"
//!
//! [lint.rules]
//! missing-description = "error"
//! weak-description = { level = "warn", min-words = 5 }
//!
//! [[lint.overrides]]
//! paths = ["vendored/**"]
//! rules = { missing-description = "off" }
//!
//! [[diff.accept]]
//! id = "field-removed"
//! item = "order.paid.note"
//! reason = "nobody ever sent it"
//!
//! [gen.typescript]
//! output = "gen/ts"
//!
//! [tools.refund]
//! command = ["python3", "tools/refund.py"]
//! ```

mod codes;
mod diff;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod tools;

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use weave_diagnostics::{Diagnostic, FileId, Place, bounds};
use weave_diff::Accepted;

pub use codes::CODES;
pub use schema::{SCHEMA_ID, schema, schema_text};
pub use tools::{Address, EVERY_TOOL, ToolSetting};

use crate::levels::Settings;

/// What a `weave.toml` says.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// For all files.
    pub(crate) shared: Settings,
    /// For some files; later ones count before earlier ones.
    pub(crate) overrides: Vec<Override>,
    pub(crate) baseline: Option<String>,
    /// The changes that were agreed to.
    pub(crate) accepted: Vec<Accepted>,
    /// How code is generated, by the language.
    pub(crate) generated: BTreeMap<&'static str, Generation>,
    /// The lines at the top of what is generated, where a language says nothing else.
    pub(crate) header: Option<String>,
    /// What carries out the calls of tools, by the names of tools and toolkits.
    pub(crate) tools: BTreeMap<String, ToolSetting>,
}

/// How code is generated in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// The folder for it; the path counts from the folder of the `weave.toml`.
    pub output: Option<String>,
    /// The path under which that folder is imported, for languages that need to know.
    pub module: Option<String>,
    /// The folder for skeletons; the path counts from the folder of the `weave.toml`.
    pub scaffold: Option<String>,
    /// The folder with templates for skeletons; the path counts from the folder of the `weave.toml`.
    pub templates: Option<String>,
    /// Whether what serves tools over the Model Context Protocol is written too.
    pub mcp: bool,
    /// Whether programs that put the definitions together are written too.
    pub builders: bool,
    /// The lines at the top of each file; the empty text for none.
    pub header: Option<String>,
}

/// What is said of some files.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    pub(crate) paths: GlobSet,
    pub(crate) settings: Settings,
}

impl Config {
    /// Reads the text of a `weave.toml`. What cannot be understood is reported and left out.
    #[must_use]
    pub fn read(text: &str, file: FileId) -> (Self, Vec<Diagnostic>) {
        read::read(text, file)
    }

    /// The file with the findings that are known, if it names one; the path counts from the folder of the `weave.toml`.
    #[must_use]
    pub fn baseline(&self) -> Option<&str> {
        self.baseline.as_deref()
    }

    /// The changes between two versions that were agreed to.
    #[must_use]
    pub fn accepted(&self) -> &[Accepted] {
        &self.accepted
    }

    /// How code is generated in a language, if it says anything about it.
    #[must_use]
    pub fn generation(&self, language: &str) -> Option<&Generation> {
        self.generated.get(language)
    }

    /// The lines at the top of each file that is generated in a language; empty if there are none.
    #[must_use]
    pub fn header(&self, language: &str) -> &str {
        self.generation(language).and_then(|it| it.header.as_deref()).or(self.header.as_deref()).unwrap_or_default()
    }

    /// The folders that code is generated into, by the languages; the paths count from the folder of the `weave.toml`.
    pub fn outputs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.generated.iter().filter_map(|(language, generation)| Some((*language, generation.output.as_deref()?)))
    }

    /// What carries out the calls of tools, by the names of tools and toolkits; [`EVERY_TOOL`] is for all others.
    #[must_use]
    pub const fn tools(&self) -> &BTreeMap<String, ToolSetting> {
        &self.tools
    }

    /// What it says of a file; the path counts from the folder of the `weave.toml`, with `/`.
    #[must_use]
    pub fn of(&self, path: &str) -> Settings {
        let mut settings = self.shared.clone();
        for other in self.overrides.iter().filter(|other| other.paths.is_match(path)) {
            settings.extend(&other.settings);
        }
        settings
    }
}

/// The paths that one of the patterns matches: `*` stays within a folder, `**` does not, and a pattern without `/` matches in every folder.
fn globs(patterns: &[(String, Place)], list: Place) -> Result<GlobSet, (Place, String)> {
    if patterns.len() > bounds::GLOBS.most {
        return Err((list, format!("there are more than {} {}", bounds::GLOBS.most, bounds::GLOBS.unit)));
    }
    let mut builder = GlobSetBuilder::new();
    for (pattern, place) in patterns {
        bounds::of_glob(pattern).map_err(|reason| (*place, format!("it {reason}")))?;
        let anchored = if pattern.contains('/') { pattern.trim_start_matches('/').to_owned() } else { format!("**/{pattern}") };
        let glob = GlobBuilder::new(&anchored).literal_separator(true).build();
        builder.add(glob.map_err(|error| (*place, error.kind().to_string()))?);
    }
    builder.build().map_err(|error| (list, error.kind().to_string()))
}
