//! Which bracket is open, and what it belongs to.

use crate::feed::closer;
use crate::layout::Layout;
use crate::parse::introducer;
use crate::plan::Repair;
use crate::search::Edit;
use crate::token::TokenKind as K;

/// A bracket that lacks its closer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unclosed {
    /// The number of the opener.
    pub opener: usize,
    /// The number of the token before which the closer is missing.
    pub before: usize,
}

/// The brackets that are open before a token, innermost last. `map<` is not among them.
pub(crate) fn open_before(layout: &Layout<'_>, at: usize) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    for number in 0..at {
        let Some(kind) = layout.kind(number) else { break };
        if kind.is_opener() {
            open.push(number);
        } else if kind.is_closer() {
            // A closer without its opener is a mistake of its own; one that skips openers closes them as well.
            if let Some(depth) = open.iter().rposition(|opener| layout.kind(*opener).is_some_and(|opener| closer(opener) == kind)) {
                open.truncate(depth);
            }
        }
    }
    open
}

/// The bracket that most likely lacks its closer, when the parser misses one of this kind before a token.
///
/// The parser notices only where the brackets run out. Indentation tells more: an opener whose closer stands further left than the
/// opener's line has most likely taken a closer that was meant for another.
pub(crate) fn unclosed(layout: &Layout<'_>, at: usize, missing: K) -> Option<Unclosed> {
    let open = open_before(layout, at);
    let innermost = open.into_iter().rev().find(|opener| layout.kind(*opener).is_some_and(|kind| closer(kind) == missing))?;
    if missing == K::BraceClose
        && let Some(culprit) = misaligned(layout, innermost, at)
    {
        return Some(culprit);
    }
    Some(Unclosed { opener: innermost, before: at })
}

fn misaligned(layout: &Layout<'_>, outer: usize, at: usize) -> Option<Unclosed> {
    let mut open = Vec::new();
    for number in outer + 1..at {
        match layout.kind(number)? {
            K::BraceOpen => open.push(number),
            K::BraceClose => {
                let opener = open.pop()?;
                if layout.is_line_start(number) && layout.column(number) < layout.indentation(opener) {
                    return Some(Unclosed { opener, before: number });
                }
            }
            _ => {}
        }
    }
    None
}

/// What an opener belongs to, in words: "the step `triage`".
pub(crate) fn owner(layout: &Layout<'_>, opener: usize) -> String {
    let bracket = layout.text(opener);
    let owner = match layout.kind(opener) {
        Some(K::BraceOpen) => owner_of_braces(layout, opener),
        Some(K::ParenOpen) if layout.before(opener).is_some_and(K::is_word) => {
            let name = layout.text(opener - 1);
            let is_item = opener >= 2 && layout.kind(opener - 2).is_some_and(|kind| kind.starts_item());
            Some(if is_item { format!("the parameters of `{name}`") } else { format!("`{name}{bracket}`") })
        }
        _ => None,
    };
    owner.unwrap_or_else(|| format!("`{bracket}`"))
}

fn owner_of_braces(layout: &Layout<'_>, opener: usize) -> Option<String> {
    let mut depth = 0u32;
    for number in (0..opener).rev() {
        let kind = layout.kind(number)?;
        if kind.is_closer() {
            depth += 1;
        } else if kind.is_opener() {
            if depth == 0 {
                return None;
            }
            depth -= 1;
        }
        if depth > 0 {
            continue;
        }
        let name = layout.text(number + 1);
        let is_named = layout.kind(number + 1).is_some_and(K::is_word);
        if kind.starts_node() && is_named && layout.is_line_start(number) {
            return Some(format!("the {} `{name}`", kind.text()?));
        }
        if matches!(kind, K::Ask | K::Call | K::Run | K::Emit) && number + 1 < opener && layout.is_line_start(number) {
            return Some(format!("the payload of `{}`", kind.text()?));
        }
        if number == 0 && kind == K::Import {
            return Some("the import".to_owned());
        }
        if number == 0 && kind.starts_item() && is_named {
            return Some(format!("the {} `{name}`", introducer(kind)));
        }
        if kind == K::Doc || (number > 0 && kind.starts_item() && layout.is_line_start(number) && is_named) {
            return (kind != K::Doc).then(|| format!("the {} `{name}`", introducer(kind)));
        }
    }
    None
}

/// Whether a repair only leaves out a closer whose opener has been in another repair.
pub(crate) fn closes_one_of(repair: &Repair, layout: &Layout<'_>, troubled: &[usize]) -> bool {
    let mut deleted = repair.edits.iter().filter(|edit| !matches!(edit, Edit::Keep(_)));
    let (Some(Edit::Delete(number)), None) = (deleted.next(), deleted.next()) else { return false };
    let wanted = layout.kind(*number).filter(|kind| kind.is_closer());
    wanted.is_some()
        && troubled.iter().rev().take(8).any(|opener| opener < number && layout.kind(*opener).map(crate::feed::closer) == wanted)
        && open_before(layout, *number)
            .last()
            .is_some_and(|opener| troubled.contains(opener) && layout.kind(*opener).map(crate::feed::closer) == wanted)
}
