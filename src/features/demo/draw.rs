//! Numbers that look drawn and are not: the same seed and the same words always give the same number.

/// A place in the tree of all numbers that a seed gives; words and numbers lead on from it.
#[derive(Debug, Clone, Copy)]
pub struct Draw(u64);

impl Draw {
    pub const fn new(seed: i64) -> Self {
        Self(mix(seed.cast_unsigned()))
    }

    #[must_use]
    pub fn with(self, word: &str) -> Self {
        Self(word.bytes().fold(mix(self.0), |state, byte| mix(state ^ u64::from(byte))))
    }

    #[must_use]
    pub const fn and(self, number: i64) -> Self {
        Self(mix(self.0 ^ mix(number.cast_unsigned())))
    }

    /// A number from 0 to just below the limit.
    pub fn below(self, limit: i64) -> i64 {
        i64::try_from(self.0 >> 1).unwrap_or(0).checked_rem(limit).unwrap_or(0)
    }

    /// Whether something happens that does so many times in a hundred.
    pub fn is_within(self, percent: i64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T>(self, from: &[T]) -> Option<&T> {
        let length = i64::try_from(from.len()).unwrap_or(0);
        usize::try_from(self.below(length)).ok().and_then(|at| from.get(at))
    }
}

/// One step of splitmix64, whose neighbouring inputs give outputs that have nothing in common.
const fn mix(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_give_the_same_number_and_others_another() {
        let draw = Draw::new(7);
        assert_eq!(draw.with("goal").and(3).below(1_000), draw.with("goal").and(3).below(1_000));
        let all: std::collections::BTreeSet<i64> =
            (0..1_000).map(|number| draw.with("goal").and(number).below(i64::MAX)).collect();
        assert_eq!(all.len(), 1_000);
        assert_ne!(draw.with("ab").below(i64::MAX), draw.with("ba").below(i64::MAX));
        assert_eq!(draw.below(0), 0);
        assert_eq!(draw.pick::<u8>(&[]), None);
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let hits = (0..10_000).filter(|number| Draw::new(1).and(*number).is_within(30)).count();
        assert!((2_800..3_200).contains(&hits), "{hits}");
    }
}
