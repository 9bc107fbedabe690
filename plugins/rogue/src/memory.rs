//! Attacks on memory: the guest's own, and what the host allocates for the guest.

use footlight_sdk::prelude::*;
use footlight_sdk::{IntoOutcome, Outcome};
use std::hint::black_box;

/// Allocates memory until none is left. The host must end it with the fault `memory`, having grown
/// by no more than the limit.
#[tool]
pub(crate) fn grow() -> usize {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(black_box(vec![1; 1 << 20]));
    }
}

/// Allocates memory in steps and shows a widget at each step. The host must end it with the fault
/// `memory` and remove the widgets.
#[tool]
pub(crate) fn grow_in_steps(stage: &Stage) -> Result<usize> {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(black_box(vec![1; 8 << 20]));
        stage.show(Widget::new("growth", &kept.len()))?;
    }
}

/// Requests gibibytes in one allocation. The host must refuse the allocation, or end the call with
/// the fault `memory`.
#[tool]
pub(crate) fn reserve(#[arg(default = 1, range = 1..=3)] gibibytes: u32) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let got = kept.try_reserve_exact((gibibytes as usize) << 30);
    format!("{:?}", black_box(got).is_ok())
}

/// Passes one string of any size to the host. The host must accept what its limits allow, refuse a
/// little more with an error, and end far more with the fault `payload`.
#[tool(asks)]
pub(crate) fn big_string(
    stage: &Stage,
    #[arg(one_of = ["fallback", "data", "log", "progress", "prompt", "subject", "key", "value", "title", "url", "append"])]
    through: String,
    bytes: u32,
) -> Result<Text> {
    let text = "a".repeat(bytes as usize);
    match through.as_str() {
        "data" => drop(stage.show(Widget::new("big", &text))?),
        "log" => stage.log(Level::Info, text),
        "progress" => stage.progress(text),
        "prompt" => drop(stage.confirm(text)?),
        "subject" => stage.approve(Approval::new("rogue.declared").subject(text))?,
        "key" => stage.state(Scope::Session).set(&text, &1)?,
        "value" => stage.state(Scope::Session).set("big", &text)?,
        "title" => drop(stage.output(Output::new(text), "")?),
        "url" => drop(stage.http(Request::get(text))?),
        "append" => {
            let line = ui::Text::new("").id("line");
            let card = ui::Card::new().child(line);
            stage.show(card)?.append_text("line", &text)?;
        }
        _ => drop(stage.show(Widget::new("big", &1).fallback(text))?),
    }
    Ok(Text::new(format!("{bytes} bytes were taken")))
}

/// Passes a list of empty pairs, which take eight bytes each in the guest and many times that in
/// the host. The host must charge the size that it allocates, and end the call with the fault
/// `payload`.
#[tool]
pub(crate) fn big_list(stage: &Stage, #[arg(default = 1_000_000)] pairs: u32) -> Result<u16> {
    let mut request = Request::get("https://api.example.com/");
    for _ in 0..pairs {
        request = request.header("", "");
    }
    Ok(stage.http(request)?.status())
}

/// Returns a result or a failure of any size. The host must end the call with the fault `payload`
/// beyond its limit.
#[tool]
pub(crate) fn big_result(
    #[arg(one_of = ["data", "summary", "model", "failure"])] part: String,
    bytes: u32,
) -> Result<Text> {
    let text = "a".repeat(bytes as usize);
    match part.as_str() {
        "summary" => Ok(Text::new("").summary(text)),
        "model" => Ok(Text::new("").for_model(text)),
        "failure" => Err(unavailable!("{text}")),
        _ => Ok(Text::new(text)),
    }
}

/// Opens buckets and keeps every handle. The host must end it with the fault `handles`.
#[tool]
pub(crate) fn hoard_buckets(stage: &Stage, #[arg(default = 1_000_000)] count: u32) -> usize {
    let kept: Vec<_> = (0..count).map(|_| stage.state(Scope::Session)).collect();
    black_box(&kept).len()
}

/// Begins outputs and finishes none. The host must refuse further ones, or end the call with the
/// fault `handles`, and release the bytes that were written.
#[tool]
pub(crate) fn hoard_outputs(
    stage: &Stage,
    #[arg(default = 1_000_000)] count: u32,
) -> Result<usize> {
    let mut kept = Vec::new();
    for _ in 0..count {
        let writer = stage.begin_output(Output::new("kept"))?;
        writer.write_bytes(&[0; 1024])?;
        kept.push(writer);
    }
    Ok(kept.len())
}

/// An outcome that is sent unchanged, without the checks of the SDK.
pub(crate) struct Verbatim(pub(crate) Outcome);

impl IntoOutcome for Verbatim {
    fn into_outcome(self) -> serde_json::Result<Outcome> {
        Ok(self.0)
    }
}
