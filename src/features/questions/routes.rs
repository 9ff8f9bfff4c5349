//! Special tips as users see and make them.

use axum::extract::{FromRef, State as Shared};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::TournamentId;
use crate::features::sessions::{self, Sessions, User};
use crate::features::users::UserId;
use crate::input;
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, Message, WithMessage};
use crate::platform::limits::{self, Limit, Who};

use super::State;
use super::seen::{self, OthersTipView, QuestionView};
use super::values::{Picks, QuestionId};

const TIPS: Limit = Limit { code: "too_many_tips", most: 60, window_ms: MINUTE_MS };

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_questions))
        .routes(routes!(show_question))
        .routes(routes!(answer_question, take_answer_back))
        .routes(routes!(list_question_tips))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    pub struct QuestionsQuery {
        /// Only those about this tournament.
        #[param(value_type = Option<i64>, minimum = 1)]
        tournament_id: Option<TournamentId>,
        /// Only those that stand so. Open ones come by their deadline, all others the latest first.
        #[param(inline)]
        state: Option<State>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Questions on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

impl QuestionsQuery {
    /// The questions that it asks for, with the answers of this user if it is one's.
    pub async fn list(
        self,
        core: &Core,
        user: Option<UserId>,
    ) -> Result<Json<Listed<QuestionView, PageMeta>>> {
        let page = Page::of(self.page, self.per_page);
        let (tournament, state) = (self.tournament_id, self.state);
        let list = move |tx: &mut Tx| seen::list(tx, tournament, state, user, page);
        let listed = match user {
            Some(user) => core.db.read_aside(user.0, list).await,
            None => core.db.read(list).await,
        };
        let (data, total) = listed?;
        Ok(Json(Listed { data, meta: page.meta(total) }))
    }
}

/// List questions with my answers.
#[utoipa::path(get, path = "/api/auth/questions", tag = "Special tips", security(("user" = [])),
    params(QuestionsQuery), responses((status = 200, body = Listed<QuestionView, PageMeta>)))]
async fn list_questions(
    Shared(core): Shared<Core>,
    user: User,
    Params(query): Params<QuestionsQuery>,
) -> Result<Json<Listed<QuestionView, PageMeta>>> {
    query.list(&core, Some(user.id)).await
}

/// Show a question with my answer.
#[utoipa::path(get, path = "/api/auth/questions/{question}", tag = "Special tips", security(("user" = [])),
    params(("question" = i64, Path, minimum = 1)),
    responses((status = 200, body = Data<QuestionView>),
    (status = 404, description = "There is no such question", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn show_question(
    Shared(core): Shared<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Data<QuestionView>>> {
    let show = move |tx: &mut Tx| seen::show(tx, QuestionId(id), Some(user.id));
    Ok(Data::json(core.db.read(show).await?))
}

input! {
    #[derive(ToSchema)]
    struct TipBody {
        /// The answers I pick: 1 to as many as the question takes.
        #[schema(value_type = Vec<i64>, min_items = 1, max_items = 20, example = json!([17]))]
        option_ids: Picks,
    }
}

/// Answer a question, or answer it otherwise than before. Until its deadline nobody else sees it.
#[utoipa::path(put, path = "/api/auth/questions/{question}/tip", tag = "Special tips", security(("user" = [])),
    params(("question" = i64, Path, minimum = 1)), request_body = TipBody,
    responses((status = 200, body = WithMessage<QuestionView>),
    (status = 400, description = "It takes no more answers", body = ErrorBody),
    (status = 404, description = "There is no such question", body = ErrorBody),
    (status = 429, description = "Too many answers in a minute", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 question_closed", "404 not_found", "429 too_many_tips"]))))]
async fn answer_question(
    Shared(core): Shared<Core>,
    user: User,
    PathId(id): PathId,
    Valid(body): Valid<TipBody>,
) -> Result<Json<WithMessage<QuestionView>>> {
    let (who, id) = (Who::user(&core.keys, user.id), QuestionId(id));
    let answer = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        limits::hit(tx, TIPS, &who)?;
        super::tip(tx, id, user.id, &body.option_ids)?;
        seen::show(tx, id, Some(user.id))
    };
    let question = core.db.write(answer).await?;
    metrics::counter!("touchline_tips_total").increment(1);
    Ok(WithMessage::json(text!("Your answer is noted."), question))
}

/// Take my answer to a question back.
#[utoipa::path(delete, path = "/api/auth/questions/{question}/tip", tag = "Special tips", security(("user" = [])),
    params(("question" = i64, Path, minimum = 1)),
    responses((status = 200, body = Message),
    (status = 400, description = "The question is closed", body = ErrorBody),
    (status = 404, description = "There is no such question, or I have not answered it", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 question_closed", "404 not_found"]))))]
async fn take_answer_back(
    Shared(core): Shared<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    let take_back = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::take_back(tx, QuestionId(id), user.id)
    };
    core.db.write(take_back).await?;
    Ok(Json(Message { message: text!("Your answer is taken back.") }))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct TipsQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Answers on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List what everybody answered to a question that is closed.
#[utoipa::path(get, path = "/api/auth/questions/{question}/tips", tag = "Special tips", security(("user" = [])),
    params(("question" = i64, Path, minimum = 1), TipsQuery),
    responses((status = 200, body = Listed<OthersTipView, PageMeta>),
    (status = 400, description = "It still takes answers", body = ErrorBody),
    (status = 404, description = "There is no such question", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 question_open", "404 not_found"]))))]
async fn list_question_tips(
    Shared(core): Shared<Core>,
    user: User,
    PathId(id): PathId,
    Params(query): Params<TipsQuery>,
) -> Result<Json<Listed<OthersTipView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| seen::others(tx, QuestionId(id), page);
    let (data, total) = core.db.read_aside(user.id.0, list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}
