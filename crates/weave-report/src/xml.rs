//! What may stand in XML.

use std::fmt::{self, Write as _};

use weave_diagnostics::{Charset, is_visible};

/// A text between tags or in an attribute with double quotes.
///
/// A reader turns line ends in attributes into spaces unless they are written as references, and drops carriage returns everywhere; and no character of
/// control can be written at all, so that its picture stands for it.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '<' => out.write_str("&lt;"),
                '>' => out.write_str("&gt;"),
                '&' => out.write_str("&amp;"),
                '"' => out.write_str("&quot;"),
                '\n' | '\r' | '\t' => write!(out, "&#{};", u32::from(character)),
                character if !is_visible(character) => out.write_char(Charset::Unicode.visible(character)),
                '\u{fffe}' | '\u{ffff}' => out.write_char(char::REPLACEMENT_CHARACTER),
                _ => out.write_char(character),
            }?;
        }
        Ok(())
    }
}

/// A text between tags, where line ends may stand as they are.
pub(crate) struct Body<'a>(pub(crate) &'a str);

impl fmt::Display for Body<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.0.split('\n').enumerate() {
            if index > 0 {
                out.write_char('\n')?;
            }
            write!(out, "{}", Escaped(line))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(Escaped("<a b=\"c\">&]]>").to_string(), "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;");
        assert_eq!(Escaped("a\r\n\tb").to_string(), "a&#13;&#10;&#9;b");
        assert_eq!(Escaped("\0\u{1b}\u{7f}\u{85}\u{ffff}\u{1f600}").to_string(), "\u{2400}\u{241b}\u{2421}\u{fffd}\u{fffd}\u{1f600}");
        assert_eq!(Body("a\n]]>\r\n").to_string(), "a\n]]&gt;&#13;\n");
    }
}
