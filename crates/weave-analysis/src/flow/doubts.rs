//! What mistakes leave open: where one has been reported, the graph is taken as if it were right, whatever that would be.

use weave_diagnostics::{Diagnostic, Place, Span};
use weave_syntax::ast::NodeKind;

use crate::model::workflow::{Action, Node};
use crate::model::{DeclarationKind, Model};

/// What is not known of the nodes of a workflow, because something is wrong with them.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// Nodes of which nothing is certain: neither what makes them fire, nor what they do.
    unclear: Vec<bool>,
    /// Nodes of which it is not known what they do and what answers them.
    actions: Vec<bool>,
    /// Nodes with some mistake; their settings may be other ones.
    touched: Vec<bool>,
    /// Nodes of which it is not known what they read.
    unread: Vec<bool>,
    /// Where mistakes were reported, in the order of the places; they do not overlap.
    mistakes: Vec<Span>,
    /// Whether some node was left out.
    pub(super) lost: bool,
    /// Whether a node that was left out ends the run.
    pub(super) lost_end: bool,
}

/// What has been found wrong before the graph is looked at.
pub(crate) struct Mistakes {
    /// Nodes that are not in the model because their name is taken, each by the index of the node that has it.
    pub(crate) lost: Vec<(u32, NodeKind)>,
    /// Whether something stands between the settings that may have been meant as a node.
    pub(crate) gap: bool,
    /// Places that the parser complains about.
    pub(crate) syntax: Vec<Place>,
    /// What was reported about the nodes.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Mistakes {
    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.lost.is_empty() && !self.gap && self.syntax.is_empty() && self.diagnostics.is_empty()
    }
}

impl Doubts {
    /// Nothing is in doubt but what the model itself does not know.
    pub(super) fn none(nodes: &[Node]) -> Self {
        Self {
            unclear: vec![false; nodes.len()],
            actions: nodes.iter().map(|node| matches!(node.action, Action::Unknown)).collect(),
            touched: vec![false; nodes.len()],
            unread: vec![false; nodes.len()],
            ..Self::default()
        }
    }

    /// What follows from these mistakes.
    pub(super) fn new(model: &Model, nodes: &[Node], mistakes: &Mistakes) -> Self {
        let mut doubts = Self::none(nodes);
        for (node, action) in nodes.iter().zip(&mut doubts.actions) {
            // Nobody knows what answers a request whose declaration is broken.
            let is_doubtful = |event| matches!(model.get(event).map(|it| &it.kind), Some(DeclarationKind::Event(event)) if event.doubtful);
            *action |= matches!(node.action, Action::Emit { event, .. } if is_doubtful(event));
        }
        for place in &mistakes.syntax {
            if let Some(index) = node_at(nodes, *place) {
                for list in [&mut doubts.unclear, &mut doubts.actions, &mut doubts.touched, &mut doubts.unread] {
                    mark(list, index);
                }
            }
        }
        for diagnostic in &mistakes.diagnostics {
            if let Some(index) = node_at(nodes, diagnostic.primary.place) {
                mark(&mut doubts.touched, index);
            }
            // What cannot be read here shows that another trigger was meant; and a node of this name is not what `on NAME` means.
            if matches!(diagnostic.code.id, "unavailable-value" | "reserved-step-name")
                && let Some(index) = node_at(nodes, diagnostic.primary.place)
            {
                mark(&mut doubts.unclear, index);
            }
            if diagnostic.code.id == "value-cycle" {
                let places = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).map(|label| label.place);
                for index in places.filter_map(|place| node_at(nodes, place)).collect::<Vec<_>>() {
                    mark(&mut doubts.unread, index);
                    mark(&mut doubts.unclear, index);
                }
            }
        }
        doubts.lost = mistakes.gap || !mistakes.lost.is_empty();
        doubts.lost_end = mistakes.gap;
        for (first, kind) in &mistakes.lost {
            doubts.lost_end |= *kind != NodeKind::Step;
            // Whoever names it may mean either of the two.
            mark(&mut doubts.unclear, *first as usize);
            mark(&mut doubts.actions, *first as usize);
        }
        doubts.mistakes = mistakes.diagnostics.iter().map(|diagnostic| diagnostic.primary.place.span).collect();
        doubts.mistakes.sort_unstable_by_key(|span| (span.start, span.end));
        doubts
    }

    /// Whether nothing is certain about a node.
    pub(super) fn is_unclear(&self, node: u32) -> bool {
        at(&self.unclear, node)
    }

    /// Whether it is not known what a node does.
    pub(super) fn is_action_unknown(&self, node: u32) -> bool {
        at(&self.actions, node)
    }

    /// Whether the settings of a node may be other ones.
    pub(super) fn is_touched(&self, node: u32) -> bool {
        at(&self.touched, node) || at(&self.unclear, node)
    }

    /// Whether it is not known what a node reads.
    pub(super) fn is_unread(&self, node: u32) -> bool {
        at(&self.unread, node)
    }

    /// Whether it is not known what some node does.
    pub(super) fn has_unknown_action(&self) -> bool {
        self.lost || self.actions.contains(&true)
    }

    /// Whether something was reported within a place, or around it.
    pub(super) fn has_mistake(&self, place: Place) -> bool {
        let before = self.mistakes.partition_point(|span| span.start < place.span.end);
        let mut near = self.mistakes.get(..before).unwrap_or_default().iter().rev().take(NEAR);
        near.any(|span| span.end > place.span.start || span.start >= place.span.start)
    }
}

/// How many mistakes before a place are looked at: they hardly ever contain one another.
const NEAR: usize = 8;

/// The node that a place lies in. (Nodes of the model stand in the order of the text.)
fn node_at(nodes: &[Node], place: Place) -> Option<usize> {
    let index = nodes.partition_point(|node| node.place.span.start <= place.span.start).checked_sub(1)?;
    nodes.get(index).is_some_and(|node| place.span.start <= node.place.span.end).then_some(index)
}

fn mark(list: &mut [bool], index: usize) {
    if let Some(slot) = list.get_mut(index) {
        *slot = true;
    }
}

fn at(list: &[bool], node: u32) -> bool {
    list.get(node as usize).copied().unwrap_or(false)
}
