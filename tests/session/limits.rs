//! Limits of a turn that hold within a step.

use super::{ALL, tools};
use footlight::model::{Finished, ModelPart, ToolCall};
use footlight::session::{Settings, TurnLimits};
use footlight::vocabulary::event::Status;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::CallResult;
use footlight_tests::scripted_session::{Answer, Person, Scripted, host, turn};
use serde_json::json;

#[tokio::test]
async fn a_step_runs_only_the_calls_that_its_turn_has_left() {
    for (first, second, limit) in [(10_000, 0, 256), (3, 10, 5), (5, 3, 5), (0, 6, 5)] {
        let step = |count: usize| {
            let call = |n: usize| {
                let input = json!({ "name": format!("Ada {n}") }).to_string();
                ModelPart::Call(ToolCall::new(format!("m{n}"), "hello__greet", input))
            };
            Answer::Says(Finished::new((0..count).map(call).collect()))
        };
        let steps = [first, second].into_iter().filter(|count| *count > 0);
        let model = Scripted::new(steps.map(step)).forgetful();
        let mut settings = Settings::new(model).attended();
        settings.limits = {
            let mut bounds = TurnLimits::default();
            bounds.calls = limit;
            bounds
        };
        let session = host(&ALL).await.session(settings).await.expect("a session");
        let followed = turn(&session, "Go", Person::default()).await;
        assert_eq!(followed.status, Status::Limit);
        let (mut ran, mut refused) = (0, 0);
        for (_, result) in tools(&followed.items) {
            match result {
                CallResult::Success { .. } => ran += 1,
                CallResult::Error {
                    code: Some(FailureCode::Limit),
                    ..
                } => refused += 1,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(ran, limit, "{first}, {second}");
        // After the limit the model may only speak: a second step has no calls.
        let asked = if first >= limit {
            first
        } else {
            first + second
        };
        assert_eq!(ran + refused, asked, "{first}, {second}");
    }
}

#[tokio::test]
async fn a_turn_records_no_more_than_its_limit_of_bytes() {
    let call = |n: usize| {
        let input = json!({ "name": format!("{n}{}", "a".repeat(30_000)) }).to_string();
        ModelPart::Call(ToolCall::new(format!("m{n}"), "hello__greet", input))
    };
    let step = || Answer::Says(Finished::new((0..9).map(call).collect()));
    let model = Scripted::new([step(), step()]).forgetful();
    let mut settings = Settings::new(model).attended();
    settings.limits = {
        let mut bounds = TurnLimits::default();
        bounds.bytes = 100_000;
        bounds
    };
    let session = host(&ALL).await.session(settings).await.expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;
    assert_eq!(followed.status, Status::Limit);
    let ends: Vec<bool> = tools(&followed.items)
        .iter()
        .map(|(_, result)| match result {
            CallResult::Success { .. } => true,
            CallResult::Error { code, .. } => {
                assert_eq!(*code, Some(FailureCode::Limit));
                false
            }
            CallResult::Pending { .. } => panic!("every call has ended"),
        })
        .collect();
    // Each records its input and its result.
    assert_eq!(
        ends,
        [true, true, false, false, false, false, false, false, false]
    );
}
