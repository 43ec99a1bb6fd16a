//! Programs that people wrote, with a small change of meaning in them.

use weave_syntax::{TokenKind, lex};

use crate::random::Random;

/// A token with its text.
struct Word<'t> {
    text: &'t str,
    start: usize,
}

/// The text with one change, or none if the change that was chosen has no place in it.
#[must_use]
pub fn mutate(text: &str, random: &mut Random) -> Option<String> {
    let tokens = lex(text);
    let words: Vec<_> = tokens
        .iter()
        .filter(|token| !matches!(token.kind, TokenKind::Whitespace | TokenKind::LineComment | TokenKind::BlockComment))
        .map(|token| Word { text: token.span.text(text), start: token.span.start as usize })
        .collect();
    // Only the workflows: a change of a type seldom does more than to break something.
    let first = words.iter().position(|word| word.text == "workflow")?;
    let found = |test: &dyn Fn(usize) -> bool| (first..words.len()).filter(|place| test(*place)).collect::<Vec<_>>();
    let is = |place: usize, text: &str| words.get(place).is_some_and(|word| word.text == text);
    let names: Vec<_> = found(&|place| place > 0 && ["step", "end", "fail"].iter().any(|kind| is(place - 1, kind)));
    let steps: Vec<_> = names.iter().filter(|place| is(**place - 1, "step")).map(|place| words[*place].text).collect();
    if steps.is_empty() {
        return None;
    }
    let one = |random: &mut Random, places: &[usize]| if places.is_empty() { None } else { Some(*random.pick(places)) };
    let splice = |from: usize, to: usize, with: &str| {
        let end = words.get(to).map_or(text.len(), |word| word.start);
        let gap = if with.is_empty() { "" } else { " " };
        Some(format!("{}{with}{gap}{}", &text[..words.get(from)?.start], &text[end..]))
    };
    let condition_end = |when: usize| {
        (when + 1..words.len()).find(|place| ["{", "=", "limit", "each", "|", "step", "end", "fail"].contains(&words[*place].text))
    };
    match random.below(12) {
        // Another step where a step is named.
        0..=2 => {
            let places = found(&|place| steps.contains(&words[place].text) && !names.contains(&place));
            let place = one(random, &places)?;
            let glued = words.get(place + 1).is_none_or(|next| next.start == words[place].start + words[place].text.len());
            let (name, end) = (*random.pick(&steps), words[place].start + words[place].text.len());
            let gap = if glued { "" } else { " " };
            Some(format!("{}{name}{gap}{}", &text[..words[place].start], &text[end..]))
        }
        // Without a condition, or with none but `also`.
        3 => {
            let when = one(random, &found(&|place| is(place, "when")))?;
            splice(when, condition_end(when)?, "")
        }
        4 => {
            let place = one(random, &found(&|place| is(place, "else")))?;
            splice(place, place + 1, "")
        }
        5 => {
            let place = one(random, &found(&|place| is(place, "limit")))?;
            splice(place, place + 2, "")
        }
        // Another join.
        6 => {
            let place = one(random, &found(&|place| ["all", "settled", "of"].contains(&words[place].text) && is(place + 1, "(")))?;
            let from = if is(place, "of") { place - 1 } else { place };
            let with = *random.pick(&["all", "settled", "1 of"]);
            Some(format!("{}{with} {}", &text[..words[from].start], &text[words[place + 1].start..]))
        }
        // The answer in place of the failure, and one more trigger.
        7 => {
            let place = one(random, &found(&|place| is(place, "on") && !is(place + 1, "start") && !is(place + 1, "[")))?;
            let name = random.pick(&steps);
            Some(format!("{}on {name} | {}", &text[..words[place].start], &text[words.get(place + 1)?.start..]))
        }
        8 => {
            let places = found(&|place| ["?", "??"].contains(&words[place].text));
            let place = one(random, &places)?;
            let length = if is(place, "?") { 1 } else { 2 };
            splice(place, place + length, "")
        }
        9 => {
            const SWAPS: [(&str, &str); 6] = [("&&", "||"), ("||", "&&"), ("==", "!="), ("!=", "=="), (">", "<="), ("true", "false")];
            let places = found(&|place| SWAPS.iter().any(|(from, _)| is(place, from)));
            let place = one(random, &places)?;
            let (from, to) = SWAPS.into_iter().find(|(from, _)| is(place, from))?;
            Some(format!("{}{to}{}", &text[..words[place].start], &text[words[place].start + from.len()..]))
        }
        // Without a node.
        _ => {
            let place = one(random, &names)?;
            let next = names
                .iter()
                .find(|name| **name > place)
                .map_or_else(|| (place..words.len()).rfind(|it| is(*it, "}")), |next| Some(next - 1));
            splice(place - 1, next?, "")
        }
    }
}
