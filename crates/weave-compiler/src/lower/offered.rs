//! What the model behind an agent is offered: the tools of its list, toolkits taken apart.

use rustc_hash::FxHashMap;
use weave_analysis::model::declarations::{Agent, ToolReference};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};
use weave_diagnostics::Place;

/// What stands between a namespace and a name.
const SEPARATOR: &str = "__";

/// One tool, agent or workflow under the name that the model sees.
#[derive(Clone, Debug)]
pub(crate) struct Offered {
    /// The name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) target: DeclarationId,
    /// Where it was put into a list.
    pub(crate) place: Place,
}

impl Offered {
    pub(super) fn lower(&self, model: &Model) -> weave_ir::OfferedTool {
        let name = self.name.clone();
        let declaration = model.get(self.target);
        let declared = declaration.map(|declaration| declaration.name.to_string()).unwrap_or_default();
        match declaration.map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Agent(_)) => weave_ir::OfferedTool::Agent { name, agent: declared },
            Some(DeclarationKind::Workflow(_)) => weave_ir::OfferedTool::Workflow { name, workflow: declared },
            _ => weave_ir::OfferedTool::Tool { name, tool: declared },
        }
    }
}

/// Two things that a model would be offered under one name.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    /// The name.
    pub(crate) name: String,
    /// The one that came first.
    pub(crate) first: Place,
    /// The other one.
    pub(crate) second: Place,
}

/// How many tools one agent may be offered. Toolkits that take in one another twice under two names multiply, so there must be an end.
pub(crate) const MOST_OFFERED: usize = 1_000;

/// What an agent offers its model, in the order of its list, and what is wrong with that.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    /// The tools. One that is in the list twice under one name, by way of two toolkits, is offered once.
    pub(crate) tools: Vec<Offered>,
    /// Where names clash.
    pub(crate) clashes: Vec<Clash>,
    /// There are more than [`MOST_OFFERED`].
    pub(crate) too_many: bool,
}

pub(crate) fn offered(model: &Model, agent: &Agent) -> Offer {
    let mut offer = Offer::default();
    let mut known: FxHashMap<String, (DeclarationId, Place)> = FxHashMap::default();
    let mut found = 0;
    for offered in flattened(model, &agent.tools) {
        found += 1;
        if found > MOST_OFFERED {
            offer.too_many = true;
            break;
        }
        match known.get(&offered.name) {
            None => {
                known.insert(offered.name.clone(), (offered.target, offered.place));
                offer.tools.push(offered);
            }
            Some((target, _)) if *target == offered.target => {}
            Some((_, first)) => offer.clashes.push(Clash { name: offered.name, first: *first, second: offered.place }),
        }
    }
    offer
}

/// A list that is being gone through.
struct Open<'a> {
    list: std::slice::Iter<'a, ToolReference>,
    /// What stands before its names.
    prefix: String,
}

/// The tools of a list and of the toolkits in it, in their order. Toolkits may nest as deep as somebody likes; none is in itself.
fn flattened<'a>(model: &'a Model, tools: &'a [ToolReference]) -> impl Iterator<Item = Offered> + 'a {
    let mut open = vec![Open { list: tools.iter(), prefix: String::new() }];
    std::iter::from_fn(move || {
        loop {
            let Some(reference) = open.last_mut()?.list.next() else {
                open.pop();
                continue;
            };
            let prefix = open.last().map(|open| open.prefix.as_str()).unwrap_or_default();
            let Some(declaration) = model.get(reference.target) else { continue };
            let DeclarationKind::Toolkit(toolkit) = &declaration.kind else {
                let name = reference.alias.as_ref().unwrap_or(&declaration.name);
                return Some(Offered { name: format!("{prefix}{name}"), target: reference.target, place: reference.place });
            };
            let prefix =
                toolkit.namespace.as_ref().map_or_else(|| prefix.to_owned(), |namespace| format!("{prefix}{namespace}{SEPARATOR}"));
            open.push(Open { list: toolkit.tools.iter(), prefix });
        }
    })
}
