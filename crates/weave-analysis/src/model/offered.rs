//! What the model behind an agent is offered: the tools of a list, toolkits taken apart.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use weave_diagnostics::Place;

use super::declarations::{Activation, ToolReference};
use super::{DeclarationId, DeclarationKind, Model};

/// What stands between a namespace and a name.
pub const SEPARATOR: &str = "__";

/// How many tools one list may offer. Toolkits that take in one another twice under two names multiply, so there must be an end.
pub const MOST_OFFERED: usize = 1_000;

/// How many entries of lists are looked at, toolkits included: those may multiply even where no tool is in them.
const MOST_VISITED: usize = 4 * MOST_OFFERED;

/// One tool, agent or workflow under the name that the model sees.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The name.
    pub name: String,
    /// What it is.
    pub target: DeclarationId,
    /// Where it was put into a list.
    pub place: Place,
    /// Which entry of the list it came from: its own, or that of a toolkit.
    pub entry: usize,
    /// The middleware of the toolkits on the way, outermost first.
    pub middleware: Arc<[Arc<str>]>,
}

/// Two offers that a model could not tell apart.
#[derive(Clone, Debug)]
pub struct Clash {
    /// The one that came first.
    pub first: Offered,
    /// The other one.
    pub second: Offered,
}

/// What a list of tools offers, in its order, and what is wrong with that.
#[derive(Debug, Default)]
pub struct Offer {
    /// The tools. One that is there twice under one name, by way of two toolkits, is offered once.
    pub tools: Vec<Offered>,
    /// Where names clash; upper and lower case count as the same.
    pub clashes: Vec<Clash>,
    /// There are more than [`MOST_OFFERED`].
    pub too_many: bool,
}

/// What the list of an agent or a toolkit offers a model. Tools that are `internal` are not offered.
#[must_use]
pub fn offered(model: &Model, tools: &[ToolReference]) -> Offer {
    let mut offer = Offer::default();
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    let mut walk = Walk::new(tools);
    while let Some(offered) = walk.next(model) {
        if offer.tools.len() >= MOST_OFFERED {
            offer.too_many = true;
            break;
        }
        let key = offered.name.to_ascii_lowercase();
        match known.get(&key).and_then(|index| offer.tools.get(*index)) {
            None => {
                known.insert(key, offer.tools.len());
                offer.tools.push(offered);
            }
            Some(first) if is_same(first, &offered) => {}
            Some(first) => offer.clashes.push(Clash { first: first.clone(), second: offered }),
        }
    }
    offer.too_many |= walk.visited > MOST_VISITED;
    offer
}

/// Whether it makes no difference which of the two is called.
fn is_same(first: &Offered, second: &Offered) -> bool {
    first.target == second.target && first.name == second.name && first.middleware == second.middleware
}

/// A list that is being gone through.
struct Open<'a> {
    list: std::slice::Iter<'a, ToolReference>,
    /// What stands before its names.
    prefix: String,
    middleware: Arc<[Arc<str>]>,
}

/// Goes through a list and the toolkits in it, in their order. Toolkits may nest as deep as somebody likes; none is in itself.
struct Walk<'a> {
    open: Vec<Open<'a>>,
    /// How many entries of the outermost list have been begun.
    entries: usize,
    visited: usize,
}

impl<'a> Walk<'a> {
    fn new(tools: &'a [ToolReference]) -> Self {
        let outermost = Open { list: tools.iter(), prefix: String::new(), middleware: Arc::default() };
        Self { open: vec![outermost], entries: 0, visited: 0 }
    }

    fn next(&mut self, model: &'a Model) -> Option<Offered> {
        loop {
            let depth = self.open.len();
            let innermost = self.open.last_mut()?;
            let Some(reference) = innermost.list.next() else {
                self.open.pop();
                continue;
            };
            self.visited += 1;
            if self.visited > MOST_VISITED {
                return None;
            }
            if depth == 1 {
                self.entries += 1;
            }
            let Some(declaration) = model.get(reference.target) else { continue };
            match &declaration.kind {
                DeclarationKind::Toolkit(toolkit) => {
                    let prefix = match &toolkit.namespace {
                        Some(namespace) => format!("{}{namespace}{SEPARATOR}", innermost.prefix),
                        None => innermost.prefix.clone(),
                    };
                    let middleware = if toolkit.middleware.is_empty() {
                        Arc::clone(&innermost.middleware)
                    } else {
                        innermost.middleware.iter().chain(&toolkit.middleware).cloned().collect()
                    };
                    self.open.push(Open { list: toolkit.tools.iter(), prefix, middleware });
                }
                DeclarationKind::Tool(tool) if tool.activation == Activation::Internal => {}
                _ => {
                    return Some(Offered {
                        name: format!("{}{}", innermost.prefix, reference.name(declaration)),
                        target: reference.target,
                        place: reference.place,
                        entry: self.entries - 1,
                        middleware: Arc::clone(&innermost.middleware),
                    });
                }
            }
        }
    }
}
