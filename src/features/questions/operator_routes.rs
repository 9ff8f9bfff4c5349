//! Special tips as operators open, settle, correct and void them.

use axum::extract::{FromRef, State as Shared};
use http::StatusCode;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, Operator, guard};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::moments::Moment;
use crate::platform::http::page::PageMeta;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, WithMessage};

use super::Change;
use super::routes::QuestionsQuery;
use super::seen::{self, QuestionView};
use super::values::{
    CountsIn, NewQuestion, Picks, QuestionId, QuestionText, QuestionVoidReason, TipPoints,
};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(find_questions, open_question))
        .routes(routes!(look_at_question, change_question))
        .routes(routes!(settle_question))
        .routes(routes!(void_question))
}

/// List questions. What was picked is counted when they are closed.
#[utoipa::path(get, path = "/api/admin/questions", tag = "Operators", security(("operator" = ["viewer"])),
    params(QuestionsQuery), responses((status = 200, body = Listed<QuestionView, PageMeta>)))]
async fn find_questions(
    Shared(core): Shared<Core>,
    _: guard::Viewer,
    Params(query): Params<QuestionsQuery>,
) -> Result<Json<Listed<QuestionView, PageMeta>>> {
    query.list(&core, None).await
}

/// Show a question.
#[utoipa::path(get, path = "/api/admin/questions/{question}", tag = "Operators", security(("operator" = ["viewer"])),
    params(("question" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<QuestionView>),
    (status = 404, description = "There is no such question", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn look_at_question(
    Shared(core): Shared<Core>,
    _: guard::Viewer,
    PathId(id): PathId,
) -> Result<Json<Data<QuestionView>>> {
    let show = move |tx: &mut Tx| seen::show(tx, QuestionId(id), None);
    Ok(Data::json(core.db.read(show).await?))
}

/// Open a question.
#[utoipa::path(post, path = "/api/admin/questions", tag = "Operators", security(("operator" = ["operator"])),
    request_body = NewQuestion, responses((status = 201, body = WithMessage<QuestionView>)))]
async fn open_question(
    Shared(core): Shared<Core>,
    guard::Operator(operator): guard::Operator,
    Valid(new): Valid<NewQuestion>,
) -> Result<(StatusCode, Json<WithMessage<QuestionView>>)> {
    let month = core.config.predictions.season_start_month;
    let open = move |tx: &mut Tx| {
        let id = super::open(tx, &new, month)?;
        note(tx, &operator, "question.open", id, &Value::Null)?;
        seen::show(tx, id, None)
    };
    let question = core.db.write(open).await?;
    Ok((StatusCode::CREATED, WithMessage::json(text!("The question is open."), question)))
}

input! {
    #[derive(ToSchema)]
    struct QuestionChange {
        text: Option<QuestionText>,
        #[schema(value_type = Option<String>, format = DateTime, example = "2026-11-20T15:00:00Z")]
        closes_at: Option<Moment>,
        points: Option<TipPoints>,
        counts_in: Option<Vec<CountsIn>>,
    }
}

/// Change a question that is neither settled nor void; what is absent stays. A deadline that is moved ahead opens it again.
#[utoipa::path(patch, path = "/api/admin/questions/{question}", tag = "Operators", security(("operator" = ["operator"])),
    params(("question" = i64, Path, minimum = 1)), request_body = QuestionChange,
    responses((status = 200, body = WithMessage<QuestionView>),
    (status = 400, description = "It is settled or void", body = ErrorBody),
    (status = 404, description = "There is no such question", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 question_decided", "404 not_found"]))))]
async fn change_question(
    Shared(core): Shared<Core>,
    guard::Operator(operator): guard::Operator,
    PathId(id): PathId,
    Valid(body): Valid<QuestionChange>,
) -> Result<Json<WithMessage<QuestionView>>> {
    let month = core.config.predictions.season_start_month;
    let id = QuestionId(id);
    let change = move |tx: &mut Tx| {
        super::held(tx, id)?;
        let before = seen::show(tx, id, None)?;
        let wish = Change {
            text: body.text.as_ref(),
            closes_at: body.closes_at.map(Moment::get),
            points: body.points,
            counts_in: body.counts_in.as_deref(),
        };
        super::change(tx, id, wish, month)?;
        note(tx, &operator, "question.change", id, &json!(before))?;
        seen::show(tx, id, None)
    };
    Ok(WithMessage::json(text!("The question is changed."), core.db.write(change).await?))
}

input! {
    #[derive(ToSchema)]
    struct SettleQuestionBody {
        /// The right answers: one, or several where several are right.
        #[schema(value_type = Vec<i64>, min_items = 1, max_items = 20, example = json!([17]))]
        right_option_ids: Picks,
    }
}

/// Settle a question that is closed, or correct what was right about it. Points follow within seconds.
#[utoipa::path(post, path = "/api/admin/questions/{question}/settle", tag = "Operators", security(("operator" = ["operator"])),
    params(("question" = i64, Path, minimum = 1)), request_body = SettleQuestionBody,
    responses((status = 200, body = WithMessage<QuestionView>),
    (status = 400, description = "It still takes answers", body = ErrorBody),
    (status = 404, description = "There is no such question", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 question_open", "404 not_found"]))))]
async fn settle_question(
    Shared(core): Shared<Core>,
    guard::Operator(operator): guard::Operator,
    PathId(id): PathId,
    Valid(body): Valid<SettleQuestionBody>,
) -> Result<Json<WithMessage<QuestionView>>> {
    let id = QuestionId(id);
    let settle = move |tx: &mut Tx| {
        super::held(tx, id)?;
        let before = seen::show(tx, id, None)?;
        super::settle(tx, id, &body.right_option_ids)?;
        note(tx, &operator, "question.settle", id, &json!(before))?;
        seen::show(tx, id, None)
    };
    Ok(WithMessage::json(text!("The question is settled."), core.db.write(settle).await?))
}

input! {
    #[derive(ToSchema)]
    struct VoidQuestionBody {
        reason: QuestionVoidReason,
    }
}

/// Void a question: answers to it earn nothing. Settling it ends that.
#[utoipa::path(post, path = "/api/admin/questions/{question}/void", tag = "Operators", security(("operator" = ["operator"])),
    params(("question" = i64, Path, minimum = 1)), request_body = VoidQuestionBody,
    responses((status = 200, body = WithMessage<QuestionView>),
    (status = 404, description = "There is no such question", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn void_question(
    Shared(core): Shared<Core>,
    guard::Operator(operator): guard::Operator,
    PathId(id): PathId,
    Valid(body): Valid<VoidQuestionBody>,
) -> Result<Json<WithMessage<QuestionView>>> {
    let id = QuestionId(id);
    let void = move |tx: &mut Tx| {
        super::held(tx, id)?;
        let before = seen::show(tx, id, None)?;
        super::void(tx, id, &body.reason)?;
        note(tx, &operator, "question.void", id, &json!(before))?;
        seen::show(tx, id, None)
    };
    Ok(WithMessage::json(text!("The question is void."), core.db.write(void).await?))
}

/// Writes down what an operator did about a question, as it was and as it is.
fn note(
    tx: &mut Tx,
    operator: &Operator,
    action: &'static str,
    id: QuestionId,
    before: &Value,
) -> Result<()> {
    let after = json!(seen::show(tx, id, None)?);
    let change = operators::Change { before: before.clone(), after };
    let subject = format!("question {}", id.0);
    operators::audit_change(tx, operator, action, &subject, &json!({}), &change)
}
