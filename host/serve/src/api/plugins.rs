//! The loaded plugins, their widget types, and live grants.

use crate::App;
use crate::guard::{Client, no_content};
use crate::problem::Problem;
use crate::route::{Ids, Json};
use axum::extract::State;
use axum::response::Response;
use footlight::Plugin;
use footlight::policy::RuleId;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The loaded plugins.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PluginList {
    plugins: Vec<PluginView>,
}

/// A plugin.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PluginView {
    id: String,
    version: String,
    description: String,
    /// The SHA-256 of the component.
    digest: String,
    tools: Vec<ToolView>,
    /// The actions that tools request approval for.
    approvals: Vec<String>,
    /// What a person can grant, in words.
    powers: Vec<String>,
}

/// A tool.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ToolView {
    name: String,
    description: String,
    input_schema: Value,
    traits: Map<String, Value>,
}

/// `GET /api/plugins`
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<PluginList> {
    let plugins = app.host.plugins().iter().map(view).collect();
    Json(PluginList { plugins })
}

pub(crate) fn view(plugin: &Plugin) -> PluginView {
    let manifest = plugin.manifest();
    let hosts = manifest.net.iter();
    let hosts = hosts.map(|net| format!("reach the host {}", net.host));
    let folders = manifest.fs.iter();
    let folders = folders.map(|folder| format!("use a folder as {}", folder.path));
    let secrets = manifest.secrets.iter();
    let secrets = secrets.map(|secret| format!("send the secret {}", secret.name));
    let approvals = manifest.approvals.iter();
    let tool = |tool: &footlight::Tool| ToolView {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone(),
        traits: tool.traits.clone(),
    };
    PluginView {
        id: plugin.id().to_owned(),
        version: manifest.version.to_string(),
        description: manifest.description.clone(),
        digest: plugin.digest().to_string(),
        tools: plugin.tools().iter().map(tool).collect(),
        approvals: approvals.map(|approval| approval.action.clone()).collect(),
        powers: hosts.chain(folders).chain(secrets).collect(),
    }
}

/// The declared widget types.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WidgetList {
    widgets: Vec<WidgetView>,
}

/// A widget type.
#[derive(Serialize, JsonSchema)]
struct WidgetView {
    plugin: String,
    widget: String,
    schema: Value,
}

/// `GET /api/widgets`
pub(crate) async fn widgets(State(app): State<Arc<App>>) -> Json<WidgetList> {
    let plugins = app.host.plugins();
    let widgets = plugins.iter().flat_map(|plugin| {
        plugin.widgets().iter().map(|widget| WidgetView {
            plugin: plugin.id().to_owned(),
            widget: widget.name.clone(),
            schema: widget.schema.clone(),
        })
    });
    Json(WidgetList {
        widgets: widgets.collect(),
    })
}

/// The live grants of the person.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GrantList {
    grants: Vec<GrantView>,
}

/// A grant.
#[derive(Serialize, JsonSchema)]
struct GrantView {
    id: u64,
    session: String,
    /// What it covers, in the words that the person was shown.
    covers: String,
    /// Why a person was needed, in the words of `footlight grants explain`.
    why: Vec<String>,
    /// The id of the rule that goes on after the session, for `footlight grants revoke`.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
}

/// `GET /api/grants`
pub(crate) async fn grants(State(app): State<Arc<App>>, Client(client): Client) -> Json<GrantList> {
    let grants = app.host.person(&client.person).grants();
    let view = |grant: footlight::policy::Grant| GrantView {
        id: grant.id.number(),
        session: grant.session.to_string(),
        why: grant.why(),
        rule: grant.rule.as_ref().map(|rule| RuleId::of(rule).to_string()),
        covers: grant.covers,
    };
    Json(GrantList {
        grants: grants.into_iter().map(view).collect(),
    })
}

/// `DELETE /api/grants/{id}`
pub(crate) async fn revoke(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
) -> Result<Response, Problem> {
    let person = app.host.person(&client.person);
    let number: u64 = id.parse().map_err(|_| Problem::not_found())?;
    let grants = person.grants();
    let grant = grants.iter().find(|grant| grant.id.number() == number);
    let revoked = grant.and_then(|grant| person.revoke(grant.id));
    revoked.map(|_| no_content()).ok_or_else(Problem::not_found)
}
