//! Drawing diagnostics for a terminal. The only module that knows codespan-reporting.

/// How much is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With the source.
    Full,
    /// One line: place, severity, id, message.
    Short,
}

/// Which characters draw the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Plain ASCII.
    Ascii,
    /// Box-drawing characters.
    Unicode,
}

/// Draws diagnostics.
#[derive(Clone, Debug)]
pub struct Renderer {}
