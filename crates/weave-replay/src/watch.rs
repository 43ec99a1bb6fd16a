//! What a run decides in one turn.

use serde_json::Value;
use weave_expr::EvalError;
use weave_ir::{Guard, Path};
use weave_runner::{Observer, Read, ReadPlace};

use crate::verdict::Seen;

/// The guards that were evaluated since it was emptied.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) seen: Vec<Seen>,
    /// The triggers by which nodes were chosen to fire.
    pub(crate) chosen: Vec<(String, usize)>,
    reads: Vec<(String, Value)>,
}

impl Watch {
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
        self.chosen.clear();
        self.reads.clear();
    }

    /// The last result of a guard of this node.
    pub(crate) fn of(&self, node: &str) -> Option<&Seen> {
        self.seen.iter().rev().find(|seen| seen.node == node)
    }
}

impl Observer for Watch {
    fn read(&mut self, read: &Read<'_>) {
        if read.place == ReadPlace::Guard {
            let plain = Path { steps: read.path.steps.iter().map(|step| step.segment.clone().into()).collect() };
            self.reads.push((plain.to_string(), read.value.cloned().unwrap_or_default()));
        }
    }

    fn guard(&mut self, node: &str, item: Option<usize>, _: &Guard, result: &Result<Value, EvalError>) {
        let reads = std::mem::take(&mut self.reads);
        self.seen.push(Seen { node: node.to_owned(), item, result: *result == Ok(Value::Bool(true)), reads });
    }

    fn chosen(&mut self, node: &str, item: usize) {
        self.chosen.push((node.to_owned(), item));
    }
}
