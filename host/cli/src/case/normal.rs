//! The record of a call as two runs of it can be compared: without ids that the host mints, without times
//! and without what depends on the wire.

use footlight_vocabulary::item::{Content, Item};
use serde_json::{Map, Value, json};

/// The members of an item that differ in each run.
const OF_ITEM: [&str; 6] = ["id", "position", "rev", "start", "end", "call"];

/// The members of the verdict of a person that differ in each run.
const OF_RECEIPT: [&str; 3] = ["request", "at", "by"];

/// The ids of a record, and what stands for each.
pub(super) struct Ids(Vec<(String, String)>);

impl Ids {
    pub(super) fn of(items: &[Item]) -> Self {
        let mut ids = Vec::new();
        let mut outputs = 0;
        for item in items {
            match &item.content {
                Content::Output(_) => {
                    outputs += 1;
                    ids.push((item.id.as_str().to_owned(), format!("output-{outputs}")));
                }
                Content::Tool(_) => ids.push((item.id.as_str().to_owned(), "call".to_owned())),
                _ => {}
            }
        }
        Self(ids)
    }

    /// Replaces the ids in every text of a value.
    pub(super) fn replace(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.replace_in(text)),
            Value::Array(values) => values
                .into_iter()
                .map(|value| self.replace(value))
                .collect(),
            Value::Object(members) => {
                let members = members.into_iter();
                let members =
                    members.map(|(key, value)| (self.replace_in(key), self.replace(value)));
                Value::Object(members.collect())
            }
            other => other,
        }
    }

    fn replace_in(&self, text: String) -> String {
        let mut text = text;
        for (id, name) in &self.0 {
            if text.contains(id.as_str()) {
                text = text.replace(id.as_str(), name);
            }
        }
        text
    }
}

/// Returns an item without what differs in each run. `content` is that of an output.
pub(super) fn item(item: &Item, content: Option<&[u8]>) -> Value {
    let value = serde_json::to_value(item).unwrap_or_default();
    let Value::Object(mut members) = value else {
        return value;
    };
    remove(&mut members, &OF_ITEM);
    remove(&mut members, &["expires", "modelId"]);
    if let Some(Value::Object(receipt)) = members.get_mut("verdict") {
        remove(receipt, &OF_RECEIPT);
    }
    each(&mut members, "verdicts", &OF_RECEIPT);
    // How many bytes frame a request depends on the connection.
    each(&mut members, "powers", &["sent", "received"]);
    if let Some(content) = content {
        let content = match std::str::from_utf8(content) {
            Ok(text) => json!(text),
            Err(_) => json!({ "sha256": footlight::Digest::of(content).to_string() }),
        };
        members.insert("content".to_owned(), content);
    }
    Value::Object(members)
}

fn remove(members: &mut Map<String, Value>, names: &[&str]) {
    members.retain(|name, _| !names.contains(&name.as_str()));
}

fn each(members: &mut Map<String, Value>, list: &str, names: &[&str]) {
    let list = members.get_mut(list).and_then(Value::as_array_mut);
    for entry in list.into_iter().flatten() {
        if let Value::Object(entry) = entry {
            remove(entry, names);
        }
    }
}

/// Makes items of a record again, so that they can be drawn. One that cannot be read is left out.
pub(super) fn items(record: &[Value]) -> Vec<Item> {
    let item = |(n, value): (usize, &Value)| {
        let mut members = value.as_object()?.clone();
        let id = match members.get("type").and_then(Value::as_str) {
            Some("tool") => "call".to_owned(),
            _ => format!("item-{n}"),
        };
        let epoch = "1970-01-01T00:00:00.000Z";
        let times = [("start", epoch), ("expires", "9999-12-31T00:00:00.000Z")];
        for (name, value) in [("id", id.as_str()), ("call", "call")]
            .into_iter()
            .chain(times)
        {
            members.insert(name.to_owned(), value.into());
        }
        let position = json!({ "turn": 1, "step": 1, "call": 1, "n": n });
        members.insert("position".to_owned(), position);
        let receipts = members.get_mut("verdict").into_iter();
        let receipts: Vec<&mut Value> = receipts.collect();
        for receipt in receipts {
            receipt
                .as_object_mut()?
                .insert("at".to_owned(), epoch.into());
        }
        let receipts = members.get_mut("verdicts").and_then(Value::as_array_mut);
        for receipt in receipts.into_iter().flatten() {
            receipt
                .as_object_mut()?
                .insert("at".to_owned(), epoch.into());
        }
        serde_json::from_value(Value::Object(members)).ok()
    };
    record.iter().enumerate().filter_map(item).collect()
}
