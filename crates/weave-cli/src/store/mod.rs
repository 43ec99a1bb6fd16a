//! Commands on the store of runs, also while another process drives runs in it.
//!
//! Those that look open the store for reading; those that say something to a run post an event into its inbox, and the process
//! that drives the run takes it.
//!
//! - `place` opens the store and finds the run, `view` is one run with all that is known of it;
//! - `open` has what can be answered, `waits` what a run waits for, in words and as JSON;
//! - `list` is `weave runs`; `show` and `steps` are `weave show`; `send`, `answer` and `cancel` post, and `post` waits for the effect;
//! - `keep` is `weave export`, `prune` and `backup`;
//! - `fit` holds values to schemas, `secrets` hides what must not be seen, `words` has times and lengths.

mod answer;
mod cancel;
mod fit;
mod keep;
mod list;
mod open;
mod place;
mod post;
mod secrets;
mod send;
mod show;
mod steps;
mod view;
mod waits;
mod words;

pub(crate) use answer::answer;
pub(crate) use cancel::cancel;
pub(crate) use keep::{backup, export, prune};
pub(crate) use list::runs;
pub(crate) use send::send;
pub(crate) use show::show;
