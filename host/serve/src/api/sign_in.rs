//! Signing in and out.

use crate::App;
use crate::access::SignOut;
use crate::guard::{self, no_content};
use crate::problem::{Problem, ProblemCode};
use crate::route::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A body without members.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empty {}

/// A login code.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    /// The code, which works once.
    code: String,
}

/// A token.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SignedIn {
    /// The token, for `Authorization: Bearer`.
    token: String,
    /// The person.
    person: String,
}

/// `POST /api/login`
pub(crate) async fn login(
    State(app): State<Arc<App>>,
    Json(login): Json<Login>,
) -> Result<Json<SignedIn>, Problem> {
    // Everybody shares one limit: a code is not guessed, but trying should not be free either.
    app.logins.take("").map_err(Problem::rate_limit)?;
    let wrong = || {
        Problem::new(
            ProblemCode::Unauthorized,
            "this code does not work any more",
        )
    };
    let signed_in = app.tokens.login(&login.code).map_err(|error| {
        tracing::error!(error = %error, "the token of a login cannot be kept");
        Problem::new(ProblemCode::Unavailable, "the token cannot be kept")
    })?;
    let (token, identity) = signed_in.ok_or_else(wrong)?;
    Ok(Json(SignedIn {
        token,
        person: identity.person,
    }))
}

/// `POST /api/logout`
pub(crate) async fn logout(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(Empty {}): Json<Empty>,
) -> Result<Response, Problem> {
    let token = guard::token(&headers).unwrap_or_default();
    let ended = app.tokens.logout(&token);
    let unkept = |_| Problem::new(ProblemCode::Unavailable, "that cannot be kept");
    match ended.map_err(unkept)? {
        SignOut::Ended => Ok(no_content()),
        SignOut::Configured => Err(Problem::new(
            ProblemCode::Conflict,
            "this token comes from the server's configuration and still works; whoever runs the server removes it",
        )),
    }
}
