//! The diagnostics of this crate, each declared once.

pub(crate) mod bodies;
pub(crate) mod declarations;

use weave_diagnostics::Code;

/// All codes of this crate.
pub static CODES: &[&Code] = &joined();

const COUNT: usize = declarations::CODES.len() + bodies::CODES.len();

/// One list of the two.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn joined() -> [&'static Code; COUNT] {
    let mut all = [declarations::CODES[0]; COUNT];
    let mut index = 0;
    while index < COUNT {
        all[index] =
            if index < declarations::CODES.len() { declarations::CODES[index] } else { bodies::CODES[index - declarations::CODES.len()] };
        index += 1;
    }
    all
}
