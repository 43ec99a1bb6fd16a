//! Making every character of a text visible and harmless in a terminal.

/// Which characters draw the frame and stand for what cannot be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// Plain ASCII.
    Ascii,
    /// Box-drawing characters.
    #[default]
    Unicode,
}

/// Longer messages are cut: somebody's name of a megabyte must not flood the terminal.
const LONGEST: usize = 800;

impl Charset {
    /// What stands for text that is left out.
    pub(crate) const fn ellipsis(self) -> &'static str {
        match self {
            Self::Ascii => "...",
            Self::Unicode => "\u{2026}",
        }
    }

    /// The character as it is shown: one that would move the cursor, turn the direction or show nothing is replaced.
    #[must_use]
    pub fn visible(self, character: char) -> char {
        let picture = match character {
            '\t' => return '\t',
            '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
            '\u{7f}' => Some('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{feff}' => None,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => None,
            _ => return character,
        };
        match self {
            Self::Ascii => '?',
            Self::Unicode => picture.unwrap_or(char::REPLACEMENT_CHARACTER),
        }
    }

    /// A message on one line.
    pub(crate) fn line(self, text: &str) -> String {
        self.clean(text, " ")
    }

    /// A text that may have several lines.
    pub(crate) fn block(self, text: &str) -> String {
        self.clean(text, "\n")
    }

    fn clean(self, text: &str, line_end: &str) -> String {
        let mut clean = String::with_capacity(text.len().min(LONGEST));
        for (count, character) in text.trim_end().chars().enumerate() {
            if count == LONGEST {
                clean.push_str(self.ellipsis());
                break;
            }
            match character {
                '\n' => clean.push_str(line_end),
                '\t' => clean.push(' '),
                _ => clean.push(self.visible(character)),
            }
        }
        clean
    }
}
