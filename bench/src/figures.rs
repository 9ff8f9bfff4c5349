//! Small arithmetic on measurements.

use std::time::Duration;

pub fn float(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

pub fn float_of(count: usize) -> f64 {
    float(u64::try_from(count).unwrap_or(u64::MAX))
}

pub fn per_second(count: u64, took: Duration) -> f64 {
    float(count) / took.as_secs_f64()
}

pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// What was measured in several rounds.
#[derive(Debug, Clone, Default)]
pub struct Rounds(Vec<f64>);

impl Rounds {
    pub fn push(&mut self, figure: f64) {
        self.0.push(figure);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn median(&self) -> f64 {
        self.percentile(50)
    }

    /// What so many of a hundred do not exceed.
    pub fn percentile(&self, of_hundred: usize) -> f64 {
        let sorted = self.sorted();
        sorted.get(sorted.len() * of_hundred / 100).copied().unwrap_or(f64::NAN)
    }

    pub fn least(&self) -> f64 {
        self.sorted().first().copied().unwrap_or(f64::NAN)
    }

    pub fn most(&self) -> f64 {
        self.sorted().last().copied().unwrap_or(f64::NAN)
    }

    /// Of neighbouring rounds, so that a machine that is busy for a while spoils few of them.
    pub fn ratios_to(&self, ceiling: &Self) -> Self {
        Self(self.0.iter().zip(&ceiling.0).map(|(ours, ceiling)| ours / ceiling).collect())
    }

    fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }
}

/// Numbers that wander over a range, without a random source to wait for.
#[derive(Debug)]
pub struct Wander(pub u64);

impl Wander {
    pub fn below(&mut self, limit: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap_or(0).rem_euclid(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_of_neighbouring_rounds() {
        let (ours, ceiling) = (Rounds(vec![5.0, 50.0, 6.0]), Rounds(vec![10.0, 100.0, 10.0]));
        let ratios = ours.ratios_to(&ceiling);
        assert!((ratios.median() - 0.5).abs() < 1e-9);
        assert!((ratios.most() - 0.6).abs() < 1e-9);
    }
}
