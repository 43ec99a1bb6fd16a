//! Where clients find the pages of diagnostics.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tower_lsp::ls_types::{CodeDescription, Uri};
use weave_diagnostics::Code;
use weave_ide::Host;

use crate::documents::uri_of;

/// The addresses of pages, each asked for once.
pub(crate) struct Pages {
    host: Arc<dyn Host>,
    known: RefCell<BTreeMap<&'static str, Option<Uri>>>,
    /// Whether the client shows links.
    pub(crate) are_shown: bool,
}

impl Pages {
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self { host, known: RefCell::default(), are_shown: false }
    }

    /// The link to the page of a diagnostic, for a client that shows it.
    pub(crate) fn link(&self, code: &'static Code) -> Option<CodeDescription> {
        if !self.are_shown {
            return None;
        }
        let mut known = self.known.borrow_mut();
        let address = known.entry(code.id).or_insert_with(|| self.host.page(code).and_then(|page| uri_of(&page)));
        address.clone().map(|href| CodeDescription { href })
    }
}

impl fmt::Debug for Pages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pages").field("known", &self.known).field("are_shown", &self.are_shown).finish_non_exhaustive()
    }
}
