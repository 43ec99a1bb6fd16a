//! Text and trouble: what every other crate says about a place in a text.
//!
//! This crate knows files, byte spans, lines and columns, diagnostics, fixes, and how a diagnostic is drawn in a terminal.
//! It does not know the language: no token, no node, no type of it. It touches no file and no terminal; the text comes in as
//! strings and the drawing goes out as strings.

mod bounded;
pub mod bounds;
mod buffer;
mod charset;
mod code;
mod diagnostic;
mod excerpt;
mod lines;
mod render;
mod source;
mod span;
mod suggest;
mod summary;

pub use bounded::{TOO_LARGE, TOO_MANY, bounded, too_large};
pub use buffer::Buffer;
pub use charset::{Charset, is_visible};
pub use code::{Code, Registry};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, Label, Severity, sort_and_dedup};
pub use render::{Renderer, Style};
pub use source::{FileId, LineColumn, SourceFile, SourceMap};
pub use span::{Place, Span};
pub use suggest::closest;
pub use summary::{counted, summary};
