//! A page of matches as it is sent, but for how many predictions each has: those change with every prediction, all else rarely.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;

use crate::platform::error::{Error, Result};

use super::counts::{Counts, MatchCount};

/// What the count of a match is written as in a piece, which ends with it.
const NO_COUNT: &[u8] = b"0}";

pub struct PreparedPage {
    /// Each match up to its count.
    pieces: Vec<(Vec<u8>, Arc<MatchCount>)>,
    /// What follows the last one.
    end: Vec<u8>,
    /// The page as it was last sent, and how many changes of counts had come before.
    last: Mutex<Option<(u64, Bytes)>>,
}

impl PreparedPage {
    /// Of views that end with their count, which is 0, and the counts.
    pub fn new<V: Serialize>(
        views: &[V],
        counts: Vec<Arc<MatchCount>>,
        meta: &impl Serialize,
    ) -> Result<Self> {
        let meta = serde_json::to_string(meta).map_err(Error::internal)?;
        Self::ending(views, counts, format!("],\"meta\":{meta}}}\n"))
    }

    /// The same without anything about the list as a whole.
    pub fn alone<V: Serialize>(views: &[V], counts: Vec<Arc<MatchCount>>) -> Result<Self> {
        Self::ending(views, counts, "]}\n".to_owned())
    }

    fn ending<V: Serialize>(
        views: &[V],
        counts: Vec<Arc<MatchCount>>,
        end: String,
    ) -> Result<Self> {
        let piece = |(view, count): (&V, Arc<MatchCount>)| {
            let mut json = serde_json::to_vec(view).map_err(Error::internal)?;
            if !json.ends_with(NO_COUNT) {
                return Err(Error::internal("a match in a list does not end with its count"));
            }
            json.truncate(json.len() - NO_COUNT.len());
            Ok((json, count))
        };
        let pieces = views.iter().zip(counts).map(piece).collect::<Result<_>>()?;
        Ok(Self { pieces, end: end.into(), last: Mutex::default() })
    }

    pub fn with(&self, counts: &Counts) -> Bytes {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the numbers are looked at: one that comes in between is told again with the next page.
        let changes = counts.changes.so_far();
        match &*last {
            Some((then, page)) if *then == changes => page.clone(),
            _ => {
                let page = self.put_together();
                *last = Some((changes, page.clone()));
                page
            }
        }
    }

    fn put_together(&self) -> Bytes {
        let size: usize = self.pieces.iter().map(|(piece, _)| piece.len() + 24).sum();
        let mut page = Vec::with_capacity(size + self.end.len() + 16);
        page.extend_from_slice(b"{\"data\":[");
        for (at, (piece, count)) in self.pieces.iter().enumerate() {
            if at > 0 {
                page.push(b',');
            }
            page.extend_from_slice(piece);
            page.extend_from_slice(count.sum().to_string().as_bytes());
            page.push(b'}');
        }
        page.extend_from_slice(&self.end);
        page.into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::EventId;
    use super::*;

    #[derive(Serialize)]
    struct View {
        name: &'static str,
        predictions_count: i64,
    }

    #[test]
    fn a_page_has_the_counts_of_the_moment() {
        let (one, other) = (EventId(1), EventId(2));
        let view = |name| View { name, predictions_count: 0 };
        let counts = Counts::default();
        let numbers = counts.learn(&[one, other], vec![(one, 0, 12)]);
        let page =
            PreparedPage::new(&[view("a"), view("b")], numbers, &json!({"total": 2})).unwrap();
        let shown = || -> Value { serde_json::from_slice(&page.with(&counts)).unwrap() };
        let expected = |first: i64, second: i64| {
            json!({"data": [{"name": "a", "predictions_count": first},
                            {"name": "b", "predictions_count": second}], "meta": {"total": 2}})
        };
        assert_eq!(shown(), expected(12, 0));
        counts.tell(other, (5, 1));
        assert_eq!(shown(), expected(12, 1));
    }

    #[test]
    fn a_page_without_matches_is_one_too() {
        let page = PreparedPage::new::<View>(&[], Vec::new(), &json!({})).unwrap();
        assert_eq!(&page.with(&Counts::default())[..], b"{\"data\":[],\"meta\":{}}\n");
        let page = PreparedPage::alone::<View>(&[], Vec::new()).unwrap();
        assert_eq!(&page.with(&Counts::default())[..], b"{\"data\":[]}\n");
    }
}
