//! Which user a request turned out to be of, told to what is around its handler.

use std::cell::Cell;

tokio::task_local! {
    static CALLER: Cell<Option<i64>>;
}

/// The request that this task answers is this user's.
pub fn is(user: i64) {
    // Nobody asks where no request is answered.
    let _ = CALLER.try_with(|caller| caller.set(Some(user)));
}

/// Answers a request, and tells whose it was.
pub async fn of<F: Future>(answering: F) -> (F::Output, Option<i64>) {
    let telling = async { (answering.await, CALLER.with(Cell::get)) };
    CALLER.scope(Cell::new(None), telling).await
}
