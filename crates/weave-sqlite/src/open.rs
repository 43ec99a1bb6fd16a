//! Opening a store.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use weave_scroll::StoreError;

use crate::error::{Done, Fault};
use crate::nodes::Held;
use crate::place::{beside, file_error, folder, refuse_network, sync_folder};
use crate::schema::{self, Found};
use crate::writer::{Writer, recover};

/// The oldest SQLite that is safe with two connections (sqlite.org/wal.html#walresetbug).
const OLDEST: i32 = 3_051_003;

/// How a store is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Makes the store and its folder if there is none.
    pub create: bool,
    /// Opens it for reading only; also one in a folder that cannot be written.
    pub read_only: bool,
    /// How long a write waits for other processes.
    pub patience: Duration,
    /// The most pages of 4 KiB that the file may have.
    pub most_pages: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { create: true, read_only: false, patience: Duration::from_secs(10), most_pages: None }
    }
}

/// A store of durable runs in one SQLite file.
pub struct SqliteStore {
    pub(crate) writer: Writer,
    pub(crate) held: Arc<Held>,
    readers: Mutex<Vec<Connection>>,
    pub(crate) watcher: Mutex<Connection>,
    pub(crate) path: PathBuf,
    immutable: bool,
    read_only: bool,
    /// The lock that says that this process has the store open.
    _open: Option<File>,
}

impl SqliteStore {
    /// Opens the store at `path`.
    ///
    /// # Errors
    ///
    /// Any [`StoreError`]; a store of a newer format, a file of another program and a damaged one are left as they are.
    pub fn open(path: &Path, options: &Options) -> Result<Self, StoreError> {
        if rusqlite::version_number() < OLDEST {
            return Err(StoreError::Unsafe(format!("SQLite {} loses commits; 3.51.3 is the oldest that does not", rusqlite::version())));
        }
        if options.read_only { Self::open_for_reading(path) } else { Self::open_for_work(path, options) }
    }

    fn open_for_work(path: &Path, options: &Options) -> Result<Self, StoreError> {
        if options.create {
            std::fs::create_dir_all(folder(path)).map_err(|error| file_error(folder(path), &error))?;
        } else if !path.exists() {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        refuse_network(path)?;
        let db = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        let open = prepare(db, path, options).map_err(Fault::into_store)?;
        let (db, lock) = open;
        let held = Arc::<Held>::new(Held::new(path));
        let watcher = reader(path, false)?;
        let writer = Writer::start(db, path).map_err(Fault::into_store)?;
        Ok(Self {
            writer,
            held,
            readers: Mutex::default(),
            watcher: Mutex::new(watcher),
            path: path.to_owned(),
            immutable: false,
            read_only: false,
            _open: Some(lock),
        })
    }

    fn open_for_reading(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        refuse_network(path)?;
        // Without a log, the file cannot change as long as its folder is read-only.
        let log = std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
        let try_open = |immutable| -> Result<Connection, StoreError> {
            let db = reader(path, immutable)?;
            match schema::look(&db).map_err(Fault::into_store)? {
                Found::Store => Ok(db),
                Found::Nothing => Err(StoreError::Foreign("it has no tables".to_owned())),
            }
        };
        let (watcher, immutable) = match try_open(false) {
            Ok(db) => (db, false),
            Err(error @ (StoreError::ReadOnly(_) | StoreError::Io(_))) if log => return Err(error),
            Err(StoreError::ReadOnly(_) | StoreError::Io(_)) => (try_open(true)?, true),
            Err(error) => return Err(error),
        };
        Ok(Self {
            writer: Writer::none(),
            held: Arc::new(Held::new(path)),
            readers: Mutex::default(),
            watcher: Mutex::new(watcher),
            path: path.to_owned(),
            immutable,
            read_only: true,
            _open: None,
        })
    }

    /// Reads with a connection of its own, in one snapshot.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Done<T>) -> Result<T, StoreError> {
        let spare = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let db = match spare {
            Some(db) => db,
            None => reader(&self.path, self.immutable)?,
        };
        let result = (|| {
            db.prepare_cached("BEGIN")?.execute([])?;
            let result = read(&db);
            db.prepare_cached("COMMIT")?.execute([])?;
            result
        })();
        if db.is_autocommit() {
            self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(db);
        }
        result.map_err(Fault::into_store)
    }

