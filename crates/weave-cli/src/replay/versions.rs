//! The definitions that scrolls are replayed through.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use weave_diagnostics::{FileId, Place, SourceMap, closest};
use weave_diff::Places;
use weave_replay::{Problem, codes};
use weave_runner::{Event, Prepared};

use crate::args;
use crate::diff::git::Repository;
use crate::diff::tree::Disk;
use crate::diff::version::Version;
use crate::failure::Failures;
use crate::terminal::Terminal;

/// The definitions of now, and those of a Git revision if one is asked for.
pub(super) struct Versions {
    now: Side,
    then: Option<Side>,
}

struct Side {
    version: Version,
    prepared: BTreeMap<String, Arc<Prepared>>,
}

/// A workflow, its definition of then if that recorded the scroll, and its definition of now.
type Pair = (String, Option<Arc<Prepared>>, Arc<Prepared>);

impl Side {
    fn new(version: Version) -> Self {
        let prepared = version.definitions.iter().map(|definition| (definition.workflow.clone(), Prepared::new(definition.clone())));
        let prepared = prepared.collect();
        Self { version, prepared }
    }
}

impl Versions {
    /// Reads what the arguments name. Nothing if there are errors in the files, which are reported.
    pub(super) fn read(arguments: &args::Replay, sources: &mut SourceMap, terminal: Terminal) -> Result<Option<Self>, Failures> {
        let Some(mut versions) = Self::now(&arguments.with, sources, terminal)? else { return Ok(None) };
        if let Some(revision) = &arguments.against {
            let repository = Repository::open(revision)?;
            let paths = paths(&arguments.with).iter().map(|path| repository.place(path)).collect::<Result<Vec<_>, _>>()?;
            let Some(version) = Version::read(&repository, &paths, sources, terminal)? else { return Ok(None) };
            versions.then = Some(Side::new(version));
        }
        Ok(Some(versions))
    }

    /// Reads the definitions of now.
    pub(super) fn now(with: &[PathBuf], sources: &mut SourceMap, terminal: Terminal) -> Result<Option<Self>, Failures> {
        let version = Version::read(&Disk, &paths(with), sources, terminal)?;
        Ok(version.map(|version| Self { now: Side::new(version), then: None }))
    }

    /// The definitions for a scroll that begins with this event.
    pub(super) fn of(&self, first: &Event) -> Result<Pair, Problem> {
        let text = |key: &str| first.data().and_then(|data| data.get(key)).and_then(Value::as_str);
        let problem = |message: String| Problem::new(&codes::SCROLL_WORKFLOW, 1, message);
        let workflow = text("workflow").ok_or_else(|| problem("the first event names no workflow".to_owned()))?;
        let now = self.now.prepared.get(workflow).ok_or_else(|| {
            let near = closest(workflow, self.now.prepared.keys().map(String::as_str));
            let help =
                near.map_or_else(|| "name the file of the workflow with `--with`".to_owned(), |near| format!("did you mean `{near}`?"));
            problem(format!("there is no workflow `{workflow}` here to replay it through")).help(&help)
        })?;
        let Some(side) = &self.then else { return Ok((workflow.to_owned(), None, Arc::clone(now))) };
        let digest = |message: String| {
            Problem::new(&codes::SCROLL_DIGEST, 1, message).help("name the revision that recorded the run, or leave `--against` out")
        };
        let then = side.prepared.get(workflow).ok_or_else(|| digest(format!("the revision has no workflow `{workflow}`")))?;
        if then.digest().ok() != text("digest") {
            let [recorded, there] = [text("digest"), then.digest().ok()].map(|digest| short(digest.unwrap_or_default()));
            let message =
                format!("the revision did not record this run: it was recorded with {recorded}, and `{workflow}` is {there} there");
            return Err(digest(message));
        }
        Ok((workflow.to_owned(), Some(Arc::clone(then)), Arc::clone(now)))
    }

    /// Where a part of a definition of now was written.
    pub(super) fn place_now(&self, workflow: &str, pointer: &str) -> Option<Place> {
        nearest(&self.now.version, workflow, pointer)
    }

    /// Where a part of a definition of then was written.
    pub(super) fn place_then(&self, workflow: &str, pointer: &str) -> Option<Place> {
        nearest(&self.then.as_ref()?.version, workflow, pointer)
    }

    /// Whether the definitions of a revision are there.
    pub(super) const fn has_then(&self) -> bool {
        self.then.is_some()
    }

    /// The files of the definitions of now.
    pub(super) fn files(&self) -> Vec<FileId> {
        self.now.version.files.clone()
    }
}

/// Enough of a digest to tell it from others.
fn short(digest: &str) -> String {
    digest.chars().take("sha256:".len() + 12).collect()
}

/// Where a part was written, or the next larger one.
fn nearest(version: &Version, workflow: &str, pointer: &str) -> Option<Place> {
    if pointer.is_empty() {
        return None;
    }
    let mut pointer = pointer;
    loop {
        if let Some(place) = version.exact(workflow, pointer) {
            return Some(place);
        }
        pointer = pointer.rsplit_once('/').map(|(above, _)| above).filter(|above| !above.is_empty())?;
    }
}

/// This folder, where nothing is named.
fn paths(with: &[PathBuf]) -> Vec<PathBuf> {
    if with.is_empty() { vec![PathBuf::from(".")] } else { with.to_vec() }
}
