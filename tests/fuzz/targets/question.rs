//! A prompt on the first line and fields as JSON after it: the question is parsed or refused, without
//! a panic.

#![no_main]

use footlight_vocabulary::question::Question;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let (prompt, fields) = text.split_once('\n').unwrap_or(("", text));
    let Ok(fields) = serde_json::from_str::<Value>(fields) else {
        return;
    };
    let _ = Question::parse(prompt, fields);
});
