//! How much work repairs may cost, so that any text is read in time that is linear in its length.

/// What is left to spend, in nodes of the search.
#[derive(Debug)]
pub(crate) struct Budget {
    file: u32,
    item: u32,
}

/// The most that one repair may cost, that all repairs of an item may, and that all of a file may.
const REPAIR: u32 = 800;
const ITEM: u32 = 12_000;
const FILE: u32 = 200_000;

/// What one repair may cost when the file's share is spent.
const LEAST: u32 = 24;

impl Default for Budget {
    fn default() -> Self {
        Self { file: FILE, item: ITEM }
    }
}

impl Budget {
    pub(crate) fn start_item(&mut self) {
        self.item = ITEM;
    }

    /// How many nodes the next repair may have.
    pub(crate) fn next(&self) -> u32 {
        REPAIR.min(self.item).min(self.file.max(LEAST))
    }

    pub(crate) fn spend(&mut self, nodes: u32) {
        self.file = self.file.saturating_sub(nodes);
        // Even a cheap repair costs something, so an item cannot have any number of them.
        self.item = self.item.saturating_sub(nodes.max(LEAST));
    }

    /// What is left for the file.
    pub(crate) const fn left(&self) -> u32 {
        self.file
    }

    /// What was spent since so much was left; nothing if a repair in between may have been cut short because the file's share came to its end.
    pub(crate) fn cost_since(&self, left: u32) -> Option<u32> {
        (self.file >= REPAIR).then(|| left.saturating_sub(self.file))
    }

    /// Spends what an item has cost before. Whether there is so much that it would cost the same again.
    pub(crate) fn spend_again(&mut self, cost: u32) -> bool {
        let left = self.file.checked_sub(cost).filter(|left| *left >= REPAIR);
        self.file = left.unwrap_or(self.file);
        left.is_some()
    }

    /// Whether nothing is left for this item.
    pub(crate) fn is_spent(&self) -> bool {
        self.item == 0
    }
}
