//! Which of several possible values is taken.

/// How values are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By the place of the value and this number, counted from 0. Fillings 0 and 1 are on different sides of the constants in guards,
    /// in every place; later ones mix the sides.
    Filling(u32),
    /// By this state of a random sequence, which goes on with each choice.
    Random(u64),
}

impl Choice {
    /// One of `count` alternatives for the value at this place. The first two are the two sides.
    pub(crate) fn pick(&mut self, place: &str, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        match self {
            Self::Filling(filling @ (0 | 1)) => *filling as usize,
            Self::Filling(filling) => below(mix(hash(place) ^ u64::from(*filling)), count),
            Self::Random(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                below(mix(*state), count)
            }
        }
    }

    /// Whether values are random.
    pub(crate) const fn is_random(&self) -> bool {
        matches!(self, Self::Random(_))
    }
}

fn below(number: u64, count: usize) -> usize {
    let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
    usize::try_from(number % count).unwrap_or_default()
}

/// The output function of SplitMix64.
const fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
