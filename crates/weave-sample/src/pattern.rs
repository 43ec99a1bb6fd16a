//! Texts that match a regular expression.

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// How many variants of a text are tried before giving up.
const VARIANTS: u32 = 24;
/// The longest text that is made for a pattern, in characters.
const LONGEST: usize = 10_000;

/// Up to `count` different texts that match a pattern and have at least and at most so many characters.
pub(crate) fn texts(pattern: &str, least: usize, most: usize, count: usize) -> Vec<String> {
    let pattern = weave_pattern::rust(pattern);
    let (Ok(regex), Ok(hir)) = (regex::Regex::new(&pattern), regex_syntax::Parser::new().parse(&pattern)) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    let mut stretch = 0;
    for variant in 0..VARIANTS {
        if found.len() >= count {
            break;
        }
        let mut writer = Writer { variant, stretch, text: String::new() };
        writer.write(&hir);
        let mut text = writer.text;
        let length = text.chars().count();
        if length < least {
            // What is missing may go into a repetition, or, where the pattern is not anchored, behind the match.
            stretch = (least - length).min(LONGEST);
            let padded = text.clone() + &"x".repeat(stretch);
            let mut writer = Writer { variant, stretch, text: String::new() };
            writer.write(&hir);
            text = if writer.text.chars().count() >= least { writer.text } else { padded };
        }
        let length = text.chars().count();
        if (least..=most).contains(&length) && regex.is_match(&text) && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

struct Writer {
    variant: u32,
    /// How many characters more than needed the next repetition gets.
    stretch: usize,
    text: String,
}

impl Writer {
    fn write(&mut self, hir: &Hir) {
        if self.text.len() > LONGEST {
            return;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.text.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(class) => self.text.push(self.character(class)),
            HirKind::Repetition(repetition) => self.repeat(repetition),
            HirKind::Capture(capture) => self.write(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.write(part)),
            HirKind::Alternation(parts) => {
                let place = self.variant as usize % parts.len().max(1);
                parts.get(place).into_iter().for_each(|part| self.write(part));
            }
        }
    }

    fn repeat(&mut self, repetition: &Repetition) {
        let most = repetition.max.unwrap_or(u32::MAX);
        let wanted = repetition.min.max(1).saturating_add(self.variant / 4);
        let extra = u32::try_from(std::mem::take(&mut self.stretch)).unwrap_or(u32::MAX);
        let times = wanted.saturating_add(extra).min(most);
        self.stretch = (wanted.saturating_add(extra) - times) as usize;
        for _ in 0..times {
            if self.text.len() > LONGEST {
                return;
            }
            self.write(&repetition.sub);
        }
    }

    /// A letter or digit if there is one in the class.
    fn character(&self, class: &Class) -> char {
        let ranges: Vec<(char, char)> = match class {
            Class::Unicode(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
            Class::Bytes(class) => class.ranges().iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect(),
        };
        let has = |character: char| ranges.iter().any(|(first, last)| (*first..=*last).contains(&character));
        let plain: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').filter(|character| has(*character)).collect();
        let place = self.variant as usize + self.text.len();
        match plain.get(place % plain.len().max(1)) {
            Some(character) => *character,
            None => (' '..='~').find(|character| has(*character)).or_else(|| ranges.first().map(|range| range.0)).unwrap_or('x'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match_their_patterns() {
        for pattern in [
            "^[A-Z]{2}-[0-9]+$",
            "^[a-z][a-z0-9-]*$",
            "^[0-9a-f]{40}$",
            "^-?[0-9]+(\\.[0-9]+)?$",
            "^(red|green|blue)$",
            "lamp",
            "^\\w+@\\w+\\.[a-z]{2,3}$",
            "^.{3,5}$",
            "\\bword\\b",
            "^[^a-z]+$",
            "",
        ] {
            let texts = texts(pattern, 0, usize::MAX, 2);
            let regex = regex::Regex::new(&weave_pattern::rust(pattern)).unwrap();
            assert!(!texts.is_empty() && texts.iter().all(|text| regex.is_match(text)), "{pattern}: {texts:?}");
        }
    }

    #[test]
    fn texts_have_the_length_that_is_asked_for() {
        for (pattern, least, most) in [("^[a-z]+$", 12, 12), ("lamp", 10, 20), ("^a{2,}b$", 8, 9), ("^[0-9]{3}$", 0, 3)] {
            let texts = texts(pattern, least, most, 1);
            assert!(texts.iter().all(|text| (least..=most).contains(&text.len())) && !texts.is_empty(), "{pattern}: {texts:?}");
        }
        assert!(texts("^[0-9]{3}$", 5, 9, 1).is_empty());
        assert!(texts("(", 0, 9, 1).is_empty());
    }
}
