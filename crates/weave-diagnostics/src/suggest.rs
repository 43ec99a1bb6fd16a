//! "Did you mean …?"

/// Longer words are no slips of the hand, and the distance is quadratic in their length.
const LONGEST: usize = 128;

/// The candidate that is most like `word`, if one is like enough to be a slip of the hand.
///
/// Case and the separators `_`, `-` count little; of equally good candidates the first one in their order is taken.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let folded = fold(word);
    let (length, letters) = (folded.chars().count(), letters(word));
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        if candidate == word || candidate.len() > LONGEST {
            continue;
        }
        // A cheap look first: one slip changes the set of letters by at most two, so most candidates never reach the distance.
        let most = allowed(length, candidate.chars().count());
        if (letters ^ self::letters(candidate)).count_ones() as usize > 2 * most {
            continue;
        }
        let other = fold(candidate);
        let other_length = other.chars().count();
        let most = allowed(length, other_length);
        // Each character that one has more than the other is a slip.
        if length.abs_diff(other_length) > most {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&folded, &other);
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many slips two words of these lengths may be apart: a third of the longer one; a single letter is never taken for another.
fn allowed(one: usize, other: usize) -> usize {
    match one.max(other) {
        0 | 1 => 0,
        longer => (longer / 3).max(1),
    }
}

fn fold(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// The set of the letters and digits in a word, as bits; other characters share one bit, separators have none.
fn letters(text: &str) -> u64 {
    text.bytes().fold(0, |set, byte| {
        set | match byte {
            b'_' | b'-' => 0,
            b'a'..=b'z' => 1 << (byte - b'a'),
            b'A'..=b'Z' => 1 << (byte - b'A'),
            b'0'..=b'9' => 1 << (26 + byte - b'0'),
            _ => 1 << 40,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggest(word: &str) -> Option<&'static str> {
        let names = ["find_order", "refund", "customer", "cow", "cost", "id", "x", "Ticket", "string", "approval.granted", "\u{fc}ber"];
        closest(word, names)
    }

    #[test]
    fn slips_of_the_hand_are_found() {
        assert_eq!(suggest("find_ordr"), Some("find_order"));
        assert_eq!(suggest("findOrder"), Some("find_order"));
        assert_eq!(suggest("cutsomer"), Some("customer"));
        assert_eq!(suggest("stirng"), Some("string"));
        assert_eq!(suggest("tikt"), Some("Ticket"));
        assert_eq!(suggest("ticket"), Some("Ticket"));
        assert_eq!(suggest("approval.grantd"), Some("approval.granted"));
        assert_eq!(suggest("uber"), Some("\u{fc}ber"));
        assert_eq!(suggest("di"), Some("id"));
    }

    #[test]
    fn other_words_are_not() {
        assert_eq!(suggest("cat"), None, "two of three letters differ");
        assert_eq!(suggest("card"), None, "three of four letters differ");
        assert_eq!(suggest("y"), None, "a letter is not a slip of another");
        assert_eq!(suggest("up"), None);
        assert_eq!(suggest(""), None);
        assert_eq!(suggest(&"a".repeat(200)), None);
    }

    #[test]
    fn the_word_itself_is_no_suggestion_and_the_first_of_equals_wins() {
        assert_eq!(closest("total", ["total"]), None);
        assert_eq!(closest("tota", ["totb", "total", "totc"]), Some("totb"));
        assert_eq!(closest("tota", ["totals", "total"]), Some("total"));
    }
}
