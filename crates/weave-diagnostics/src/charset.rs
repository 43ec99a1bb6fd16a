//! Making every character of a text visible and harmless in a terminal.

use crate::bounds::MESSAGE;

/// Which characters draw the frame and stand for what cannot be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// Plain ASCII.
    Ascii,
    /// Box-drawing characters.
    #[default]
    Unicode,
}

/// Longer messages are cut: a name of a megabyte must not flood the terminal.
const LONGEST: usize = MESSAGE.most;

/// Whether a character shows something and leaves alone what is around it: it does not move the cursor, turn the direction of the text, or hide in it.
///
/// Joiners and variation selectors that scripts and emoji are written with count as visible.
#[must_use]
pub const fn is_visible(character: char) -> bool {
    !matches!(
        character,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

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
        if character == '\t' || is_visible(character) {
            return character;
        }
        let picture = match character {
            '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
            '\u{7f}' => Some('\u{2421}'),
            _ => None,
        };
        match self {
            Self::Ascii => '?',
            Self::Unicode => picture.unwrap_or(char::REPLACEMENT_CHARACTER),
        }
    }

    /// A message on one line: nothing in it can act on a terminal or look like a line of its own.
    #[must_use]
    pub fn line(self, text: &str) -> String {
        self.clean(text, " ")
    }

    /// A text that may have several lines.
    pub(crate) fn block(self, text: &str) -> String {
        self.clean(text, "\n")
    }

    fn clean(self, text: &str, line_end: &str) -> String {
        let mut clean = String::with_capacity(text.len().min(LONGEST));
        let mut marks = Marks::default();
        let text = text.trim_end();
        // With a pair of colons at the start of a line, a command to the runner begins, too.
        let colons = if text.trim_start().starts_with("::") { text.chars().take_while(|it| it.is_whitespace()).count() } else { LONGEST };
        for (count, character) in text.chars().enumerate() {
            if count == LONGEST {
                clean.push_str(self.ellipsis());
                break;
            }
            match character {
                '\n' => clean.push_str(line_end),
                '\t' => clean.push(' '),
                _ if marks.begin_command(character) || count == colons => clean.push(self.replacement()),
                _ => clean.push(self.visible(character)),
            }
        }
        clean
    }

    /// What stands for a character that would act.
    pub(crate) const fn replacement(self) -> char {
        match self {
            Self::Ascii => '?',
            Self::Unicode => char::REPLACEMENT_CHARACTER,
        }
    }
}

/// Finds `##[`, with which a command to the runner of GitHub Actions begins, wherever it is in a line of a log.
#[derive(Debug, Default)]
pub(crate) struct Marks(usize);

impl Marks {
    /// Takes the next character of a text. Whether it would complete the beginning of a command is the answer.
    pub(crate) const fn begin_command(&mut self, character: char) -> bool {
        let is_command = self.0 >= 2 && character == '[';
        self.0 = if character == '#' { self.0 + 1 } else { 0 };
        is_command
    }
}
