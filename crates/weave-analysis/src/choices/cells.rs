//! Sets of cells: the pieces into which the values of one variable fall.

/// Some of the cells of a variable, as bits. Sets of one variable are equally long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    words: Box<[u64]>,
}

impl Cells {
    /// No cell of a variable with so many.
    pub(super) fn none(count: u32) -> Self {
        Self { words: vec![0; (count as usize).div_ceil(64)].into() }
    }

    /// One cell of a variable with so many.
    pub(super) fn one(count: u32, cell: u32) -> Self {
        let mut cells = Self::none(count);
        cells.insert(cell);
        cells
    }

    /// The cells from one on, up to another, of a variable with so many.
    pub(super) fn range(count: u32, range: std::ops::Range<u32>) -> Self {
        let mut cells = Self::none(count);
        cells.insert_range(range);
        cells
    }

    pub(super) fn insert(&mut self, cell: u32) {
        if let Some(word) = self.words.get_mut(cell as usize / 64) {
            *word |= 1 << (cell % 64);
        }
    }

    pub(super) fn insert_range(&mut self, range: std::ops::Range<u32>) {
        let mut cell = range.start;
        while cell < range.end {
            // Whole words at once: a variable may have thousands of cells.
            let here = (64 - cell % 64).min(range.end - cell);
            let mask = if here == 64 { u64::MAX } else { ((1 << here) - 1) << (cell % 64) };
            if let Some(word) = self.words.get_mut(cell as usize / 64) {
                *word |= mask;
            }
            cell += here;
        }
    }

    pub(super) fn has(&self, cell: u32) -> bool {
        self.words.get(cell as usize / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// What it costs to look at it.
    pub(super) fn cost(&self) -> usize {
        self.words.len()
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(one, other)| one & other != 0)
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(one, other)| one & !other == 0)
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(one, other)| one & other).collect() }
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(one, other)| one | other).collect() }
    }

    pub(super) fn without(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(one, other)| one & !other).collect() }
    }

    /// The cells in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(index as u32 * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_go_over_words() {
        for (from, to) in [(0, 0), (0, 1), (3, 64), (63, 65), (0, 128), (64, 130), (5, 190)] {
            let cells = Cells::range(200, from..to);
            assert_eq!(cells.iter().collect::<Vec<_>>(), (from..to).collect::<Vec<_>>());
        }
    }

    #[test]
    fn sets_are_sets() {
        let (one, other) = (Cells::range(100, 10..70), Cells::range(100, 60..90));
        assert_eq!(one.and(&other), Cells::range(100, 60..70));
        assert_eq!(one.or(&other), Cells::range(100, 10..90));
        assert_eq!(one.without(&other), Cells::range(100, 10..60));
        assert!(one.meets(&other) && !one.is_within(&other) && one.and(&other).is_within(&other));
        assert!(Cells::none(100).is_empty() && Cells::one(100, 99).has(99));
    }
}
