//! The audit log, as it is read and taken away.

use axum::body::Body;
use axum::extract::{FromRef, State};
use axum::response::Response;
use http::{HeaderValue, header};
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::audit::{self, AuditFilter, AuditRow};
use super::{OperatorId, guard};
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::db::{Sink, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::input::Params;
use crate::platform::http::moments::Moment;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Json, Listed};
use crate::platform::texts::Text;
use crate::{input, text_input};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_audit_log)).routes(routes!(export_audit_log))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct AuditFilterQuery {
        /// Only what operators of this name did.
        operator: Option<String>,
        /// Only what the operator with this id did.
        #[param(value_type = Option<i64>, minimum = 1)]
        operator_id: Option<OperatorId>,
        /// Only actions that begin so: `event.` or `user.ban`.
        action: Option<String>,
        /// Only what was done to this: `user 7`, `event 12`.
        subject: Option<String>,
        /// Only from this moment on.
        #[param(value_type = Option<String>, format = DateTime)]
        from: Option<Moment>,
        /// Only before this moment.
        #[param(value_type = Option<String>, format = DateTime)]
        to: Option<Moment>,
    }
}

impl From<AuditFilterQuery> for AuditFilter {
    fn from(query: AuditFilterQuery) -> Self {
        Self {
            operator: query.operator,
            operator_id: query.operator_id,
            action_prefix: query.action,
            subject: query.subject,
            from: query.from.map(Moment::get),
            to: query.to.map(Moment::get),
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct AuditPageQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// Read the audit log, newest first.
///
/// `meta.total` is counted up to 100,000.
#[utoipa::path(get, path = "/api/admin/audit", tag = "Operators", security(("operator" = ["viewer"])),
    params(AuditFilterQuery, AuditPageQuery), responses((status = 200, body = Listed<AuditRow, PageMeta>)))]
async fn list_audit_log(
    State(core): State<Core>,
    _: guard::Viewer,
    Params(filter): Params<AuditFilterQuery>,
    Params(page): Params<AuditPageQuery>,
) -> Result<Json<Listed<AuditRow, PageMeta>>> {
    let (filter, page) = (AuditFilter::from(filter), Page::of(page.page, page.per_page));
    let (data, total) = core.db.read(move |tx| audit::list_audit(tx, &filter, page)).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

/// What an export is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Ndjson,
    Csv,
}

text_input!(Format);

impl TryFrom<&str> for Format {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        match text {
            "ndjson" => Ok(Self::Ndjson),
            "csv" => Ok(Self::Csv),
            _ => Err(text!("Must be ndjson or csv.")),
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct AuditExportQuery {
        /// `ndjson` (an object a line, as they are listed; when absent) or `csv`.
        #[param(value_type = Option<String>, pattern = "^(ndjson|csv)$")]
        format: Option<Format>,
    }
}

/// Take the audit log away, oldest first, whatever its length.
///
/// Who does is written down. An export that breaks off ends the connection. In CSV a cell that a spreadsheet would take for a formula
/// begins with an apostrophe.
#[utoipa::path(get, path = "/api/admin/audit/export", tag = "Operators", security(("operator" = ["operator"])),
    params(AuditExportQuery, AuditFilterQuery), responses((status = 200, content((String = "application/x-ndjson"), (String = "text/csv")))),
    extensions(("x-codes" = json!(["429 address_list_limit"]))))]
async fn export_audit_log(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    address: ClientAddress,
    Params(export): Params<AuditExportQuery>,
    Params(filter): Params<AuditFilterQuery>,
) -> Result<Response> {
    let (filter, format) = (AuditFilter::from(filter), export.format.unwrap_or(Format::Ndjson));
    let detail = filter.describe();
    let note = move |tx: &mut Tx| audit::audit(tx, &operator, "audit.export", "audit", &detail);
    core.db.write(note).await?;
    let write = move |tx: &mut Tx, sink: &mut Sink| write_all(tx, sink, &filter, format);
    let mut response =
        Response::new(Body::from_stream(core.db.stream(address.reader(None), write)?));
    let (kind, file) = match format {
        Format::Ndjson => ("application/x-ndjson", "attachment; filename=\"audit.ndjson\""),
        Format::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"audit.csv\""),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(file));
    Ok(response)
}

const CHUNK_BYTES: usize = 16 * 1024;
const COLUMNS: &str =
    "id,created_at,operator,operator_id,operator_role,action,subject,detail,before,after\r\n";

fn write_all(tx: &mut Tx, sink: &mut Sink, filter: &AuditFilter, format: Format) -> Result<()> {
    let mut buffer = if format == Format::Csv { COLUMNS.as_bytes().to_vec() } else { Vec::new() };
    audit::walk_audit(tx, filter, |row| {
        match format {
            Format::Csv => buffer.extend_from_slice(csv_line(&row).as_bytes()),
            Format::Ndjson => {
                serde_json::to_writer(&mut buffer, &row).map_err(Error::internal)?;
                buffer.push(b'\n');
            }
        }
        if buffer.len() < CHUNK_BYTES {
            return Ok(());
        }
        sink.send(std::mem::replace(&mut buffer, Vec::with_capacity(CHUNK_BYTES)).into())
    })?;
    sink.send(buffer.into())
}

fn csv_line(row: &AuditRow) -> String {
    let none = String::new;
    let cells = [
        row.id.to_string(),
        row.created_at.to_string(),
        row.operator.clone(),
        row.operator_id.map_or_else(none, |id| id.0.to_string()),
        row.operator_role.clone().unwrap_or_default(),
        row.action.clone(),
        row.subject.clone(),
        row.detail.clone(),
        row.before.clone().unwrap_or_default(),
        row.after.clone().unwrap_or_default(),
    ];
    cells.map(|cell| csv_cell(&cell)).join(",") + "\r\n"
}

/// In quotes where it has to be, and never a formula.
fn csv_cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t']) { "'" } else { "" };
    if guard.is_empty() && !text.contains([',', '"', '\r', '\n']) {
        return text.to_owned();
    }
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
