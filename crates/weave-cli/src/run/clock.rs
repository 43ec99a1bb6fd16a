//! The time, real or made up.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use weave_host::{Clock, Pending};

/// Milliseconds since the start of 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_millis());
    since.ok().and_then(|milliseconds| i64::try_from(milliseconds).ok()).unwrap_or_default()
}

/// The clock of the machine.
pub(crate) struct RealClock;

/// The longest that is slept at once: the machine's clock may be set meanwhile, and may sleep itself.
const LONGEST: Duration = Duration::from_secs(60);

impl Clock for RealClock {
    fn now(&self) -> i64 {
        now()
    }

    fn is_virtual(&self) -> bool {
        false
    }

    fn wait(&self, until: i64) -> Pending<'_, ()> {
        Box::pin(async move {
            while let Ok(left) = u64::try_from(until.saturating_sub(now())) {
                if left == 0 {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(left).min(LONGEST)).await;
            }
        })
    }
}

/// A clock that jumps to whatever is waited for.
pub(crate) struct VirtualClock(AtomicI64);

impl VirtualClock {
    /// A clock that begins at this time.
    pub(crate) fn new(start: i64) -> Self {
        Self(AtomicI64::new(start))
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> i64 {
        self.0.load(Ordering::Acquire)
    }

    fn is_virtual(&self) -> bool {
        true
    }

    fn wait(&self, until: i64) -> Pending<'_, ()> {
        self.0.fetch_max(until, Ordering::AcqRel);
        Box::pin(std::future::ready(()))
    }
}
