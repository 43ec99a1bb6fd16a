//! Whether two texts differ in nothing but their layout.

use weave_syntax::{Token, TokenKind, Tokens, lex};

/// Whether both texts have the same tokens and comments in the same order; blanks and commas, and blanks at the ends of comments, aside.
/// All lines end as the first one does, those in comments and text blocks too. The tokens of the first text are known already.
pub(crate) fn same_tokens(before: &str, tokens: &Tokens, after: &str) -> bool {
    let kept = |token: &Token| !matches!(token.kind, TokenKind::Whitespace | TokenKind::Comma | TokenKind::ByteOrderMark);
    let after_tokens = lex(after);
    let (mut old, mut new) = (tokens.iter().filter(kept), after_tokens.iter().filter(kept));
    loop {
        match (old.next(), new.next()) {
            (None, None) => return true,
            (Some(old), Some(new)) if old.kind == new.kind && is_same(old.span.text(before), new.span.text(after)) => {}
            _ => return false,
        }
    }
}

/// Most tokens are the same bytes, which is quick to see.
fn is_same(before: &str, after: &str) -> bool {
    if before == after {
        return true;
    }
    let (before, after) = (before.trim_end(), after.trim_end());
    before == after || before.contains('\n') && before.lines().eq(after.lines())
}
