//! Whether two texts differ in nothing but their layout.

use weave_syntax::{TokenKind, lex};

/// Whether both texts have the same tokens and comments in the same order; blanks and commas, and blanks at the ends of comments, aside.
/// All lines end as the first one does, those in comments and text blocks too.
pub(crate) fn same_tokens(before: &str, after: &str) -> bool {
    let significant = |text| {
        let kept = |kind| !matches!(kind, TokenKind::Whitespace | TokenKind::Comma | TokenKind::ByteOrderMark);
        lex(text).iter().filter(|token| kept(token.kind)).collect::<Vec<_>>()
    };
    let (old, new) = (significant(before), significant(after));
    let same = |(old, new): (&weave_syntax::Token, &weave_syntax::Token)| {
        old.kind == new.kind && is_same(old.span.text(before).trim_end(), new.span.text(after).trim_end())
    };
    old.len() == new.len() && old.iter().zip(&new).all(same)
}

fn is_same(before: &str, after: &str) -> bool {
    before == after || before.contains('\n') && before.lines().eq(after.lines())
}
