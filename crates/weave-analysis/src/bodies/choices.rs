//! The choices that triggers make up, and what is known in each of their members.
//!
//! Whatever asks a later member of a choice has asked the earlier ones before, and none of them was true. So they are known as
//! not true there, which is not the same as false: a guard that ends in an error is not true either.

use rustc_hash::FxHashMap;
use weave_diagnostics::Place;
use weave_syntax::ast::{self, Expr, Literal, LiteralKind, Segment};
use weave_syntax::text;

use super::Body;
use crate::expression::{Doubts, Facts};
use crate::messages::bodies as message;
use crate::model::DeclarationId;
use crate::model::workflow::Source;

/// How many guards of one choice later members know of. Each member learns them anew, so without a bound a choice of thousands would take the
/// square of their number.
const MOST_GUARDS: usize = 32;

/// How long these guards are together, in octets.
const MOST_TEXT: usize = 2_000;

/// The choices of a workflow.
#[derive(Default)]
pub(super) struct Choices<'a> {
    choices: Vec<Choice<'a>>,
    /// The choice of each trigger of each node; none where it is not known what the trigger fires on.
    of: Vec<Box<[Option<u32>]>>,
    /// The first trigger with a guard of which it is not known to which choice it belongs.
    stray: Option<(usize, usize)>,
}

/// What the nodes of one trigger have.
#[derive(Default)]
struct Choice<'a> {
    /// Whether a node is asked before the `else`: one with a `when`, or with a limit that can run out.
    has_member: bool,
    /// Where each `else` stands.
    elses: Vec<Place>,
    /// The guards of its first members.
    guards: Vec<Guarded<'a>>,
    /// How long these are together.
    length: usize,
}

/// The guard of a member.
struct Guarded<'a> {
    node: usize,
    trigger: usize,
    guard: &'a Expr,
}

/// What a trigger fires on, as the key of a table.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key<'a> {
    Start,
    Step(u32),
    Topic(DeclarationId, Option<u32>),
    Join(Option<u64>, &'a [u32]),
    Failure(Option<u32>),
    /// After a time that is known, or that is read.
    Timeout(Option<u32>, Result<u64, &'a str>),
}

impl<'a> Body<'a> {
    /// Puts the triggers together that are the same.
    pub(super) fn find_choices(&self) -> Choices<'a> {
        let mut choices = Choices::default();
        let mut known: FxHashMap<Key<'_>, u32> = FxHashMap::default();
        for (index, node) in self.nodes.iter().enumerate() {
            let triggers = node.on().map(|triggers| &*triggers.items).unwrap_or_default();
            let of = triggers.iter().zip(self.sources_of(index)).enumerate().map(|(place, (trigger, source))| {
                let Some(key) = self.key(source, &trigger.source).filter(|_| index < self.kept) else {
                    if matches!(trigger.condition, Some(ast::Condition::When { also: None, .. })) {
                        choices.stray = choices.stray.or(Some((index, place)));
                    }
                    return None;
                };
                let number = *known.entry(key).or_insert_with(|| {
                    choices.choices.push(Choice::default());
                    choices.choices.len() as u32 - 1
                });
                if let Some(choice) = choices.choices.get_mut(number as usize) {
                    choice.add(self, (index, place), node, trigger);
                }
                Some(number)
            });
            let of = of.collect();
            choices.of.push(of);
        }
        choices
    }

    /// What makes two triggers the same one; nothing for what is not known.
    fn key<'s>(&'s self, source: &'s Source, written: &'s ast::Source) -> Option<Key<'s>> {
        Some(match source {
            Source::Start => Key::Start,
            Source::Step(step) => Key::Step(*step),
            Source::Topic(topic) => Key::Topic(*topic, None),
            Source::TopicFrom(topic, step) | Source::ToolFrom { tool: topic, step, .. } => Key::Topic(*topic, Some(*step)),
            Source::All(steps) => Key::Join(None, steps),
            Source::Settled(steps) => Key::Join(Some(0), steps),
            Source::Count(count, steps) => Key::Join(Some(*count), steps),
            Source::Failure(step) => Key::Failure(Some(*step)),
            Source::AnyFailure => Key::Failure(None),
            Source::Timeout { step, .. } => {
                let ast::Source::Timeout { after, .. } = written else { return None };
                let length = match after {
                    Expr::Literal(Literal { span, kind: LiteralKind::Duration }) => text::duration_millis(self.text(*span)),
                    _ => None,
                };
                Key::Timeout(*step, length.ok_or(self.text(after.span())))
            }
            Source::Unknown => return None,
        })
    }

    /// Every `else` needs another node that is asked before it, and there is one `else` in a choice.
    pub(super) fn check_choices(&self) {
        for choice in &self.choices.choices {
            if let Some((first, more)) = choice.elses.split_first() {
                more.iter().for_each(|other| self.report(message::second_else(*other, *first)));
            }
        }
        // A condition of which nobody knows to which choice it belongs may be the one that is missing.
        let mut kept = self.nodes.iter().take(self.kept).zip(&self.choices.of);
        let is_unknown = kept.any(|(node, of)| {
            let triggers = node.on().map(|triggers| &*triggers.items).unwrap_or_default();
            let asks = |trigger: &ast::Trigger| trigger.condition.is_some() || node.limit().is_some();
            triggers.iter().zip(of).any(|(trigger, choice)| choice.is_none() && asks(trigger))
        });
        if is_unknown {
            return;
        }
        for choice in self.choices.choices.iter().filter(|choice| !choice.has_member) {
            if let Some(first) = choice.elses.first() {
                self.report(message::else_without_choice(*first));
            }
        }
    }

    // ---- What is known -------------------------------------------------------------------------------------------------

    /// What the conditions of a node say when it fires.
    pub(super) fn facts(&self, index: usize) -> Facts {
        let mut shared: Option<Facts> = None;
        let triggers = self.nodes.get(index).and_then(|node| node.on()).map(|triggers| &*triggers.items).unwrap_or_default();
        for (place, trigger) in triggers.iter().enumerate() {
            let mut facts = Facts::default();
            if let Some(ast::Condition::When { guard, .. }) = &trigger.condition {
                facts.learn(self.item.text, guard, true);
                self.doubt_guard((index, place), true, &mut facts);
            }
            self.learn_earlier(index, place, trigger, &mut facts);
            // Under several triggers only what all of them say holds.
            match &mut shared {
                None => shared = Some(facts),
                Some(shared) => shared.keep_shared(&facts),
            }
        }
        shared.unwrap_or_default()
    }

    /// What is known when the condition of a trigger is asked.
    pub(super) fn facts_before(&self, index: usize, place: usize, trigger: &ast::Trigger) -> Facts {
        let mut facts = Facts::default();
        self.learn_earlier(index, place, trigger, &mut facts);
        facts
    }

    /// Learns that the members of the choice which are asked before a trigger were not true.
    fn learn_earlier(&self, index: usize, place: usize, trigger: &ast::Trigger, facts: &mut Facts) {
        let is_else = match &trigger.condition {
            Some(ast::Condition::Else(_)) => true,
            Some(ast::Condition::When { also: None, .. }) => false,
            // A limit alone makes it a member of the choice.
            None if self.nodes.get(index).is_some_and(|node| node.limit().is_some()) => false,
            _ => return,
        };
        let choice = self.choices.of.get(index).and_then(|of| of.get(place).copied().flatten());
        let Some(choice) = choice.and_then(|choice| self.choices.choices.get(choice as usize)) else {
            facts.doubt(&Doubts::everything());
            return;
        };
        // An `else` is asked last, wherever it stands.
        let is_before = |node, trigger| is_else || (node, trigger) < (index, place);
        if self.choices.stray.is_some_and(|(node, trigger)| is_before(node, trigger)) {
            facts.doubt(&Doubts::everything());
        }
        for member in choice.guards.iter().take_while(|member| is_before(member.node, member.trigger)) {
            facts.learn(self.item.text, member.guard, false);
            self.doubt_guard((member.node, member.trigger), false, facts);
        }
    }

    /// What is wrong with a guard may be just what it should have said.
    fn doubt_guard(&self, trigger: (usize, usize), holds: bool, facts: &mut Facts) {
        if let Some(wrong) = self.wrong_guards.borrow().get(&trigger) {
            facts.doubt(if holds { &wrong.if_true } else { &wrong.if_not_true });
        }
    }
}

