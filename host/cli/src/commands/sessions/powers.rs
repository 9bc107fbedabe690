//! `footlight sessions show --powers`: what calls did with folders, hosts and secrets.

use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use footlight::store::Snapshot;
use footlight_render::filter;
use footlight_render::lower::power_line;
use footlight_vocabulary::item::{Content, Item, Tool};
use serde_json::json;

/// Shows every use of a power, call by call: with `--json` a line for each use.
pub(super) fn show(snapshot: &Snapshot, ui: &Ui) -> Result<()> {
    let calls = snapshot
        .items
        .iter()
        .filter_map(|item| match &item.content {
            Content::Tool(tool) if !tool.powers.is_empty() => Some((item, tool)),
            _ => None,
        });
    let calls: Vec<(&Item, &Tool)> = calls.collect();
    if calls.is_empty() && !ui.json {
        ui.note("no call of this session used a folder, a host or a secret, or was denied one");
    }
    for (item, tool) in calls {
        if !ui.json {
            let name = filter::line(&tool.function, 120);
            let name = ui.styled_out(Emphasis::Bold, &name);
            ui.print_row(&format!("turn {}  {name}", item.position.turn))?;
        }
        for used in &tool.powers {
            match ui.json {
                true => ui.print_json(&json!({
                    "turn": item.position.turn,
                    "call": item.id,
                    "function": tool.function,
                    "use": used,
                }))?,
                false => ui.print_row(&format!("  {}", filter::line(&power_line(used), 1_000)))?,
            }
        }
    }
    Ok(())
}
