//! Pages of a list: which one is asked for, and the `meta` that says where it lies.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::input::{Complaint, FromInput, Raw};

pub const DEFAULT_PER_PAGE: i64 = 20;
const MOST_PER_PAGE: i64 = 100;

/// A page number from 1, or a page size from 1; a number too large to count is simply past the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtLeastOne(i64);

impl FromInput for AtLeastOne {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let text = match raw {
            Raw::Text(text) => text,
            Raw::Json(Value::Number(number)) => number.to_string(),
            Raw::Json(_) => String::new(),
        };
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if is_number { text.parse().unwrap_or(i64::MAX) } else { 0 };
        if number < 1 {
            return Err(text!("Must be a whole number from 1.").into());
        }
        Ok(Self(number))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Page {
    pub number: i64,
    pub per_page: i64,
}

impl Page {
    pub fn of(number: Option<AtLeastOne>, per_page: Option<AtLeastOne>) -> Self {
        Self {
            number: number.map_or(1, |page| page.0),
            per_page: per_page.map_or(DEFAULT_PER_PAGE, |size| size.0.min(MOST_PER_PAGE)),
        }
    }

    /// A page only if either parameter asks for one; otherwise the whole list.
    pub fn asked(number: Option<AtLeastOne>, per_page: Option<AtLeastOne>) -> Option<Self> {
        (number.is_some() || per_page.is_some()).then(|| Self::of(number, per_page))
    }

    /// For the statement that reads this page, or the whole list.
    pub fn limit_and_offset(page: Option<Self>) -> (i64, i64) {
        page.map_or((i64::MAX, 0), |page| (page.per_page, page.offset()))
    }

    pub fn offset(self) -> i64 {
        self.number.saturating_sub(1).saturating_mul(self.per_page)
    }

    /// Of a list that is sent whole: one page, which holds everything.
    pub fn whole(total: i64) -> PageMeta {
        Self { number: 1, per_page: total.max(1) }.meta(total)
    }

    /// Of the page that is asked for, or of the whole list.
    pub fn meta_of(page: Option<Self>, total: i64) -> PageMeta {
        page.map_or_else(|| Self::whole(total), |page| page.meta(total))
    }

    pub fn meta(self, total: i64) -> PageMeta {
        let last_page = total.saturating_add(self.per_page - 1) / self.per_page;
        PageMeta {
            current_page: self.number,
            last_page: last_page.max(1),
            per_page: self.per_page,
            total,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct PageMeta {
    /// The page that this is, from 1.
    #[schema(example = 1)]
    current_page: i64,
    /// The last page that has anything; 1 for an empty list.
    #[schema(example = 3)]
    last_page: i64,
    /// How many a page has at most. A list that is sent whole is one page of all it has.
    #[schema(example = 20)]
    per_page: i64,
    /// How many there are on all pages.
    #[schema(example = 42)]
    total: i64,
}

/// Where the page lies, beside other fields of a `meta`; nothing where the list is sent whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct AskedPageMeta {
    /// The page that this is, from 1. This and the three that follow are there if `page` or `per_page` is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, example = 1)]
    current_page: Option<i64>,
    /// The last page that has anything; 1 for an empty list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, example = 7)]
    last_page: Option<i64>,
    /// How many a page has at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, example = 20)]
    per_page: Option<i64>,
    /// How many there are on all pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, example = 128)]
    total: Option<i64>,
}

impl AskedPageMeta {
    pub fn of(page: Option<Page>, total: i64) -> Self {
        page.map_or_else(Self::default, |page| {
            let PageMeta { current_page, last_page, per_page, total } = page.meta(total);
            Self {
                current_page: Some(current_page),
                last_page: Some(last_page),
                per_page: Some(per_page),
                total: Some(total),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<AtLeastOne> {
        AtLeastOne::from_input(Raw::Text(text.to_owned())).ok()
    }

    #[test]
    fn a_page_is_a_number_from_one_and_one_beyond_counting_is_past_the_end() {
        assert_eq!(read("1"), Some(AtLeastOne(1)));
        for wrong in ["0", "-1", "", "two", "1.5", "+1", " 1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(Page::of(read("9223372036854775808"), None).offset(), i64::MAX);
        assert_eq!(Page::of(None, read("1000")).per_page, MOST_PER_PAGE);
    }

    proptest! {
        #[test]
        fn whatever_page_is_taken_can_be_counted(
            number in prop_oneof!["\\PC{0,30}", "[+-]?[0-9]{1,30}"], size in "[0-9]{1,30}", total in 0..=i64::MAX,
        ) {
            let [number, size] = [number, size].map(|text| read(&text));
            let page = Page::of(number, size);
            prop_assert!(page.number >= 1 && (1..=MOST_PER_PAGE).contains(&page.per_page));
            prop_assert!(page.offset() >= 0);
            let meta = page.meta(total);
            prop_assert!(meta.last_page >= 1 && meta.last_page <= total.max(1));
        }
    }

    #[test]
    fn an_empty_list_has_one_page() {
        assert_eq!(Page::of(None, None).meta(0).last_page, 1);
        assert_eq!(Page::of(None, None).meta(41).last_page, 3);
        let PageMeta { current_page, last_page, per_page, total } = Page::whole(0);
        assert_eq!((current_page, last_page, per_page, total), (1, 1, 1, 0));
        let PageMeta { last_page, per_page, .. } = Page::meta_of(None, 250);
        assert_eq!((last_page, per_page), (1, 250));
    }
}
