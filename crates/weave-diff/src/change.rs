//! One change, as data.

use std::collections::BTreeSet;

use weave_diagnostics::{Code, Diagnostic, Place, Severity};

use crate::Places;
use crate::triggers::listed;

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// What others send and read: topics, payloads, inputs and outputs.
    Wire,
    /// What the workflow does: nodes, edges, guards, models, limits.
    Behaviour,
    /// What becomes of a run that began with the old version and goes on with the new one.
    InFlight,
    /// What people and models read, and programs do not.
    Texts,
}

impl Class {
    /// All classes, in the order of the docs.
    pub const ALL: [Self; 4] = [Self::Wire, Self::Behaviour, Self::InFlight, Self::Texts];

    /// The name that people see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Behaviour => "behaviour",
            Self::InFlight => "in flight",
            Self::Texts => "texts",
        }
    }
}

/// For whom a change breaks something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// Those who send: events from outside, inputs of runs, answers of services and people.
    Producers,
    /// Those who read: emitted events, outputs, the services that get the arguments of a call.
    Consumers,
    /// Models that call tools.
    Models,
    /// Runs that began with the old version.
    Runs,
}

impl Party {
    /// The name that people see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Producers => "producers",
            Self::Consumers => "consumers",
            Self::Models => "models",
            Self::Runs => "runs in flight",
        }
    }
}

/// What kind of change it is: its id and page, and its class.
///
/// `good` of the code is the program before, `bad` the one after: the difference between them has this change.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The id, and the texts of its page.
    pub code: Code,
    /// What it is about.
    pub class: Class,
}

/// A part of a definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The workflow whose definition it is.
    pub workflow: String,
    /// The part, as a JSON pointer (RFC 6901). Where it was not written anywhere, the nearest part around it stands for it.
    pub pointer: String,
}

impl Spot {
    /// The part at this pointer.
    #[must_use]
    pub fn new(workflow: &str, pointer: impl Into<String>) -> Self {
        Self { workflow: workflow.to_owned(), pointer: pointer.into() }
    }
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind it is.
    pub kind: &'static Kind,
    /// How bad it is: an error breaks somebody, a warning changes what happens, a note does neither.
    pub level: Severity,
    /// For whom it breaks something; empty where it does for nobody.
    pub breaks: BTreeSet<Party>,
    /// What it is about, by names with dots between: `support.triage`, `Order.total`, `refund.input.amount`. It is how `accept` names it.
    pub item: String,
    /// What changed, in one line without a full stop.
    pub message: String,
    /// Where in the new version; nothing if no part of that is nearer than the whole.
    pub new: Option<Spot>,
    /// Where in the old version; nothing if it is new.
    pub old: Option<Spot>,
    /// What is at the new place.
    pub new_label: String,
    /// What is at the old place.
    pub old_label: String,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Change {
    /// A change of this kind with the level of the kind.
    #[must_use]
    pub fn new(kind: &'static Kind, item: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            level: kind.code.severity,
            breaks: BTreeSet::new(),
            item: item.into(),
            message: message.into(),
            new: None,
            old: None,
            new_label: String::new(),
            old_label: String::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.kind.code.id
    }

    /// With another level.
    #[must_use]
    pub fn level(mut self, level: Severity) -> Self {
        self.level = level;
        self
    }

    /// With somebody for whom it breaks something.
    #[must_use]
    pub fn breaks(mut self, party: Party) -> Self {
        self.breaks.insert(party);
        self
    }

    /// With its place in the new version.
    #[must_use]
    pub fn at_new(mut self, spot: Spot, label: impl Into<String>) -> Self {
        self.new = Some(spot);
        self.new_label = label.into();
        self
    }

    /// With its place in the old version.
    #[must_use]
    pub fn at_old(mut self, spot: Spot, label: impl Into<String>) -> Self {
        self.old = Some(spot);
        self.old_label = label.into();
        self
    }

    /// With a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What it is known by, wherever its code moves: a digest of its id, its item and its message.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let digest = weave_ir::sha256(format!("{}\0{}\0{}", self.id(), self.item, self.message).as_bytes());
        digest.trim_start_matches("sha256:").chars().take(32).collect()
    }

    /// The same as a diagnostic, where the texts know a place of it: in the new version, with the old place beside it; what is gone, where it was.
    #[must_use]
    pub fn diagnostic(&self, old: &dyn Places, new: &dyn Places) -> Option<Diagnostic> {
        let of = |places: &dyn Places, spot: &Option<Spot>| -> Option<Place> { spot.as_ref().and_then(|spot| places.nearest(spot)) };
        let (before, after) = (of(old, &self.old), of(new, &self.new));
        let mut diagnostic = match (after, before) {
            (Some(after), before) => {
                let diagnostic = Diagnostic::new(&self.kind.code, after, self.message.clone()).label(self.new_label.clone());
                match before {
                    Some(before) if !self.old_label.is_empty() => diagnostic.also(before, self.old_label.clone()),
                    _ => diagnostic,
                }
            }
            (None, Some(before)) => Diagnostic::new(&self.kind.code, before, self.message.clone()).label(self.old_label.clone()),
            (None, None) => return None,
        };
        diagnostic.severity = self.level;
        diagnostic.notes = self.notes.iter().cloned().chain([self.said_of_class()]).collect();
        diagnostic.help = self.help.clone();
        Some(diagnostic)
    }

    /// The class, and for whom it breaks something: "class: wire, breaks producers and consumers".
    fn said_of_class(&self) -> String {
        let names: Vec<&str> = self.breaks.iter().map(|party| party.name()).collect();
        let class = self.kind.class.name();
        if names.is_empty() { format!("class: {class}") } else { format!("class: {class}, breaks {}", listed(&names)) }
    }
}
