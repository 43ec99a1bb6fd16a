//! Keywords that are names where the grammar cannot tell, told by what stands around them.
//!
//! It is asked only about an item that does not parse, so what parses means what the grammar says.

use crate::feed::Lexeme;
use crate::token::TokenKind as K;

/// Settings whose value is the name of something.
const NAMING: [&str; 4] = ["prompt", "model", "via", "binding"];

/// Makes names of such keywords; whether there are any.
pub(crate) fn settle(text: &str, lexemes: &mut [Lexeme]) -> bool {
    let mut changed = false;
    for number in 0..lexemes.len() {
        let Some(lexeme) = lexemes.get(number).filter(|lexeme| is_keyword(lexeme.kind)) else { continue };
        let kind = lexeme.kind;
        if is_setting_value(text, lexemes, number) {
            rename(lexemes, number);
            changed = true;
        } else if is_element(text, lexemes, number) {
            rename_in_call(lexemes, number, kind);
            changed = true;
        }
    }
    changed
}

/// The keywords that can start or go on with something where a name may stand.
const fn is_keyword(kind: K) -> bool {
    matches!(kind, K::Step | K::End | K::Fail | K::When | K::Also | K::Else | K::In)
}

fn kind(lexemes: &[Lexeme], number: Option<usize>) -> Option<K> {
    lexemes.get(number?).map(|lexeme| lexeme.kind)
}

fn rename(lexemes: &mut [Lexeme], number: usize) {
    if let Some(lexeme) = lexemes.get_mut(number) {
        lexeme.kind = K::Identifier;
    }
}

/// Whether a line ends before a token.
fn starts_line(text: &str, lexemes: &[Lexeme], number: usize) -> bool {
    let Some(before) = number.checked_sub(1).and_then(|before| lexemes.get(before)) else { return true };
    let Some(lexeme) = lexemes.get(number) else { return true };
    text.get(before.end as usize..lexeme.start as usize).is_some_and(|gap| gap.contains('\n'))
}

/// `prompt when` with nothing behind it that could be a guard.
fn is_setting_value(text: &str, lexemes: &[Lexeme], number: usize) -> bool {
    let Some(name) = number.checked_sub(1) else { return false };
    let names = lexemes.get(name).is_some_and(|name| NAMING.contains(&name.span().text(text)));
    let starts = starts_line(text, lexemes, name) || matches!(kind(lexemes, name.checked_sub(1)), Some(K::BraceOpen | K::Comma));
    let behind = Some(number + 1);
    let ends = matches!(kind(lexemes, behind), Some(K::BraceOpen | K::BraceClose | K::Comma)) || starts_line(text, lexemes, number + 1);
    names && starts && ends && !starts_line(text, lexemes, number)
}

/// The name of the element in `.xs.exists(end, …)`.
fn is_element(text: &str, lexemes: &[Lexeme], number: usize) -> bool {
    let before = |distance: usize| number.checked_sub(distance);
    let is_quantifier = match kind(lexemes, before(2)) {
        Some(K::All) => true,
        Some(K::Identifier) => before(2).and_then(|at| lexemes.get(at)).is_some_and(|name| name.span().text(text) == "exists"),
        _ => false,
    };
    is_quantifier
        && kind(lexemes, before(3)) == Some(K::Dot)
        && kind(lexemes, before(1)) == Some(K::ParenOpen)
        && kind(lexemes, Some(number + 1)) == Some(K::Comma)
}

/// Renames the element's name, and what stands for it up to the end of the call.
fn rename_in_call(lexemes: &mut [Lexeme], first: usize, keyword: K) {
    rename(lexemes, first);
    let mut depth = 0usize;
    for number in first + 1..lexemes.len() {
        match kind(lexemes, Some(number)) {
            Some(K::ParenOpen | K::BracketOpen) => depth += 1,
            Some(K::ParenClose | K::BracketClose) => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return,
            },
            // No guard goes on behind these.
            Some(K::BraceOpen | K::BraceClose) | None => return,
            // Behind an operand, `in` is the operator.
            Some(found) if found == keyword && starts_operand(kind(lexemes, Some(number - 1))) => rename(lexemes, number),
            Some(_) => {}
        }
    }
}

/// Whether an operand follows this token.
const fn starts_operand(before: Option<K>) -> bool {
    matches!(
        before,
        Some(
            K::ParenOpen
                | K::BracketOpen
                | K::Comma
                | K::Not
                | K::Minus
                | K::Or
                | K::And
                | K::Equal
                | K::NotEqual
                | K::Less
                | K::LessEqual
                | K::Greater
                | K::GreaterEqual
                | K::In
                | K::Plus
                | K::Star
                | K::Slash
                | K::Percent
        )
    )
}
