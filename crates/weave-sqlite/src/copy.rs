//! Copies of a store.

use std::fs::File;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use weave_scroll::StoreError;

use crate::error::{Done, store_error};
use crate::open::SqliteStore;
use crate::place::{beside, file_error, sync_folder};
use crate::schema;

/// A copy that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Its size in bytes.
    pub bytes: u64,
}

impl SqliteStore {
    /// Copies the store as it is now to `to`, while it is worked on. The copy is one file, compact, durable, and marked: its
    /// open once-only calls become unknown when it is opened for work.
    ///
    /// # Errors
    ///
    /// Any [`StoreError`], also if there is a file at `to`. Then nothing is left there.
    pub fn backup(&self, to: &Path) -> Result<Backup, StoreError> {
        if to.exists() {
            return Err(StoreError::Io(format!("{} exists; choose another name for the copy", to.display())));
        }
        let part = beside(to, "-part");
        drop(std::fs::remove_file(&part));
        let made = self.copy_to(&part).and_then(|()| {
            let file = File::options().read(true).write(true).open(&part);
            file.and_then(|file| file.sync_all()).map_err(|error| file_error(&part, &error))?;
            std::fs::rename(&part, to).map_err(|error| file_error(to, &error))?;
            sync_folder(to)?;
            let bytes = std::fs::metadata(to).map_err(|error| file_error(to, &error))?.len();
            Ok(Backup { bytes })
        });
        if made.is_err() {
            drop(std::fs::remove_file(&part));
        }
        made
    }

    /// Copies and marks.
    fn copy_to(&self, part: &Path) -> Result<(), StoreError> {
        let name = part.to_str().ok_or_else(|| StoreError::Io(format!("{} is not a name in UTF-8", part.display())))?.to_owned();
        self.read_outside(|db| {
            db.execute("VACUUM INTO ?1", [&name])?;
            Ok(())
        })?;
        let mark = || -> Done<()> {
            let db = Connection::open_with_flags(part, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            schema::put(&db, "copy", "1")
        };
        mark().map_err(crate::error::Fault::into_store)
    }

    /// Reads with a connection that may copy.
    fn read_outside<T>(&self, read: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>) -> Result<T, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(self.path(), flags).map_err(|error| store_error(&error))?;
        read(&db).map_err(|error| store_error(&error))
    }
}

/// Makes open once-only rows unknown, of one run or of all, and takes the mark of a copy off.
pub(crate) fn doubt(db: &Connection, run: Option<&str>) -> Done<u64> {
    let changed = db.execute(
        "UPDATE outbox SET state = 3 WHERE once = 1 AND kind <> 4 AND state <> 3 \
         AND (?1 IS NULL OR run = (SELECT no FROM run WHERE id = ?1))",
        [run],
    )?;
    if run.is_none() {
        db.execute("DELETE FROM meta WHERE key = 'copy'", [])?;
    }
    Ok(changed as u64)
}