impl<'a> Choice<'a> {
    fn add(&mut self, body: &Body<'a>, (index, place): (usize, usize), node: &'a ast::Node, trigger: &'a ast::Trigger) {
        match &trigger.condition {
            Some(ast::Condition::Else(span)) => self.elses.push(body.place(*span)),
            Some(ast::Condition::When { also: None, guard }) => {
                self.has_member = true;
                let length = guard.span().text(body.item.text).len();
                // A member whose limit is used up is passed over, whatever its guard says.
                let tells = node.limit().is_none() && !asks_elements(guard);
                if tells && self.guards.len() < MOST_GUARDS && self.length + length <= MOST_TEXT {
                    self.length += length;
                    self.guards.push(Guarded { node: index, trigger: place, guard });
                }
            }
            Some(ast::Condition::When { also: Some(_), .. }) => {}
            None => self.has_member |= node.limit().is_some(),
        }
    }
}

/// Whether `exists` or `all` stands in a guard. Such a guard may take too long and end in an error whatever its other parts say, so that it
/// tells nothing if it was not true.
fn asks_elements(guard: &Expr) -> bool {
    match guard {
        Expr::Parenthesized(inner) => asks_elements(&inner.1),
        Expr::Unary(unary) => asks_elements(&unary.operand),
        Expr::Binary(binary) => asks_elements(&binary.first) || binary.rest.iter().any(|(.., operand)| asks_elements(operand)),
        Expr::List(list) => list.items.iter().any(|item| asks_elements(&item.value)),
        Expr::Path(path) => path.segments.iter().any(|segment| match segment {
            Segment::Call { arguments, .. } => arguments.len() > 1 || arguments.iter().any(asks_elements),
            _ => false,
        }),
        Expr::Literal(_) | Expr::Object(_) | Expr::Coalesce(_) | Expr::Missing(_) => false,
    }
}
