//! Whole turns: what is said, asked, answered and called.

use super::*;
use footlight::model::Delta;
use footlight_vocabulary::question::{Control, Question};
use futures_util::FutureExt as _;
use serde_json::{Value, json};

/// A conversation, gone on with.
struct Talk {
    tools: Vec<ToolSpec>,
    messages: Vec<Message>,
}

impl Talk {
    fn new(tools: Vec<ToolSpec>, prompt: &str) -> Self {
        let messages = vec![person(prompt)];
        Self { tools, messages }
    }

    fn step(&mut self) -> Vec<ModelPart> {
        let request = request(self.tools.clone(), self.messages.clone());
        let parts = answer(&request, today());
        let said = parts.clone();
        self.messages.push(Message::Model { parts: said });
        parts
    }

    /// Answers the calls of the last step.
    fn returns(&mut self, text: &str, is_error: bool) {
        let Some(Message::Model { parts }) = self.messages.last() else {
            panic!("the model has not spoken");
        };
        let results = calls(parts).into_iter().map(|call| {
            let text = text.to_owned();
            let mut result = ToolResult::new(&call.id, &call.name, vec![Part::Text { text }]);
            result.is_error = is_error;
            result
        });
        let results = results.collect();
        self.messages.push(Message::Results { results });
    }
}

fn spec(schema: Value) -> ToolSpec {
    let mut tool = ToolSpec::new("desk__book", "Books a desk in an office.", schema);
    tool.examples = vec!["Book a desk in Berlin".to_owned()];
    tool
}

fn with_ask(spec: ToolSpec) -> Vec<ToolSpec> {
    let mut all = vec![spec];
    all.extend(tools().into_iter().filter(|tool| tool.name == ask::TOOL));
    all
}

fn input(parts: &[ModelPart]) -> Value {
    let [call] = calls(parts)[..] else {
        panic!("one call was expected: {parts:?}");
    };
    serde_json::from_str(&call.arguments).expect("JSON")
}

#[test]
fn a_call_says_what_it_is_and_how_to_make_it_again() {
    let mut talk = Talk::new(tools(), "Will it rain in Oslo?");
    assert_eq!(
        said(&talk.step()),
        "-> weather.forecast city=\"Oslo\" days=5 (matched by words; no language model)\n\
         `footlight call weather forecast city=Oslo`"
    );
    talk = Talk::new(
        tools(),
        "/compare cities=\"Paris, France\" cities=Oslo days=2",
    );
    assert_eq!(
        said(&talk.step()),
        "-> weather.compare cities=[\"Paris, France\",\"Oslo\"] days=2 (as typed; no language model)\n\
         `footlight call weather compare 'cities=Paris, France' cities=Oslo days=2`"
    );
}

#[test]
fn after_results_nothing_is_said_unless_one_failed() {
    let mut talk = Talk::new(tools(), "Will it rain in Oslo?");
    talk.step();
    talk.returns("dry", false);
    assert_eq!(talk.step(), []);

    let mut talk = Talk::new(tools(), "Will it rain in Atlantis?");
    talk.step();
    talk.returns("no city called `Atlantis`\n\u{1b}[31m![x](y)", true);
    assert_eq!(
        said(&talk.step()),
        "weather.forecast failed: ``no city called `Atlantis` [31m![x](y)``"
    );
}

#[test]
fn what_is_missing_is_asked_for_and_then_the_tool_is_called() {
    // The answer is the text of the asking tool's result.
    let mut talk = Talk::new(tools(), "What's the weather?");
    let asked = talk.step();
    assert_eq!(
        said(&asked),
        "-> weather.forecast needs city (matched by words; no language model)"
    );
    assert_eq!(calls(&asked)[0].name, "footlight__ask");
    let question = Question::from_model(input(&asked)).expect("a question");
    assert_eq!(question.fields[0].control, Control::Text);
    talk.returns("Oslo", false);
    let called = talk.step();
    assert_eq!(calls(&called)[0].name, "weather__forecast");
    assert_eq!(input(&called), json!({ "city": "Oslo" }));
}

#[test]
fn every_missing_slot_has_the_control_that_its_schema_wants() {
    let schema = json!({
        "type": "object",
        "properties": {
            "office": { "type": "string", "enum": ["North", "South"] },
            "window": { "type": "boolean" },
            "seats": { "type": "integer", "minimum": 1, "maximum": 4, "default": 2 },
            "day": { "type": "string", "format": "date" },
            "who": { "type": "string", "description": "Whose it is. Ask them." },
            "tags": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        },
        "required": ["office", "window", "seats", "day", "who", "tags"],
    });
    let mut talk = Talk::new(with_ask(spec(schema)), "/book");
    let asked = input(&talk.step());
    let question = Question::from_model(asked.clone()).expect("a question");
    let controls: Vec<&str> = question.fields.iter().map(|f| f.control.as_str()).collect();
    assert_eq!(
        controls,
        ["select", "confirm", "number", "date", "text", "text"]
    );
    assert_eq!(
        asked["widgets"][2],
        json!({ "name": "seats", "type": "number", "default": 2,
                "label": "seats (a whole number from 1 to 4)" })
    );
    assert_eq!(asked["widgets"][4]["label"], "Whose it is");
    // What `Answer::text` makes of the answers of several fields.
    let given = json!({ "office": "South", "window": "Yes", "seats": 3, "day": "2026-04-01",
                        "who": "Ada\nLovelace", "tags": "a, b" });
    let answer = question.check(given).expect("an answer");
    talk.returns(&answer.text(), false);
    assert_eq!(
        input(&talk.step()),
        json!({ "office": "South", "window": true, "seats": 3, "day": "2026-04-01",
                "who": "Ada\nLovelace", "tags": ["a", "b"] })
    );
}

