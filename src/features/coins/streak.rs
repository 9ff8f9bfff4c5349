//! The daily bonus: which days can be claimed and what a claim gives. Pure rules, no database.

use crate::platform::config::CoinsConfig;
use crate::platform::db::row;

row! {
    /// What a user has claimed so far. Days are UTC dates, counted from 1970.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct History {
        pub last_claim_day: Option<i64>,
        pub streak_days: i64,
    }
}

/// What a claim on one day gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub day: i64,
    pub streak_days: i64,
    pub streak_bonus: i64,
    pub coins_awarded: i64,
}

impl History {
    /// The claim of that day, if it is later than the last claimed one. A clock that steps back finds no such day.
    pub fn claim(self, rules: &CoinsConfig, day: i64) -> Option<Claim> {
        let streak_days = match self.last_claim_day {
            Some(last) if day <= last => return None,
            Some(last) if last.saturating_add(1) == day => self.streak_days.saturating_add(1),
            _ => 1,
        };
        let further_days = streak_days.saturating_sub(1);
        let streak_bonus =
            rules.streak_bonus.saturating_mul(further_days).min(rules.streak_bonus_most);
        let coins_awarded = rules.daily_coins.saturating_add(streak_bonus);
        Some(Claim { day, streak_days, streak_bonus, coins_awarded })
    }

    /// The next claim that will be possible: today's, or that of the day after the last.
    pub fn next_claim(self, rules: &CoinsConfig, today: i64) -> Option<Claim> {
        let after_last = self.last_claim_day.map_or(today, |last| last.saturating_add(1));
        self.claim(rules, after_last.max(today))
    }

    /// The streak as it stands: over, once a day was missed.
    pub fn streak_on(self, today: i64) -> i64 {
        match self.last_claim_day {
            Some(last) if last.saturating_add(1) >= today => self.streak_days,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULES: CoinsConfig = CoinsConfig {
        welcome_coins: 0,
        daily_coins: 50,
        streak_bonus: 10,
        streak_bonus_most: 100,
        claim_attempts_a_minute: 1,
        reasons: Vec::new(),
        leavers_kept_days: 0,
    };
    const NEW: History = History { last_claim_day: None, streak_days: 0 };

    fn after(claim: Claim) -> History {
        History { last_claim_day: Some(claim.day), streak_days: claim.streak_days }
    }

    #[test]
    fn each_further_day_in_a_row_gives_more_up_to_the_most() {
        let mut history = NEW;
        let mut awards = Vec::new();
        for day in 100..113 {
            let claim = history.claim(&RULES, day).unwrap();
            awards.push(claim.coins_awarded);
            history = after(claim);
        }
        assert_eq!(awards, [50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 150, 150]);
        assert_eq!(history.streak_days, 13);
    }

    #[test]
    fn a_missed_day_begins_the_streak_anew() {
        let history = History { last_claim_day: Some(100), streak_days: 7 };
        assert_eq!(history.streak_on(101), 7);
        assert_eq!(history.streak_on(102), 0);
        let claim = history.claim(&RULES, 102).unwrap();
        assert_eq!((claim.streak_days, claim.streak_bonus, claim.coins_awarded), (1, 0, 50));
    }

    #[test]
    fn a_day_that_is_not_later_than_the_last_gives_nothing() {
        let history = History { last_claim_day: Some(100), streak_days: 7 };
        for day in [100, 99, 0, -1, i64::MIN] {
            assert_eq!(history.claim(&RULES, day), None);
        }
    }

    proptest! {
        #[test]
        fn any_walk_of_the_clock_gives_each_day_at_most_once_and_never_an_earlier_one(
            days in prop::collection::vec(0_i64..40, 0..60),
        ) {
            let mut history = NEW;
            let mut claimed = Vec::new();
            for day in days {
                let promised = history.next_claim(&RULES, day);
                if let Some(claim) = history.claim(&RULES, day) {
                    prop_assert_eq!(promised, Some(claim));
                    prop_assert_eq!(claim.coins_awarded, 50 + claim.streak_bonus);
                    prop_assert!((0..=100).contains(&claim.streak_bonus));
                    claimed.push(day);
                    history = after(claim);
                }
            }
            prop_assert!(claimed.is_sorted_by(|a, b| a < b));
        }

        #[test]
        fn no_history_and_no_settings_overflow(
            last: Option<i64>, streak_days in 0..i64::MAX, day: i64, step in 0..i64::MAX,
        ) {
            let rules = CoinsConfig { streak_bonus: step, ..RULES };
            let history = History { last_claim_day: last, streak_days };
            if let Some(claim) = history.claim(&rules, day) {
                prop_assert!((50..=150).contains(&claim.coins_awarded));
            }
            history.next_claim(&rules, day);
            history.streak_on(day);
        }
    }
}
