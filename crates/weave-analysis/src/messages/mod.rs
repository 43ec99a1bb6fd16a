//! What this crate says, one constructor a message.

pub(crate) mod bodies;
pub(crate) mod choices;
pub(crate) mod declarations;
pub(crate) mod flow;
pub(crate) mod scripts;
pub(crate) mod settings;
pub(crate) mod stalls;
pub(crate) mod tools;
