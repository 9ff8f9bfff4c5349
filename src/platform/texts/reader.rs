//! Whom the answer of this task is for.

use std::cell::Cell;

use http::HeaderMap;

use crate::platform::language::Language;

tokio::task_local! {
    static READER: Reader;
}

/// What is known of a reader's language: what their request asks for, and what they have chosen for good.
pub struct Reader {
    asks_for: Option<Language>,
    prefers: Cell<Option<Language>>,
}

impl Reader {
    /// Whoever sent a request with these headers.
    pub fn of(headers: &HeaderMap) -> Self {
        Self { asks_for: Language::accepted(headers), prefers: Cell::new(None) }
    }

    pub fn scope<F: Future>(self, answer: F) -> impl Future<Output = F::Output> {
        READER.scope(self, answer)
    }
}

/// It has turned out who is asking, and that they have chosen this language.
pub fn prefers(language: Option<Language>) {
    // Outside a request nobody is asking.
    let _ = READER.try_with(|reader| reader.prefers.set(language));
}

/// Does something for a reader of this language, away from the task of their request.
pub fn speaking<T>(language: Language, write: impl FnOnce() -> T) -> T {
    let reader = Reader { asks_for: Some(language), prefers: Cell::new(None) };
    READER.sync_scope(reader, write)
}

/// The language that the request of this task asks for, else its user's own, as far as either is known.
pub fn wanted() -> Option<Language> {
    READER.try_with(|reader| reader.asks_for.or(reader.prefers.get())).ok().flatten()
}

/// The language in which this task answers: the wanted one, else English.
pub fn speaks() -> Language {
    wanted().unwrap_or_default()
}
