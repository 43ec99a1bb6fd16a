//! The diagnostics of this crate, each declared once.

pub(crate) mod bodies;
pub(crate) mod choices;
pub(crate) mod declarations;
pub(crate) mod flow;
pub(crate) mod scripts;
pub(crate) mod tools;

use weave_diagnostics::Code;

/// All codes of this crate.
pub static CODES: &[&Code] = &joined();

/// Whether a diagnostic with this code is about the graph of a workflow: which nodes fire, and after what. The nodes themselves have a
/// meaning.
#[must_use]
pub fn is_about_graph(code: &'static Code) -> bool {
    flow::CODES.iter().chain(choices::CODES).any(|other| std::ptr::eq(*other, code))
}

const GROUPS: [&[&Code]; 6] = [declarations::CODES, bodies::CODES, flow::CODES, choices::CODES, tools::CODES, scripts::CODES];
const COUNT: usize =
    declarations::CODES.len() + bodies::CODES.len() + flow::CODES.len() + choices::CODES.len() + tools::CODES.len() + scripts::CODES.len();

/// One list of all groups.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn joined() -> [&'static Code; COUNT] {
    let mut all = [declarations::CODES[0]; COUNT];
    let (mut index, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut next = 0;
        while next < GROUPS[group].len() {
            all[index] = GROUPS[group][next];
            index += 1;
            next += 1;
        }
        group += 1;
    }
    all
}
