//! Which open requests a line means.

use weave_ir::Schema;

use crate::play::{Play, RUN};
use crate::script::{Element, StepRef};

/// What a step, or one of its elements, has open.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The id of the open request.
    pub(crate) id: String,
    pub(crate) attempt: u32,
    pub(crate) node: String,
    /// Which firing, counted from 1.
    pub(crate) number: u32,
    pub(crate) element: Option<u32>,
    pub(crate) phase: Phase,
    pub(crate) topic: String,
    /// The topics that answer it, with what they must fit.
    pub(crate) answers: Vec<(String, Option<Schema>)>,
}

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Approval,
    Request,
    Pause,
}

impl Slot {
    /// As a line names it.
    pub(crate) fn name(&self) -> String {
        self.element.map_or_else(|| self.node.clone(), |element| format!("{}[{element}]", self.node))
    }
}

impl Play<'_> {
    /// What waits for an answer, in the order of the requests, without timers of timeouts.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        let open = self.runner.open_requests();
        let slot = |request: &weave_runner::OpenRequest<'_>| {
            let name = request.id.strip_prefix(RUN)?.strip_prefix('/')?;
            let (base, suffix) = name.split_once('@').unwrap_or((name, ""));
            let phase = match suffix {
                "" => Phase::Request,
                "approval" => Phase::Approval,
                "retry" => Phase::Pause,
                _ => return None,
            };
            let (node, number) = base.split_once('#')?;
            let (number, element) = match number.split_once('[') {
                Some((number, element)) => (number, Some(element.strip_suffix(']')?.parse().ok()?)),
                None => (number, None),
            };
            let answers = request.answers.iter().map(|(topic, schema)| ((*topic).to_owned(), schema.cloned())).collect();
            Some(Slot {
                id: request.id.clone(),
                attempt: request.attempt,
                node: node.to_owned(),
                number: number.parse().ok()?,
                element,
                phase,
                topic: request.topic.to_owned(),
                answers,
            })
        };
        open.iter().filter_map(slot).collect()
    }

    /// What a line means by a step: the oldest open firing of it, or the one of this number; of a fan-out, these elements.
    pub(crate) fn target(&self, step: &StepRef) -> Vec<Slot> {
        let of_node = self.slots().into_iter().filter(|slot| slot.node == step.node);
        let mut slots: Vec<_> = of_node.filter(|slot| step.number.is_none_or(|number| slot.number == number)).collect();
        let oldest = slots.iter().map(|slot| slot.number).min();
        slots.retain(|slot| {
            let element = match step.element {
                Element::None => slot.element.is_none(),
                Element::At(index) => slot.element == Some(index),
                Element::All => slot.element.is_some(),
            };
            element && Some(slot.number) == oldest
        });
        slots
    }
}
