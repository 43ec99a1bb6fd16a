//! What makes a vertex of the graph fire.

use crate::model::DeclarationId;

/// What makes a vertex fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause<'a> {
    /// The start of the run.
    Start,
    /// An event from outside that nobody here asked for.
    Outside,
    /// An event that the runtime itself puts on the scroll.
    Runtime,
    /// Time has passed since the start of the run.
    Clock,
    /// The answer of a step.
    Answer(u32),
    /// Something that is said while a step is open.
    Inner(u32),
    /// The signal that closes a step without its answer.
    Closed(u32),
    /// The event that a step emitted; it is not the answer to it.
    Emitted(u32),
    /// The failure of a step.
    Failed(u32),
    /// A step has been open for some time.
    Late(u32),
    /// Whatever makes a hub fire.
    Hub(u32),
    /// All of them answered.
    All(&'a [u32]),
    /// That many of them answered.
    Count(u64, &'a [u32]),
    /// Each of them answered or failed.
    Settled(&'a [u32]),
    /// Nobody knows, because something is wrong: perhaps anything, at any time.
    Unknown,
    /// Nothing.
    Never(Never),
}

/// Why nothing makes a trigger fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Never {
    /// It waits for an event that is not external, and that no step of the workflow emits.
    NobodyEmits(DeclarationId),
    /// It waits for the answer of a step that nothing answers; the event is one that should.
    NoAnswer(u32, DeclarationId),
    /// It waits for an event as an answer to a step that is answered at once.
    NotAsked(u32, DeclarationId),
    /// It waits for the answer of one element of a fan-out.
    Element(u32, DeclarationId),
    /// It waits for a step that another one cancels in the moment in which it fires.
    Cancelled(u32, u32),
    /// It waits for the failure of a step that cannot fail.
    CannotFail(u32),
    /// It waits for a failure, and no step can fail.
    NothingFails,
    /// It waits for the delay of a step that is answered at once.
    AtOnce(u32),
    /// It waits longer than the run may take, which is so many milliseconds.
    RunIsOver(u64),
    /// It waits longer for a step than the step's own timeout lets it take, which is so many milliseconds.
    StepIsOver(u32, u64),
}

impl<'a> Cause<'a> {
    /// The vertices that it needs.
    pub(super) fn sources(&self) -> Sources<'a> {
        match *self {
            Self::Start | Self::Outside | Self::Runtime | Self::Clock | Self::Unknown | Self::Never(_) => Sources::Many(&[]),
            Self::Answer(step)
            | Self::Inner(step)
            | Self::Closed(step)
            | Self::Emitted(step)
            | Self::Failed(step)
            | Self::Late(step)
            | Self::Hub(step) => Sources::One(Some(step)),
            Self::All(steps) | Self::Count(_, steps) | Self::Settled(steps) => Sources::Many(steps),
        }
    }

    /// How many of the vertices that it needs must have fired.
    pub(super) fn needed(&self) -> usize {
        match *self {
            Self::Count(count, _) => usize::try_from(count).unwrap_or(usize::MAX),
            Self::All(steps) | Self::Settled(steps) => steps.len(),
            Self::Never(_) => usize::MAX,
            _ => 1,
        }
    }

    /// Whether it comes about without any vertex.
    pub(super) const fn is_root(&self) -> bool {
        matches!(self, Self::Start | Self::Outside | Self::Runtime | Self::Clock | Self::Unknown)
    }

    /// Whether it joins several steps.
    pub(super) const fn members(&self) -> Option<&'a [u32]> {
        match *self {
            Self::All(members) | Self::Count(_, members) | Self::Settled(members) => Some(members),
            _ => None,
        }
    }
}

/// The vertices that a cause needs.
pub(super) enum Sources<'a> {
    /// At most one.
    One(Option<u32>),
    /// Some steps.
    Many(&'a [u32]),
}

impl Iterator for Sources<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::One(step) => step.take(),
            Self::Many(steps) => {
                let (first, rest) = steps.split_first()?;
                *steps = rest;
                Some(*first)
            }
        }
    }
}
