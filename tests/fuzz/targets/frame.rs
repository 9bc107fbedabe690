//! A frame of a client: it is read or refused without a panic, and only a literal `true` approves.

#![no_main]

use footlight_vocabulary::event::frame::Frame;
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::json::{self, Limits};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(value) = json::parse(text, Limits::default()) else {
        return;
    };
    let approved = value.get("approved") == Some(&Value::Bool(true));
    match Frame::read(value) {
        Ok(Frame::ApprovalResponse(response)) => {
            assert_eq!(response.verdict() != Verdict::Deny, approved);
        }
        Ok(Frame::AskResponse(response)) => {
            let _ = response.reply.given();
        }
        Ok(_) => {}
        // An error is told to the client, so it has to be short.
        Err(error) => assert!(error.to_string().len() < 1_000),
    }
});
