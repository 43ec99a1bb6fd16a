//! What is most likely the same under another name.

use weave_diagnostics::closest;

/// With more pairs than this, nothing is taken for renamed: each would be held against each.
const MOST_PAIRS: usize = 4_096;

/// The names of what is gone, each with that of what is new in its place: alike in name and the same otherwise, or the only ones that are the same.
/// `is_telling` says whether being the same tells much.
pub(crate) fn find<'n, T: Copy>(
    gone: &[(&'n str, T)],
    fresh: &[(&'n str, T)],
    is_same: impl Fn(T, T) -> bool,
    is_telling: impl Fn(T) -> bool,
) -> Vec<(&'n str, &'n str)> {
    let mut found: Vec<(&'n str, &'n str)> = Vec::new();
    if gone.len().saturating_mul(fresh.len()) > MOST_PAIRS {
        return found;
    }
    for (name, before) in gone {
        let taken: Vec<&str> = found.iter().map(|(_, new)| *new).collect();
        let alike: Vec<&'n str> =
            fresh.iter().filter(|(new, after)| !taken.contains(new) && is_same(*before, *after)).map(|(new, _)| *new).collect();
        let only = || match alike.as_slice() {
            [only] if is_telling(*before) && gone.iter().filter(|(_, other)| is_same(*before, *other)).count() == 1 => Some(*only),
            _ => None,
        };
        if let Some(new) = closest(name, alike.iter().copied()).or_else(only) {
            found.push((name, new));
        }
    }
    found
}
