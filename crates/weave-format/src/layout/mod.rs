//! What stands between the tokens of each construct.

mod blocks;
mod items;
mod nodes;
mod scripts;
mod types;
mod values;

pub(crate) use items::item;