#[test]
fn what_does_not_fit_is_asked_for_and_no_default_stands_in() {
    let mut talk = Talk::new(tools(), "forecast for Oslo for 30 days");
    let asked = talk.step();
    let question = Question::from_model(input(&asked)).expect("a question");
    assert_eq!(question.fields[0].control, Control::Number);
    talk.returns("3", false);
    assert_eq!(input(&talk.step()), json!({ "city": "Oslo", "days": 3 }));
}

#[test]
fn a_question_that_nobody_answers_calls_nothing() {
    let mut talk = Talk::new(tools(), "What's the weather?");
    talk.step();
    talk.returns("nobody can be asked", true);
    let parts = talk.step();
    assert!(calls(&parts).is_empty());
    assert!(said(&parts).contains("nobody can be asked"));

    let mut talk = Talk::new(tools(), "forecast for Oslo for 30 days");
    talk.step();
    talk.returns("a lot", false);
    let parts = talk.step();
    assert!(calls(&parts).is_empty());
    assert!(said(&parts).contains("`days` wants a whole number from 1 to 14"));
}

#[test]
fn without_the_asking_tool_it_says_what_is_missing() {
    let mut offered = tools();
    offered.retain(|tool| tool.name != ask::TOOL);
    let parts = Talk::new(offered, "What's the weather?").step();
    assert!(calls(&parts).is_empty());
    let said = said(&parts);
    assert!(
        said.contains("`city`: text of at most 80 characters"),
        "{said}"
    );
    assert!(said.contains("`/weather.forecast city=…`"), "{said}");
}

#[test]
fn several_typed_calls_are_asked_about_one_after_the_other_and_made_together() {
    let mut talk = Talk::new(tools(), "/greet\n/list\n/forecast days=2");
    talk.step();
    talk.returns("Ada", false);
    let asked = talk.step();
    assert_eq!(calls(&asked)[0].name, "footlight__ask");
    talk.returns("Oslo", false);
    let parts = talk.step();
    let names: Vec<&str> = calls(&parts)
        .iter()
        .map(|call| call.name.as_str())
        .collect();
    assert_eq!(names, ["hello__greet", "todo__list", "weather__forecast"]);
    let ids: std::collections::BTreeSet<&str> =
        calls(&parts).iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 3);
}

#[test]
fn nothing_that_fits_lists_three_tools_with_an_example_each() {
    let parts = Talk::new(tools(), "Tell me a joke about rain").step();
    let said = said(&parts);
    assert!(said.starts_with("no tool matches these words (no language model is in use)."));
    assert_eq!(said.lines().count(), 4, "{said}");
    assert!(said.contains("- `weather.forecast`: `What will the weather be in Oslo this week?`"));
}

#[test]
fn two_tools_that_tie_are_both_listed() {
    let [one, other] = ["a__translate", "b__translate"].map(|name| {
        let mut tool = spec(json!({ "type": "object" }));
        tool.name = name.to_owned();
        tool
    });
    let parts = Talk::new(vec![one, other], "translate").step();
    assert!(calls(&parts).is_empty());
    assert!(said(&parts).contains("`a.translate`") && said(&parts).contains("`b.translate`"));
}

#[test]
fn nothing_is_called_where_nothing_may_be_called() {
    let mut request = request(tools(), vec![person("Will it rain in Oslo?")]);
    request.may_call = false;
    assert!(calls(&answer(&request, today())).is_empty());
}

#[test]
fn the_command_is_quoted_for_a_shell() {
    for (typed, command) in [
        (
            "/greet name=\"Ada's cat\"",
            r"footlight call hello greet 'name=Ada'\''s cat'",
        ),
        (
            "/greet {\"name\":\"a\\nb\"}",
            r#"footlight call hello greet '{"name":"a\nb"}'"#,
        ),
        (
            "/compare cities=Oslo,Rome",
            "footlight call weather compare cities=Oslo cities=Rome",
        ),
        (
            "/clear what=null",
            r#"footlight call todo clear '{"what":null}'"#,
        ),
        ("/list", "footlight call todo list"),
        (
            "/greet $(rm)`x`",
            "footlight call hello greet 'name=$(rm)`x`'",
        ),
    ] {
        let said = said(&Talk::new(tools(), typed).step());
        assert!(said.contains(command), "{said}");
    }
}

#[test]
fn the_step_streams_what_it_finishes_with() {
    let clock = || UNIX_EPOCH + std::time::Duration::from_secs(1_773_230_400);
    let model = Offline::new(clock);
    assert_eq!(model.today(), today());
    assert_eq!(model.name(), "offline");
    let prompt = "remind me to call mum tomorrow";
    let mut step = model.step(request(tools(), vec![person(prompt)]));
    let mut deltas = Vec::new();
    while let Some(Some(delta)) = step.next().now_or_never() {
        deltas.push(delta.expect("no error"));
    }
    let [
        Delta::Text(text),
        Delta::Calling(tool),
        Delta::Finished(whole),
    ] = deltas.as_slice()
    else {
        panic!("{deltas:?}");
    };
    assert_eq!((text, tool.as_str()), (&said(&whole.parts), "todo__add"));
    assert_eq!(
        input(&whole.parts),
        json!({ "title": "call mum", "due": "2026-03-12" })
    );
}

#[test]
fn a_prompt_that_had_no_answer_is_not_taken_up_again() {
    let part = |text: &str| Part::Text {
        text: text.to_owned(),
    };
    let content = vec![part("/todo.add title=Milk"), part("/todo.list")];
    let request = request(tools(), vec![Message::Person { content }]);
    let parts = answer(&request, today());
    let names: Vec<&str> = calls(&parts).iter().map(|call| &*call.name).collect();
    assert_eq!(names, ["todo__list"], "{parts:?}");
}
