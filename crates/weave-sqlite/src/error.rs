//! SQLite's errors in the words of the contract.

use rusqlite::ErrorCode;
use weave_scroll::StoreError;

/// Why a piece of work inside a transaction failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// SQLite says so. The transaction may be over.
    Sql(rusqlite::Error),
    /// We say so.
    Store(StoreError),
}

pub(crate) type Done<T> = Result<T, Fault>;

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Fault {
    pub(crate) fn into_store(self) -> StoreError {
        match self {
            Self::Sql(error) => store_error(&error),
            Self::Store(error) => error,
        }
    }

    /// Whether the disk no longer does what it is told, so that nothing may be acknowledged any more.
    pub(crate) fn is_io(&self) -> bool {
        matches!(self, Self::Sql(error) if is_io(error))
    }
}

pub(crate) fn is_io(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure)
}

pub(crate) fn store_error(error: &rusqlite::Error) -> StoreError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(text),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly(text),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy(text),
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged(text),
        Some(ErrorCode::NotADatabase) => StoreError::Foreign(text),
        Some(ErrorCode::TooBig) => StoreError::TooLarge { bytes: 0, limit: 1_000_000_000 },
        Some(ErrorCode::SystemIoFailure) => StoreError::Stopped(format!("the disk failed: {text}")),
        Some(_) => StoreError::Io(text),
        None if matches!(error, rusqlite::Error::ToSqlConversionFailure(_)) => StoreError::Misuse(text),
        None => StoreError::Damaged(text),
    }
}
