//! Shows everything that a plugin can show, once: test data for surfaces, and a catalogue for authors.
//!
//! | module | tools |
//! | --- | --- |
//! | `results`, `charts` | results, one tool for each kind |
//! | `hints` | display hints of results |
//! | `widgets` | widgets: of a declared type, of any type, updated live |
//! | `components`, `controls` | the components of a view, and those that can be pressed |
//! | `asks`, `approvals` | questions, one tool for each control, and an approval request |
//! | `outputs` | content that the model does not see |
//!
//! Nearly every tool takes one argument, `with`, which selects the data to show. `ordinary` is
//! typical data; a surface must withstand the other variants too.

#![forbid(unsafe_code)]

mod approvals;
mod asks;
mod charts;
mod components;
mod controls;
mod data;
mod hints;
mod outputs;
mod results;
mod widgets;

#[cfg(test)]
mod tests;

use footlight_sdk::prelude::*;

plugin!(
    tools: [
        results::text, results::markdown, results::code, results::diff, results::hunks,
        results::file, results::bytes, results::folder, results::table, results::image,
        results::remote_image, results::structured, results::facts, results::list,
        results::numbered, results::log, results::link, results::unknown, results::hidden,
        charts::bars, charts::lines, charts::areas, charts::points, charts::pie,
        hints::collapsed, hints::max_height, hints::language, hints::field_types, hints::as_text,
        hints::as_markdown, hints::as_code, hints::as_diff, hints::as_table, hints::as_tree,
        hints::as_image, hints::as_raw, hints::misfit,
        widgets::declared, widgets::unfitting, widgets::free, widgets::live,
        components::layout, components::words, components::figures, components::list_view,
        components::basic, components::unknown_component, components::malformed,
        controls::inputs, controls::buttons, controls::card, controls::next_act, controls::fall,
        controls::prompt, controls::note,
        asks::ask_buttons, asks::ask_confirm, asks::ask_select, asks::ask_radio, asks::ask_checkbox,
        asks::ask_text, asks::ask_textarea, asks::ask_number, asks::ask_date, asks::ask_secret,
        asks::ask_all,
        approvals::dim,
        approvals::strike,
        outputs::outputs,
    ],
    widgets: ["gallery-play": data::Play],
    instructions: "These tools only show how things look: call the one that the person names.",
);
