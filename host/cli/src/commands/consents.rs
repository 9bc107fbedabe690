//! The part of `footlight grants` about consents: what the person was asked once, and agreed to.

use crate::consent::{Consent, Consents};
use crate::data::resolve_prefix;
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use serde::Serialize;
use serde_json::json;

/// A consent with its id, as it is listed for programs.
#[derive(Serialize)]
struct Listed<'a> {
    id: String,
    #[serde(flatten)]
    consent: &'a Consent,
}

fn listed(consent: &Consent) -> Listed<'_> {
    let id = consent.id();
    Listed { id, consent }
}

/// Lists all consents, one per line.
pub(super) fn list(ui: &Ui) -> Result<()> {
    let consents = Consents::open()?.entries();
    let rows: Vec<Listed> = consents.iter().map(listed).collect();
    Ok(ui.print_rows(&rows, "nothing was agreed to yet", |row| {
        let (id, words) = (
            ui.styled_out(Emphasis::Bold, &row.id),
            row.consent.describe(),
        );
        format!("{id}  {words}")
    })?)
}

/// Revokes the consent with this id or a unique prefix of it.
pub(super) fn revoke(id: &str, ui: &Ui) -> Result<()> {
    let mut consents = Consents::open()?;
    let none = "there is no consent `{}`; `footlight grants consents` shows all";
    let all = consents.entries();
    let meant = resolve_prefix(all.iter().map(listed), |row| row.id.as_str(), id, none)?;
    let Listed { id, consent } = meant;
    consents.revoke(consent)?;
    ui.note(&format!("revoked: {}", consent.describe()));
    if ui.json {
        ui.print_json(&json!({ "id": id, "consent": consent, "revoked": true }))?;
    }
    Ok(())
}
