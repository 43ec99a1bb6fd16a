//! The host of workflow runs: tasks, queues and the clock around [`weave_drive`].
//!
//! An [`Engine`] owns the runs of one process. It executes what their drives want done: it writes to the [`weave_scroll::Store`], and
//! it starts a task for each call. Who does the work comes in as traits, so that providers, HTTP, MCP, a person at the terminal and
//! made-up answers stand in the same places:
//!
//! - [`Models`]: one turn of a model;
//! - [`Tools`]: a call of a tool, and the hydration of a prompt;
//! - [`People`]: approvals, interactions, and whatever else is answered from outside;
//! - [`Outside`]: events that are made up while a run waits for them (`--mock`);
//! - [`Clock`]: what time it is;
//! - [`Watch`]: what people and programs see of it.
//!
//! `engine` has the loop, `perform` what becomes of each output of a drive, `load` how a run is read from the store.

mod engine;
mod load;
mod peers;
mod perform;
mod watch;

pub use engine::{Engine, EngineError, Handle, Started, Stopped, Until};
pub use load::{look, prepared};
pub use peers::{Clock, Context, Models, Outside, Peers, Pending, People, Question, ToolCall, Tools};
pub use watch::{Notice, Watch};
pub use weave_drive::{Ask, Drive, Finish, Item, ItemKind, Key, Message, ModelCall, ModelTurn, Offer, Outcome, REVISION, Settings};
