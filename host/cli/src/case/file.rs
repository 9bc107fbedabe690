//! Cases as TOML.
//!
//! Written by hand (`write`), because strings of several lines stay readable that way; read with serde.

mod write;

use super::{Answer, Case, Decision, Exchange, Expected, MAX_BYTES, MAX_ENTRIES};
use crate::data;
use anyhow::{Context, Result, anyhow, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use footlight::{HttpFailure, HttpResponse};
use footlight_vocabulary::item::Verdict;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The header above the expectation, which is the last table of a file.
const EXPECT: &str = "[expect]";

/// The words for why a request has no response.
const FAILURES: [(&str, HttpFailure); 6] = [
    ("unreachable", HttpFailure::Unreachable),
    ("timed-out", HttpFailure::TimedOut),
    ("unanswered", HttpFailure::Unanswered),
    ("closed", HttpFailure::Closed),
    ("malformed", HttpFailure::Malformed),
    ("too-large", HttpFailure::TooLarge),
];

/// The words for decisions; none for nobody.
const VERDICTS: [(&str, Option<Verdict>); 5] = [
    ("deny", Some(Verdict::Deny)),
    ("once", Some(Verdict::Once)),
    ("session", Some(Verdict::Session)),
    ("always", Some(Verdict::Always)),
    ("nobody", None),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    tool: String,
    input: String,
    clock: String,
    seed: u32,
    #[serde(default = "english")]
    locale: String,
    #[serde(default = "utc")]
    timezone: String,
    #[serde(default = "empty")]
    settings: String,
    #[serde(default)]
    allow_net: Vec<String>,
    #[serde(default)]
    secrets: Vec<String>,
    #[serde(default)]
    state: BTreeMap<String, String>,
    #[serde(default, rename = "answer")]
    answers: Vec<FileAnswer>,
    #[serde(default, rename = "verdict")]
    verdicts: Vec<FileDecision>,
    #[serde(default, rename = "http")]
    exchanges: Vec<FileExchange>,
    #[serde(default)]
    expect: FileExpected,
}

fn english() -> String {
    "en".to_owned()
}

fn utc() -> String {
    "Etc/UTC".to_owned()
}

fn empty() -> String {
    "{}".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileAnswer {
    values: Option<String>,
    reply: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileDecision {
    decision: String,
    words: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileExchange {
    method: String,
    url: String,
    #[serde(default)]
    headers: Vec<String>,
    body: Option<String>,
    body_base64: Option<String>,
    error: Option<String>,
    status: Option<u16>,
    #[serde(default)]
    response_headers: Vec<String>,
    response: Option<String>,
    response_base64: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileExpected {
    record: Option<String>,
    state: Option<String>,
}

/// Reads a case from a file.
pub(crate) fn read(path: &Path) -> Result<Case> {
    let text = data::read_text(path, MAX_BYTES)?;
    parse(&text).with_context(|| format!("`{}`", data::display_path(path)))
}

/// Parses a case.
pub(crate) fn parse(text: &str) -> Result<Case> {
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| {
            let before = text.get(..span.start).unwrap_or(text);
            before.matches('\n').count() + 1
        });
        anyhow!("line {line}: {}", error.message())
    })?;
    for (what, count) in [
        ("[state] values", file.state.len()),
        ("[[answer]] entries", file.answers.len()),
        ("[[verdict]] entries", file.verdicts.len()),
        ("[[http]] entries", file.exchanges.len()),
    ] {
        if count > MAX_ENTRIES {
            bail!("more than {MAX_ENTRIES} {what}");
        }
    }
    let state = |state: BTreeMap<String, String>| {
        let values = state.into_iter().map(|(key, text)| {
            let value = json(&format!("state.{key}"), &text)?;
            Ok((key, value))
        });
        values.collect::<Result<BTreeMap<String, Value>>>()
    };
    let record = match &file.expect.record {
        None => Vec::new(),
        Some(text) => match json("expect.record", text)? {
            Value::Array(items) => items,
            _ => bail!("`expect.record` is a JSON list of items"),
        },
    };
    let after = match &file.expect.state {
        None => None,
        Some(text) => Some(object("expect.state", text)?.into_iter().collect()),
    };
    Ok(Case {
        tool: file.tool,
        input: object("input", &file.input)?,
        clock: file
            .clock
            .parse()
            .map_err(|_| anyhow!("`clock` is a time such as \"2026-11-18T12:00:00.000Z\""))?,
        seed: file.seed,
        locale: file.locale,
        timezone: file.timezone,
        settings: object("settings", &file.settings)?,
        allow_net: file.allow_net,
        secrets: file.secrets,
        state: state(file.state)?,
        answers: file
            .answers
            .into_iter()
            .map(answer)
            .collect::<Result<_>>()?,
        verdicts: file
            .verdicts
            .into_iter()
            .map(decision)
            .collect::<Result<_>>()?,
        exchanges: file
            .exchanges
            .into_iter()
            .map(exchange)
            .collect::<Result<_>>()?,
        expect: Expected {
            record,
            state: after,
        },
    })
}

fn json(key: &str, text: &str) -> Result<Value> {
    serde_json::from_str(text).with_context(|| format!("`{key}` is not JSON"))
}

fn object(key: &str, text: &str) -> Result<Map<String, Value>> {
    match json(key, text)? {
        Value::Object(members) => Ok(members),
        _ => bail!("`{key}` is a JSON object"),
    }
}

fn answer(answer: FileAnswer) -> Result<Answer> {
    match (answer.values, answer.reply.as_deref()) {
        (Some(values), None) => Ok(Answer::Values(object("answer.values", &values)?)),
        (None, Some("skip")) => Ok(Answer::Skip),
        (None, Some("nobody")) => Ok(Answer::Nobody),
        _ => bail!("an [[answer]] has `values`, or `reply` as \"skip\" or \"nobody\""),
    }
}

fn decision(decision: FileDecision) -> Result<Decision> {
    let found = VERDICTS.iter().find(|(word, _)| *word == decision.decision);
    let Some((_, verdict)) = found else {
        bail!("the `decision` of a [[verdict]] is deny, once, session, always or nobody");
    };
    Ok(Decision {
        verdict: *verdict,
        words: decision.words,
    })
}

fn exchange(exchange: FileExchange) -> Result<Exchange> {
    let answer = match (exchange.status, exchange.error) {
        (Some(status), None) => Ok(HttpResponse::new(
            status,
            headers(exchange.response_headers)?,
            body("response", exchange.response, exchange.response_base64)?,
        )),
        (None, Some(word)) => {
            let found = FAILURES.iter().find(|(known, _)| *known == word);
            let words: Vec<&str> = FAILURES.iter().map(|(word, _)| *word).collect();
            let found = found.with_context(|| format!("`error` is one of {}", words.join(", ")))?;
            Err(found.1)
        }
        _ => bail!("an [[http]] has either `status` or `error`"),
    };
    Ok(Exchange {
        method: exchange.method,
        url: exchange.url,
        headers: headers(exchange.headers)?,
        body: body("body", exchange.body, exchange.body_base64)?,
        answer,
    })
}

fn headers(lines: Vec<String>) -> Result<Vec<(String, String)>> {
    let header = |line: String| match line.split_once(": ") {
        Some((name, value)) => Ok((name.to_ascii_lowercase(), value.to_owned())),
        None => Err(anyhow!("a header is written \"name: value\"")),
    };
    lines.into_iter().map(header).collect()
}

fn body(key: &str, text: Option<String>, base64: Option<String>) -> Result<Vec<u8>> {
    match (text, base64) {
        (text, None) => Ok(text.unwrap_or_default().into_bytes()),
        (None, Some(base64)) => BASE64_STANDARD
            .decode(base64.trim())
            .with_context(|| format!("`{key}-base64` is not base64")),
        (Some(_), Some(_)) => bail!("`{key}` and `{key}-base64` exclude each other"),
    }
}

/// Returns the text of a case with another expectation. Every other byte stays.
pub(crate) fn with_expectation(text: &str, expected: &Expected) -> Result<String> {
    // A line that reads like the header can stand in a string, where what comes before is not TOML.
    let mut starts = text.match_indices(EXPECT).map(|(at, _)| at);
    let is_header = |at: &usize| {
        (*at == 0 || text[..*at].ends_with('\n'))
            && toml::from_str::<toml::Table>(&text[..*at]).is_ok()
    };
    let head = match starts.find(is_header) {
        Some(at) => &text[..at],
        None => text,
    };
    let new = format!("{}\n\n{}", head.trim_end(), expected.to_toml());
    let (before, after) = (parse(text)?, parse(&new)?);
    let is_same = Case {
        expect: before.expect.clone(),
        ..after.clone()
    } == before;
    if !is_same || after.expect != *expected {
        bail!("{EXPECT} is not the last table of the file; move it to the end");
    }
    Ok(new)
}

/// Replaces a file at once, or not at all.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    check_size(text)?;
    let folder = folder_of(path);
    let replaced = || -> std::io::Result<()> {
        let mode = fs::metadata(path)?.permissions();
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().set_permissions(mode)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    replaced().with_context(|| format!("cannot write `{}`", data::display_path(path)))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes a new file at once, or not at all. One that exists is left alone.
pub(crate) fn create(path: &Path, text: &str) -> Result<()> {
    check_size(text)?;
    let created = || -> std::io::Result<()> {
        let folder = folder_of(path);
        fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        // Like any other file of the plugin: the mask of the process says who can read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    };
    created().with_context(|| format!("cannot write `{}`", data::display_path(path)))
}

fn check_size(text: &str) -> Result<()> {
    if text.len() > MAX_BYTES {
        bail!(
            "the case has {} bytes, and a case can have {MAX_BYTES}; record a call that is answered less",
            text.len()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
