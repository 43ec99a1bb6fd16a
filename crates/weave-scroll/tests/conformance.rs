//! The memory store keeps the contract.

use std::sync::Arc;

use weave_scroll::conformance::{World, all};
use weave_scroll::{MemoryStore, NodeId, Store};

struct Memory(Arc<MemoryStore>);

impl World for Memory {
    fn process(&self) -> Arc<dyn Store> {
        Arc::clone(&self.0) as Arc<dyn Store>
    }

    fn kill(&self, node: NodeId) {
        self.0.kill(node);
    }

    fn restart(&self) -> Arc<dyn Store> {
        for node in self.0.tables().nodes() {
            self.0.kill(node.id);
        }
        self.process()
    }
}

#[test]
fn the_memory_store_keeps_the_contract() {
    let failed = all(|| Memory(Arc::new(MemoryStore::new())));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
