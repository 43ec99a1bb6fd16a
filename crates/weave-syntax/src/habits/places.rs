//! Where a token is: in which brackets, in a guard or not, at the start of an entry or not. It follows from brackets and keywords alone.

use crate::feed::{Lexeme, closer};
use crate::layout::Layout;
use crate::token::TokenKind as K;

/// What brackets hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Outside all brackets: the header of the item.
    Item,
    /// Parameters, or the fields of a record, or other things with a name and a type.
    Fields,
    /// The parentheses after a type.
    Constraints,
    /// The settings of a declaration.
    Settings,
    /// The nodes of a workflow.
    Nodes,
    /// The action and the settings of a step.
    Step,
    /// Values: payloads, lists, arguments, and what is in the brackets of triggers.
    Value,
}

/// Where a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) frame: Frame,
    /// Whether it is part of a condition.
    pub(super) guard: bool,
    /// Whether it is the first of an entry: after an opener or a comma, or first on its line.
    pub(super) start: bool,
}

/// The places of all tokens of an item.
pub(super) struct Places {
    places: Vec<Place>,
    closers: Vec<Option<usize>>,
    openers: Vec<Option<usize>>,
    head: Option<(usize, K)>,
}

/// An open bracket.
struct Open {
    frame: Frame,
    opener: usize,
    guard: bool,
    /// Whether the value of a node or a field has begun.
    assigned: bool,
}

impl Places {
    pub(super) fn of(layout: &Layout<'_>, lexemes: &[Lexeme]) -> Self {
        let head = (0..lexemes.len().min(64)).find_map(|number| {
            let kind = layout.kind(number)?;
            (kind.starts_item() && number.checked_sub(1).is_none_or(|before| layout.kind(before) != Some(K::At))).then_some((number, kind))
        });
        let mut places = Self {
            places: Vec::with_capacity(lexemes.len()),
            closers: vec![None; lexemes.len()],
            openers: vec![None; lexemes.len()],
            head,
        };
        let mut open = vec![Open { frame: Frame::Item, opener: 0, guard: false, assigned: false }];
        for (number, lexeme) in lexemes.iter().enumerate() {
            places.token(layout, &mut open, number, lexeme.kind);
        }
        places
    }

    pub(super) fn get(&self, number: usize) -> Option<Place> {
        self.places.get(number).copied()
    }

    /// The closer of an opener.
    pub(super) fn closer(&self, opener: usize) -> Option<usize> {
        self.closers.get(opener).copied().flatten()
    }

    /// The opener of a closer.
    pub(super) fn opener(&self, closer: usize) -> Option<usize> {
        self.openers.get(closer).copied().flatten()
    }

    /// The item's keyword.
    pub(super) const fn head(&self) -> Option<(usize, K)> {
        self.head
    }

    fn token(&mut self, layout: &Layout<'_>, open: &mut Vec<Open>, number: usize, kind: K) {
        if kind.is_closer()
            && let Some(depth) = open.iter().skip(1).rposition(|level| layout.kind(level.opener).map(closer) == Some(kind))
        {
            if let Some(level) = open.get(depth + 1)
                && let Some(slot) = self.closers.get_mut(level.opener)
            {
                *slot = Some(number);
                if let Some(slot) = self.openers.get_mut(number) {
                    *slot = Some(level.opener);
                }
            }
            open.truncate(depth + 1);
        }
        let before = layout.before(number);
        let starts_line = layout.is_line_start(number);
        let head = self.head.map(|(_, kind)| kind);
        let Some(level) = open.last_mut() else { return };
        match (level.frame, kind) {
            (Frame::Nodes | Frame::Settings | Frame::Step, K::When) => level.guard = true,
            (Frame::Nodes, K::Assign) if !is_comparison(layout, number) => (level.guard, level.assigned) = (false, true),
            (Frame::Nodes, K::Step | K::End | K::Fail) if starts_line || before == Some(K::BraceOpen) => {
                (level.guard, level.assigned) = (false, false);
            }
            (Frame::Nodes, K::On | K::Limit | K::Each) if starts_line => level.guard = false,
            (Frame::Nodes, K::Pipe) => level.guard = false,
            (Frame::Settings | Frame::Step, _) if starts_line => level.guard = kind == K::When && level.guard,
            (Frame::Fields, K::Assign) => level.assigned = true,
            (Frame::Fields, K::Comma) => level.assigned = false,
            (Frame::Fields, _) if starts_line => level.assigned = false,
            _ => {}
        }
        let start = starts_line || before.is_some_and(|before| before.is_opener() || before == K::Comma);
        let place = Place { frame: level.frame, guard: level.guard && kind != K::When, start };
        self.places.push(place);
        if kind.is_opener() {
            let frame = inner(layout, level, number, kind, head);
            let guard = level.guard && frame == Frame::Value;
            if frame == Frame::Step {
                level.guard = false;
            }
            open.push(Open { frame, opener: number, guard, assigned: false });
        }
    }
}

