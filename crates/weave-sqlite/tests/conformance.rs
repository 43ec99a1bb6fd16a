//! The SQLite store keeps the contract.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tempfile::TempDir;
use weave_scroll::conformance::{World, all};
use weave_scroll::{NodeId, Store};
use weave_sqlite::{Options, SqliteStore};

/// A store in a folder; each process has opened it for itself.
struct Folder {
    folder: TempDir,
    processes: Mutex<Vec<Arc<SqliteStore>>>,
}

impl Folder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), processes: Mutex::default() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(".weave/runs.db")
    }
}

impl World for Folder {
    fn process(&self) -> Arc<dyn Store> {
        let store = Arc::new(SqliteStore::open(&self.path(), &Options::default()).unwrap());
        self.processes.lock().unwrap().push(Arc::clone(&store));
        store
    }

    fn kill(&self, node: NodeId) {
        self.processes.lock().unwrap().iter().for_each(|store| store.abandon(node));
    }

    fn restart(&self) -> Arc<dyn Store> {
        self.processes.lock().unwrap().drain(..).for_each(|store| store.abandon_all());
        self.process()
    }
}

#[test]
fn the_sqlite_store_keeps_the_contract() {
    let failed = all(Folder::new);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
