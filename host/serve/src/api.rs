//! The routes of the API.

pub(crate) mod export;
pub(crate) mod outputs;
pub(crate) mod plugins;
pub(crate) mod requests;
pub(crate) mod rows;
pub(crate) mod session;
pub(crate) mod sign_in;
pub(crate) mod status;

use crate::access::Permission::{Approve, Use, View};
use crate::live;
use crate::problem::ProblemCode::{
    Busy, Conflict, NotFound, Range, TooLarge, Unauthorized, Unsupported,
};
use crate::route::{Answer, Route};

/// Returns the table of routes.
pub(crate) fn routes() -> Vec<Route> {
    const SSE: Answer = Answer::Other("text/event-stream");
    let mut routes = vec![
        Route::post("/api/login", sign_in::login)
            .summary("Exchange a login code for a token")
            .body::<sign_in::Login>()
            .answers::<sign_in::SignedIn>(200)
            .problems([Unauthorized]),
        Route::post("/api/logout", sign_in::logout)
            .summary("End the token of this request")
            .needs(View)
            .body::<sign_in::Empty>()
            .answers_other(204, Answer::Empty)
            .problems([Conflict]),
        Route::get("/api/sessions", session::list)
            .summary("List sessions, the most recently used first")
            .needs(View)
            .query::<session::PageQuery>()
            .answers::<session::SessionPage>(200),
        Route::post("/api/sessions", session::create)
            .summary("Start a session")
            .needs(Use)
            .body::<crate::sessions::NewSession>()
            .answers::<session::SessionView>(201),
        Route::get("/api/sessions/{id}", session::show)
            .summary("Read a session with its items, all or page by page, and pending requests")
            .needs(View)
            .query::<session::DetailQuery>()
            .answers::<session::SessionDetail>(200),
        Route::patch("/api/sessions/{id}", session::rename)
            .summary("Change the title of a session")
            .needs(Use)
            .body::<session::Rename>()
            .answers::<session::SessionView>(200)
            .problems([Busy]),
        Route::delete("/api/sessions/{id}", session::delete)
            .summary("Delete a session with everything that belongs to it")
            .needs(Use)
            .answers_other(204, Answer::Empty)
            .problems([Busy]),
        Route::post("/api/sessions/{id}/prompts", session::prompt)
            .summary("Start a turn; with a key, sending it again starts no other")
            .needs(Use)
            .header(session::IDEMPOTENCY_KEY)
            .body::<session::NewPrompt>()
            .answers::<session::Started>(202)
            .answers::<session::Started>(200)
            .problems([Busy, Conflict, TooLarge]),
        Route::post("/api/sessions/{id}/cancel", session::cancel)
            .summary("Cancel the running turn, if there is one")
            .needs(Use)
            .body::<sign_in::Empty>()
            .answers_other(204, Answer::Empty),
        Route::get("/api/sessions/{id}/events", live::events)
            .summary("Follow a session as server-sent events")
            .needs(View)
            .query::<live::LiveQuery>()
            .live()
            .answers_other(200, SSE),
        Route::get("/api/sessions/{id}/socket", live::socket)
            .summary("Follow a session over a WebSocket, with the same frames")
            .needs(View)
            .query::<live::LiveQuery>()
            .live()
            .answers_other(101, Answer::Empty),
        Route::get("/api/sessions/{id}/items", session::items)
            .summary("List the items of a session, in order")
            .needs(View)
            .query::<session::ItemsQuery>()
            .answers::<session::ItemPage>(200),
        Route::get("/api/sessions/{id}/export", export::export)
            .summary("Read a session as one document, with its small outputs")
            .needs(View)
            .query::<export::ExportQuery>()
            .answers_other(200, Answer::Other("*/*")),
        Route::get("/api/sessions/{id}/items/{item}/rows", rows::rows)
            .summary("Read the rows of a table, sorted and filtered")
            .needs(View)
            .query::<rows::RowsQuery>()
            .answers::<rows::RowsPage>(200),
        Route::post("/api/asks/{id}", requests::post_answer)
            .summary("Answer a question, or skip it")
            .needs(Use)
            .for_links()
            .body::<requests::AnswerBody>()
            .answers_other(204, Answer::Empty)
            .problems([Conflict]),
        Route::post("/api/approvals/{id}", requests::post_verdict)
            .summary("Decide a request for approval; only a literal `true` approves")
            .needs(Approve)
            .for_links()
            .body::<requests::VerdictBody>()
            .answers_other(204, Answer::Empty)
            .problems([Conflict]),
        Route::get("/api/pending", requests::pending)
            .summary("List what waits for the person")
            .needs(View)
            .query::<requests::MarkupQuery>()
            .answers::<requests::PendingList>(200),
        Route::post("/api/pending/decline", requests::decline_all)
            .summary("Skip every pending question and deny every pending request for approval")
            .needs(Approve)
            .body::<sign_in::Empty>()
            .answers::<requests::Declined>(200),
        Route::get("/api/pending/{id}", requests::one)
            .summary("Read a request that waits for the person")
            .needs(View)
            .for_links()
            .query::<requests::MarkupQuery>()
            .answers::<requests::PendingView>(200),
        Route::post("/api/pending/{id}/link", requests::link)
            .summary("Make a link that opens one request on another device, once")
            .needs(Use)
            .body::<sign_in::Empty>()
            .answers::<requests::LinkView>(201)
            .problems([Conflict, Unsupported]),
        Route::post("/api/pending/{id}/no-person", requests::no_person)
            .summary("Settle a request because nobody can be asked")
            .needs(Use)
            .body::<sign_in::Empty>()
            .answers_other(204, Answer::Empty)
            .problems([NotFound, Conflict]),
        Route::post("/api/actions", session::press)
            .summary("Press a button of a widget")
            .needs(Use)
            .body::<session::NewPress>()
            .answers::<session::Started>(202)
            .problems([Busy, Conflict, NotFound, TooLarge]),
        Route::get("/api/outputs/{id}", outputs::read)
            .summary("Read an output; `?format=json` wraps it")
            .needs(View)
            .query::<outputs::OutputQuery>()
            .answers_other(200, Answer::Other("*/*"))
            .answers_other(206, Answer::Other("*/*"))
            .answers::<outputs::Expired>(404)
            .problems([Range]),
        Route::get("/api/plugins", plugins::list)
            .summary("List the loaded plugins with their tools and what they may be granted")
            .needs(View)
            .answers::<plugins::PluginList>(200),
        Route::get("/api/widgets", plugins::widgets)
            .summary("List the declared widget types with their schemas")
            .needs(View)
            .answers::<plugins::WidgetList>(200),
        Route::get("/api/grants", plugins::grants)
            .summary("List the live grants")
            .needs(View)
            .answers::<plugins::GrantList>(200),
        Route::delete("/api/grants/{id}", plugins::revoke)
            .summary("Revoke a grant")
            .needs(Approve)
            .answers_other(204, Answer::Empty),
        Route::get("/api/server", status::server)
            .summary("Read the version and the model of the server, and whose token this is")
            .needs(View)
            .answers::<status::ServerView>(200),
        Route::get("/api/openapi.json", status::openapi)
            .summary("This document")
            .answers_other(200, Answer::Other("application/json")),
        Route::get("/healthz", status::health)
            .summary("Report that the server runs")
            .answers_other(200, Answer::Other("text/plain")),
        Route::get("/readyz", status::ready)
            .summary("Report whether the server can do its work")
            .answers_other(200, Answer::Other("text/plain"))
            .problems([crate::problem::ProblemCode::Unavailable]),
        Route::get("/metrics", status::metrics)
            .summary("Read the counters of all people, in the text format of Prometheus")
            .needs(Approve)
            .answers_other(200, Answer::Other("text/plain")),
    ];
    routes.extend(crate::chatkit::routes());
    routes
}
