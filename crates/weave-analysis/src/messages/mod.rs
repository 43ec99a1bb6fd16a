//! What this crate says, one constructor a message.

pub(crate) mod declarations;
