//! Lists in brackets, docs and attributes: what all constructs share.

use weave_syntax::TokenKind;
use weave_syntax::ast::{Attribute, Meta};

use crate::cursor::{Cursor, Gap};

/// What stands between the elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `{ }`: a comma between elements on one line, none between lines. Broken where the source has a line end behind the brace.
    Braces,
    /// `{ }` with an element a line.
    Lines,
    /// `{ }` with commas in any case.
    Names,
    /// `( )` and `[ ]`: commas in any case, one behind the last element if the list is broken.
    Brackets,
}

/// Writes brackets and what is in them.
pub(super) fn list<'t, T: 't>(
    cursor: &mut Cursor<'_>,
    style: Style,
    elements: impl IntoIterator<Item = &'t T>,
    mut element: impl FnMut(&mut Cursor<'_>, &'t T),
) {
    cursor.open_group();
    cursor.token();
    let mut elements = elements.into_iter().peekable();
    let padded = if style == Style::Brackets { Gap::Soft } else { Gap::Line };
    let is_empty = elements.peek().is_none();
    if style == Style::Lines && !is_empty || style == Style::Braces && !is_empty && cursor.line_ends() {
        cursor.document.break_groups();
    }
    cursor.indent();
    cursor.gap(padded);
    while let Some(next) = elements.next() {
        element(cursor, next);
        cursor.skip_comma();
        let is_last = elements.peek().is_none();
        match (style, is_last) {
            (Style::Braces, false) => cursor.comma_if_flat(),
            (Style::Names | Style::Brackets, false) => cursor.comma(),
            (Style::Names | Style::Brackets, true) => cursor.comma_if_broken(),
            (Style::Lines, _) | (Style::Braces, true) => {}
        }
        if !is_last {
            cursor.separate(Gap::Line);
        }
    }
    cursor.close(if is_empty { Gap::Tight } else { padded });
    cursor.close_group();
}

/// Writes docs and attributes before something; `apart` puts each attribute on a line of its own.
pub(super) fn meta(cursor: &mut Cursor<'_>, meta: &Meta, apart: bool) {
    let mut attributes = meta.attributes.iter();
    loop {
        match cursor.peek() {
            TokenKind::Doc => cursor.token(),
            TokenKind::At => {
                let Some(next) = attributes.next() else { return };
                attribute(cursor, next);
                let gap = if apart || cursor.line_ends() { Gap::Hard } else { Gap::Space };
                cursor.gap(gap);
            }
            _ => return,
        }
    }
}

fn attribute(cursor: &mut Cursor<'_>, attribute: &Attribute) {
    cursor.token();
    cursor.token();
    if cursor.peek() != TokenKind::ParenOpen {
        return;
    }
    list(cursor, Style::Brackets, &attribute.arguments, |cursor, argument| {
        if let Some(name) = argument.name {
            cursor.tight(name.span.end);
            cursor.token();
            cursor.gap(Gap::Space);
        }
        cursor.tight(argument.span.end);
    });
}