    /// Whether it was opened for reading only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Where the store is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Opens the file, with the settings that every connection has.
fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|error| match error.sqlite_error_code() {
        // SQLite does not say why; the file system may.
        Some(ErrorCode::CannotOpen) => match File::options().read(true).append(true).open(folder(path).join(".")) {
            Err(why) if why.kind() == std::io::ErrorKind::PermissionDenied => StoreError::ReadOnly(format!("{}: {why}", path.display())),
            _ => cannot_open(path),
        },
        _ => crate::error::store_error(&error),
    })?;
    let settings = || -> rusqlite::Result<()> {
        db.busy_timeout(Duration::from_secs(10))?;
        db.set_prepared_statement_cache_capacity(128);
        db.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;")
    };
    settings().map_err(|error| crate::error::store_error(&error))?;
    Ok(db)
}

fn cannot_open(path: &Path) -> StoreError {
    let folder_is_read_only = std::fs::metadata(folder(path)).is_ok_and(|folder| folder.permissions().readonly());
    let text = format!("{} cannot be opened", path.display());
    if folder_is_read_only { StoreError::ReadOnly(text) } else { StoreError::Io(text) }
}

/// A connection that cannot write.
pub(crate) fn reader(path: &Path, immutable: bool) -> Result<Connection, StoreError> {
    let db = if immutable {
        let mut name = String::from("file:");
        for byte in path.as_os_str().as_encoded_bytes() {
            match byte {
                b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => name.push(char::from(*byte)),
                _ => name += &format!("%{byte:02X}"),
            }
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        connect(Path::new(&(name + "?immutable=1")), flags)?
    } else {
        match connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE) {
            Err(StoreError::ReadOnly(_) | StoreError::Io(_)) => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
            other => other?,
        }
    };
    db.execute_batch("PRAGMA query_only = ON").map_err(|error| crate::error::store_error(&error))?;
    Ok(db)
}

/// Makes the file a store with all settings, repairs what an end without order left, and says that the store is open.
fn prepare(mut db: Connection, path: &Path, options: &Options) -> Done<(Connection, File)> {
    db.busy_timeout(options.patience)?;
    // Nothing is written before it is clear that this is our file.
    schema::look(&db)?;
    if db.is_readonly("main")? {
        return Err(StoreError::ReadOnly(path.display().to_string()).into());
    }
    let (lock, alone) = lock(path)?;
    let unclean = std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0) || beside(path, "-unsynced").exists();
    let mode: String = db.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Unsafe(format!("SQLite keeps no log there (`{mode}`)")).into());
    }
    db.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA wal_autocheckpoint = 0; \
         PRAGMA cache_size = -8000; PRAGMA journal_size_limit = 67108864;",
    )?;
    if let Some(pages) = options.most_pages {
        db.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| row.get::<_, i64>(0))?;
    }
    if alone && unclean {
        recover(&db, path)?;
    }
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let new = matches!(schema::look(&transaction)?, Found::Nothing);
    if new {
        schema::create(&transaction)?;
    } else if schema::get(&transaction, "copy")?.is_some() {
        crate::copy::doubt(&transaction, None)?;
    }
    transaction.commit()?;
    // If the disk failed while SQLite switched to its log, it answered "wal" above and went on without one.
    let mode: String = db.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != "wal" || !beside(path, "-wal").exists() {
        return Err(StoreError::Stopped("the disk failed while the store was opened".to_owned()).into());
    }
    if new {
        sync_folder(path)?;
    }
    if alone {
        // Not every system can downgrade a lock, so it is released first. A process that takes it meanwhile finds nothing to repair.
        lock.unlock().and_then(|()| lock.lock_shared()).map_err(|error| file_error(path, &error))?;
    }
    Ok((db, lock))
}

/// Locks the file that says which processes have the store open: alone if no other has, else shared.
fn lock(path: &Path) -> Result<(File, bool), StoreError> {
    let name = beside(path, "-open");
    let file = File::options().create(true).truncate(false).read(true).write(true).open(&name);
    let file = file.map_err(|error| file_error(&name, &error))?;
    match file.try_lock() {
        Ok(()) => Ok((file, true)),
        Err(TryLockError::WouldBlock) => {
            // Another one has it open, or opens it now: then its repair is waited for.
            file.lock_shared().map_err(|error| file_error(&name, &error))?;
            Ok((file, false))
        }
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
            Err(StoreError::Unsafe(format!("{} is on a file system without locks", path.display())))
        }
        Err(TryLockError::Error(error)) => Err(file_error(&name, &error)),
    }
}