/// Whether a `=` in a guard was most likely meant to compare: another one follows on the line, or the braces of a step.
fn is_comparison(layout: &Layout<'_>, number: usize) -> bool {
    let gap = layout
        .span(number)
        .zip(layout.span(number + 1))
        .map_or("", |(one, next)| layout.slice(weave_diagnostics::Span::new(one.end, next.start)));
    if layout.kind(number + 1) == Some(K::Greater) || gap.trim() == "~" {
        return true;
    }
    let line = (number + 1..number + 64).take_while(|token| layout.kind(*token).is_some() && !layout.is_line_start(*token));
    let mut guard = (0..number).rev().take(64).map_while(|token| layout.kind(token)).take_while(|kind| !kind.starts_node());
    if !guard.any(|kind| kind == K::When) {
        return false;
    }
    let kinds: Vec<K> = line.filter_map(|token| layout.kind(token)).collect();
    kinds.contains(&K::Assign)
}

/// What an opener opens.
fn inner(layout: &Layout<'_>, level: &Open, number: usize, kind: K, head: Option<K>) -> Frame {
    let before = layout.before(number);
    match (level.frame, kind) {
        (Frame::Item, K::ParenOpen) if matches!(head, Some(K::Type | K::Event | K::Error)) => Frame::Constraints,
        (Frame::Item, K::ParenOpen) => Frame::Fields,
        (Frame::Item, K::BraceOpen) => match head {
            Some(K::Tool | K::Agent | K::Toolkit | K::Signal | K::Interaction | K::Provider | K::Workflow)
                if !matches!(before, Some(K::Arrow | K::Pipe | K::Less)) =>
            {
                if head == Some(K::Workflow) {
                    Frame::Nodes
                } else {
                    Frame::Settings
                }
            }
            _ => Frame::Fields,
        },
        (Frame::Fields, _) if level.assigned => Frame::Value,
        (Frame::Fields, K::ParenOpen) if before.is_some_and(|before| before.is_word() || before == K::BracketClose) => Frame::Constraints,
        (Frame::Fields, _) => Frame::Fields,
        (Frame::Settings, K::BraceOpen) if matches!(before, Some(K::Progress | K::Artifacts)) => Frame::Fields,
        (Frame::Settings, K::BraceOpen) if before != Some(K::BraceOpen) => Frame::Settings,
        (Frame::Nodes, K::BraceOpen)
            if layout.kind(number + 1).is_some_and(K::starts_node) && layout.kind(number + 2).is_some_and(K::is_word) =>
        {
            Frame::Nodes
        }
        (Frame::Nodes, K::BraceOpen)
            if !level.assigned && before != Some(K::BraceOpen) && layout.kind(number + 1) != Some(K::BraceOpen) =>
        {
            Frame::Step
        }
        _ => Frame::Value,
    }
}
