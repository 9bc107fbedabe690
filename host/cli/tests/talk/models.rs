//! Models: the list, the requests, and that keys are never shown.

use crate::machine::{Machine, ended, plugin};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

#[test]
fn a_key_is_named_and_never_shown() {
    let machine = Machine::new();
    let secret = "sk-very-secret-indeed";
    let model = "chat:m@http://127.0.0.1:9/v1";
    for words in [
        vec!["models"],
        vec!["models", "--json"],
        vec!["doctor"],
        vec!["run", "PLUGIN", "hello", "--model", model],
        vec!["sessions", "show", "last", "--json"],
    ] {
        let weather = plugin("weather");
        let words: Vec<&str> = words
            .into_iter()
            .map(|word| {
                if word == "PLUGIN" {
                    weather.as_str()
                } else {
                    word
                }
            })
            .collect();
        let mut command = machine.command(&words);
        command
            .env("OPENAI_API_KEY", secret)
            .env("FOOTLIGHT_MODEL_KEY", secret);
        let ran = ended(command.output().expect("the binary is built"));
        assert!(
            !format!("{}{}", ran.stdout, ran.stderr).contains(secret),
            "{words:?}"
        );
        if words == ["models"] {
            assert!(
                ran.stdout.contains("the key in OPENAI_API_KEY"),
                "{}",
                ran.stdout
            );
        }
    }
    for entry in walk(&machine.path("data")) {
        let bytes = fs::read(&entry).expect("is read");
        let found = bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
        assert!(!found, "{}", entry.display());
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("is a folder") {
        let path = entry.expect("is there").path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn models_and_the_doctor_write_a_line_of_json_for_each_thing() {
    let machine = Machine::new();
    let mut command = machine.command(&["models", "--json"]);
    command.env("OPENAI_API_KEY", "sk-x");
    let models = ended(command.output().expect("the binary is built"));
    assert_eq!(models.code, Some(0), "{}", models.stderr);
    let lines = models.lines();
    assert_eq!(lines[0]["model"], "offline");
    let chosen: Vec<&Value> = lines.iter().filter(|line| line["chosen"] == true).collect();
    assert_eq!(chosen.len(), 1, "{lines:?}");
    assert!(
        chosen[0]["why"]
            .as_str()
            .expect("a reason")
            .contains("OPENAI_API_KEY"),
        "{lines:?}"
    );

    let doctor = machine.run(&["doctor", "--json"]);
    assert_eq!(doctor.code, Some(0), "{}{}", doctor.stdout, doctor.stderr);
    let lines = doctor.lines();
    let required: Vec<&str> = lines
        .iter()
        .filter(|line| line["required"] == true && line["ok"] == true)
        .filter_map(|line| line["name"].as_str())
        .collect();
    assert_eq!(
        required,
        [
            "data folder",
            "store",
            "configuration",
            "plugins",
            "rules",
            "compiled cache"
        ]
    );
    fs::write(machine.path("config/rules.toml"), "levle = 1\n").expect("is written");
    let ill = machine.run(&["doctor", "--json"]);
    assert_eq!(ill.code, Some(1));
    let wrong: Vec<Value> = ill
        .lines()
        .into_iter()
        .filter(|line| line["ok"] == false)
        .collect();
    assert!(
        wrong.iter().any(|line| line["name"] == "rules"),
        "{wrong:?}"
    );
}

/// Answers requests on loopback, one after the other, and gives what each had for a body.
fn server(answers: Vec<String>) -> (String, std::thread::JoinHandle<Vec<Value>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback is there");
    let address = listener.local_addr().expect("has one");
    let thread = std::thread::spawn(move || {
        let mut seen = Vec::new();
        for answer in answers {
            let (stream, _) = listener.accept().expect("somebody asks");
            let mut reader = BufReader::new(stream);
            let (mut line, mut length) = (String::new(), 0);
            while line != "\r\n" {
                line.clear();
                reader.read_line(&mut line).expect("is a request");
                let lower = line.to_lowercase();
                if let Some(said) = lower.strip_prefix("content-length:") {
                    length = said.trim().parse().expect("is a number");
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("is whole");
            seen.push(serde_json::from_slice(&body).expect("is JSON"));
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let mut stream = reader.into_inner();
            stream.write_all(head.as_bytes()).expect("is read");
            stream.write_all(answer.as_bytes()).expect("is read");
        }
        seen
    });
    (format!("http://{address}/v1"), thread)
}

/// One answer of a Chat Completions server, in pieces.
fn stream(deltas: &[Value], reason: &str) -> String {
    let chunk = |delta: Value, reason: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
        let chunk = json!({ "id": "c", "object": "chat.completion.chunk", "choices": [choice] });
        format!("data: {chunk}\n\n")
    };
    let mut text: String = deltas
        .iter()
        .map(|delta| chunk(delta.clone(), Value::Null))
        .collect();
    text.push_str(&chunk(json!({}), json!(reason)));
    text.push_str("data: [DONE]\n\n");
    text
}

#[test]
fn a_live_model_calls_a_tool_and_gives_the_answer() {
    let machine = Machine::new();
    let call = json!([{ "index": 0, "id": "call_1", "type": "function", "function": {
        "name": "weather__forecast", "arguments": "{\"city\": \"Oslo\"," } }]);
    let rest = json!([{ "index": 0, "function": { "arguments": " \"days\": 2}" } }]);
    let (address, served) = server(vec![
        stream(
            &[
                json!({ "role": "assistant", "tool_calls": call }),
                json!({ "tool_calls": rest }),
            ],
            "tool_calls",
        ),
        stream(
            &[
                json!({ "content": "It will be " }),
                json!({ "content": "*cold*." }),
            ],
            "stop",
        ),
    ]);
    let model = format!("chat:x@{address}");
    let ran = machine.run(&[
        "run",
        &plugin("weather"),
        "Rain in Oslo?",
        "--model",
        &model,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "It will be *cold*.\n");
    assert!(
        ran.stderr
            .contains("✓ weather.forecast city=\"Oslo\" days=2"),
        "{}",
        ran.stderr
    );
    let seen = served.join().expect("it served");
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0]["model"], "x");
    let said = seen[0]["messages"].to_string();
    assert!(said.contains("Rain in Oslo?"), "{said}");
    let messages = seen[1]["messages"].as_array().expect("messages");
    let returned = messages.last().expect("there are some");
    assert_eq!(
        (&returned["role"], &returned["tool_call_id"]),
        (&json!("tool"), &json!("call_1"))
    );
    // The model never sees widgets.
    assert!(
        !seen[1].to_string().contains("weather-forecast"),
        "{}",
        seen[1]
    );
}
