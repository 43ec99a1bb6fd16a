//! "Did you mean …?"

/// The candidate that is most like `word`, if one is like enough to be a slip of the hand.
///
/// Case and the separators `_`, `-` count little; of equally good candidates the first one in their order is taken.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer inputs are no slips, and the distance is quadratic in their length.
    if word.is_empty() || word.len() > 128 {
        return None;
    }
    let fold = |text: &str| text.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect::<String>();
    let folded = fold(word);
    let allowed = match folded.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        count => count / 3,
    };
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        if candidate == word || candidate.len() > 128 {
            continue;
        }
        let other = fold(candidate);
        let distance = strsim::damerau_levenshtein(&folded, &other);
        // A word that shares no letter at its place is no slip, however short both are.
        let shared = folded.chars().zip(other.chars()).any(|(a, b)| a == b) || distance == 1;
        if distance <= allowed && shared && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
