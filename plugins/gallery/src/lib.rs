//! Everything a plugin can show, once: the test card of the surfaces, and a catalogue for authors.
//!
//! | module | tools |
//! | --- | --- |
//! | [`results`], [`charts`] | what a tool returns, one for each kind |
//! | [`hints`] | how a result would like to be drawn |
//! | [`widgets`] | what is shown while a tool runs: declared, free, live |
//! | [`components`], [`controls`] | what a view is made of, and what can be pressed |
//! | [`asks`], [`approvals`] | questions, one for each control, and a request for leave |
//! | [`outputs`] | content that the model does not see |
//!
//! Nearly every tool takes one argument, `with`: which [data](data) it shows. `ordinary` is what one
//! usually sees; the others are what a surface must withstand.

#![forbid(unsafe_code)]

mod data;

mod results;

mod charts;

mod hints;

mod widgets;

mod components;
mod controls;

mod approvals;
mod asks;

mod outputs;

#[cfg(test)]
mod tests;

use footlight_sdk::prelude::*;

plugin!(
    tools: [
        results::text,
        results::markdown,
        results::code,
        results::diff,
        results::hunks,
        results::file,
        results::bytes,
        results::folder,
        results::table,
        results::image,
        results::remote_image,
        results::structured,
        results::facts,
        results::list,
        results::numbered,
        results::log,
        results::link,
        results::unknown,
        results::hidden,
        charts::bars,
        charts::lines,
        charts::areas,
        charts::points,
        charts::pie,
        hints::collapsed,
        hints::max_height,
        hints::language,
        hints::field_types,
        hints::as_text,
        hints::as_markdown,
        hints::as_code,
        hints::as_diff,
        hints::as_table,
        hints::as_tree,
        hints::as_image,
        hints::as_raw,
        hints::misfit,
        widgets::declared,
        widgets::unfitting,
        widgets::free,
        widgets::live,
        components::layout,
        components::words,
        components::figures,
        components::list_view,
        components::basic,
        components::unknown_component,
        components::malformed,
        controls::inputs,
        controls::buttons,
        controls::card,
        controls::next_act,
        controls::fall,
        controls::prompt,
        controls::note,
        asks::ask_buttons,
        asks::ask_confirm,
        asks::ask_select,
        asks::ask_radio,
        asks::ask_checkbox,
        asks::ask_text,
        asks::ask_textarea,
        asks::ask_number,
        asks::ask_date,
        asks::ask_secret,
        asks::ask_all,
        approvals::dim,
        outputs::outputs,
    ],
    widgets: ["gallery-play": data::Play],
    instructions: "These tools only show how things look: call the one that the person names.",
);
