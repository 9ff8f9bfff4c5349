//! Who may do what to whom in a room, by its power levels.

use serde_json::{Map, Value, json};

/// Below what anybody needs to speak.
const MUTED: i64 = -1;

/// What moderators have done in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Redact,
    Kick,
    Ban,
    /// Giving somebody another level.
    SetLevel,
}

/// The power levels of a room, as its state has them.
#[derive(Debug, Clone)]
pub struct Levels(Map<String, Value>);

impl Levels {
    pub fn new(content: Value) -> Self {
        match content {
            Value::Object(fields) => Self(fields),
            _ => Self(Map::new()),
        }
    }

    fn level(&self, field: &str, otherwise: i64) -> i64 {
        self.0.get(field).and_then(Value::as_i64).unwrap_or(otherwise)
    }

    pub fn of(&self, matrix_id: &str) -> i64 {
        let own =
            self.0.get("users").and_then(|users| users.get(matrix_id)).and_then(Value::as_i64);
        own.unwrap_or_else(|| self.level("users_default", 0))
    }

    fn needed(&self, deed: Deed) -> i64 {
        match deed {
            Deed::Redact => self.level("redact", 50),
            Deed::Kick => self.level("kick", 50),
            Deed::Ban => self.level("ban", 50),
            Deed::SetLevel => {
                let own = self.0.get("events").and_then(|events| events.get("m.room.power_levels"));
                own.and_then(Value::as_i64).unwrap_or_else(|| self.level("state_default", 50))
            }
        }
    }

    /// Whether somebody may do this to somebody else. A message is taken away whoever wrote it; all else takes more power than
    /// the other has.
    pub fn may(&self, who: &str, deed: Deed, whom: &str) -> bool {
        let level = self.of(who);
        level >= self.needed(deed) && (deed == Deed::Redact || level > self.of(whom))
    }

    /// Those who have a level of their own, the highest first.
    pub fn named(&self) -> Vec<&str> {
        let users = self.0.get("users").and_then(Value::as_object);
        let mut named: Vec<&str> =
            users.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        named.sort_by_key(|name| std::cmp::Reverse(self.of(name)));
        named
    }

    pub fn is_muted(&self, matrix_id: &str) -> bool {
        self.of(matrix_id) <= MUTED
    }

    pub fn with_muted(&self, matrix_id: &str) -> Value {
        self.with_level(matrix_id, MUTED)
    }

    pub fn with_level(&self, matrix_id: &str, level: i64) -> Value {
        self.with_users(|users| users.insert(matrix_id.to_owned(), level.into()))
    }

    /// The levels with somebody as everybody is.
    pub fn without(&self, matrix_id: &str) -> Value {
        self.with_users(|users| users.remove(matrix_id))
    }

    fn with_users(&self, change: impl FnOnce(&mut Map<String, Value>) -> Option<Value>) -> Value {
        let mut fields = self.0.clone();
        let users = fields.entry("users").or_insert_with(|| json!({}));
        if let Some(users) = users.as_object_mut() {
            change(users);
        }
        Value::Object(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> Levels {
        Levels::new(json!({"users": {"@bot:s": 100, "@mod:s": 50, "@quiet:s": -1}, "ban": 60}))
    }

    #[test]
    fn more_power_than_the_other_is_needed_but_to_take_a_message_away() {
        let levels = levels();
        assert!(levels.may("@bot:s", Deed::Ban, "@mod:s"));
        assert!(levels.may("@mod:s", Deed::Kick, "@fan:s"));
        assert!(!levels.may("@mod:s", Deed::Ban, "@fan:s"));
        assert!(!levels.may("@mod:s", Deed::Kick, "@bot:s"));
        assert!(levels.may("@mod:s", Deed::Redact, "@bot:s"));
        assert!(!levels.may("@fan:s", Deed::Redact, "@mod:s"));
        assert!(!levels.may("@bot:s", Deed::SetLevel, "@bot:s"));
    }

    #[test]
    fn whoever_is_muted_has_less_than_nothing_until_they_are_as_everybody() {
        let levels = levels();
        assert!(levels.is_muted("@quiet:s") && !levels.is_muted("@fan:s"));
        assert!(Levels::new(levels.with_muted("@fan:s")).is_muted("@fan:s"));
        let back = Levels::new(levels.without("@quiet:s"));
        assert!(!back.is_muted("@quiet:s"));
        assert_eq!((back.of("@mod:s"), back.named()), (50, vec!["@bot:s", "@mod:s"]));
    }

    #[test]
    fn levels_that_are_no_levels_are_those_of_the_protocol() {
        for strange in [json!(null), json!([]), json!({"users": 5, "kick": "all"})] {
            let levels = Levels::new(strange);
            assert_eq!((levels.of("@a:s"), levels.needed(Deed::Kick)), (0, 50));
            assert!(levels.named().is_empty());
        }
    }
}
