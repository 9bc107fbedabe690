//! Widget files of the ChatKit Widget Builder as tools, one line each.

#![forbid(unsafe_code)]

use footlight_sdk::prelude::*;

widget_file!(
    /// Shows where a flight is.
    flight = "../widgets/flight.widget"
);
widget_file!(agenda = "../widgets/agenda.widget");

/// Boards a flight.
#[tool(audience = "user")]
fn board(flight: String) -> String {
    format!("{flight} is boarded")
}

plugin!(manifest: none, tools: [flight, agenda, board]);

#[test]
fn the_card_of_a_flight_names_its_cities() -> Result<()> {
    let stage = testing::stage();
    let input =
        json!({ "number": "SK 417", "from": "Oslo", "to": "Rome", "delay": 20, "open": true });
    flight(&stage, &input)?;
    let shown = &stage.shown()[0];
    assert!(shown.fallback.contains("Oslo") && shown.fallback.contains("20 min late"));
    assert_eq!(
        shown.actions(),
        [("board".to_owned(), json!({ "flight": "SK 417" }))]
    );
    Ok(())
}

#[test]
fn the_input_is_checked_by_the_schema_of_the_file() {
    let stage = testing::stage();
    let failure = testing::run::<FootlightPlugin>(&stage, "flight", r#"{"number":7}"#);
    assert_eq!(
        failure.expect_err("lacks members").code(),
        FailureCode::InvalidInput
    );
}
