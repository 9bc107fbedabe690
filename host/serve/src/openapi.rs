//! The OpenAPI 3.1 document, made from the [table of routes](crate::route) and the types of their
//! bodies.
//!
//! The schemas are those of `schemars`, which the vocabulary's types have anyway: the crates that
//! write such documents either want another derive on every type or another version of `schemars`.

use crate::live::LiveFrame;
use crate::problem::{MEDIA_TYPE, Problem, ProblemCode};
use crate::route::{Answer, Route};
use footlight_vocabulary::event::frame::Frame;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Returns the document.
pub(crate) fn document(routes: &[Route]) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut schemas = settings.into_generator();
    let mut paths = BTreeMap::<&str, Map<String, Value>>::new();
    for route in routes {
        let operation = operation(route, &mut schemas);
        let method = route.method.as_str().to_ascii_lowercase();
        paths
            .entry(route.path)
            .or_default()
            .insert(method, operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Footlight",
            "description": "Sessions between a person, a language model and sandboxed plugins.",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn operation(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    for (status, answer) in &route.answers {
        responses.insert(status.to_string(), answer_of(answer, schemas));
    }
    for (status, problems) in problems(route) {
        let codes: Vec<_> = problems.iter().map(|code| json!(code)).collect();
        let codes: Vec<&str> = codes.iter().filter_map(Value::as_str).collect();
        let schema = schemas.subschema_for::<Problem>();
        let mut response = json!({
            "description": format!("A problem: `{}`.", codes.join("`, `")),
            "content": { MEDIA_TYPE: { "schema": schema } },
        });
        if status == 429 {
            response["headers"] = json!({ "Retry-After": { "schema": { "type": "integer" } } });
        }
        // A route may have an answer of its own for a status.
        responses.entry(status.to_string()).or_insert(response);
    }
    let mut operation = json!({ "summary": route.summary, "responses": responses });
    let parameters = parameters(route);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(body) = route.body {
        operation["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": body(schemas) } },
        });
    }
    if route.is_live {
        // OpenAPI has no words for the frames of a stream.
        operation["x-frames"] = json!({
            "server": schemas.subschema_for::<LiveFrame>(),
            "client": schemas.subschema_for::<Frame>(),
        });
    }
    if let Some(needed) = route.needs {
        operation["security"] = json!([{ "token": [] }]);
        operation["x-needs"] = json!(needed);
        if route.is_for_links {
            operation["x-links"] = json!(true);
        }
    }
    operation
}

fn answer_of(answer: &Answer, schemas: &mut SchemaGenerator) -> Value {
    match answer {
        Answer::Empty => json!({ "description": "Done." }),
        Answer::Json(schema) => json!({
            "description": "The answer.",
            "content": { "application/json": { "schema": schema(schemas) } },
        }),
        Answer::JsonOrEvents(schema) => json!({
            "description": "The answer, or a stream of events.",
            "content": { "application/json": { "schema": schema(schemas) }, "text/event-stream": {} },
        }),
        Answer::Other(kind) => json!({
            "description": "The answer.",
            "content": { *kind: {} },
        }),
    }
}

/// Returns the problems of a route by status: its own, and those of what every request passes.
fn problems(route: &Route) -> BTreeMap<u16, Vec<ProblemCode>> {
    let mut codes = vec![ProblemCode::Invalid, ProblemCode::Forbidden];
    if route.needs.is_some() {
        codes.extend([
            ProblemCode::Unauthorized,
            ProblemCode::RateLimit,
            ProblemCode::Unavailable,
        ]);
    }
    if route.body.is_some() {
        codes.extend([ProblemCode::TooLarge, ProblemCode::MediaType]);
    }
    if route.path.contains('{') {
        codes.push(ProblemCode::NotFound);
    }
    codes.extend(&route.problems);
    let mut problems = BTreeMap::<u16, Vec<ProblemCode>>::new();
    for code in codes {
        let known = problems.entry(Problem::new(code, "").status).or_default();
        if !known.contains(&code) {
            known.push(code);
        }
    }
    problems
}

fn id_schema() -> Value {
    json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,128}$" })
}

fn parameters(route: &Route) -> Vec<Value> {
    let names = route.path.split('/');
    let names = names.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = names
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": id_schema() }))
        .collect();
    parameters.extend(route.header.map(
        |name| json!({ "name": name, "in": "header", "required": false, "schema": id_schema() }),
    ));
    let Some(query) = route.query else {
        return parameters;
    };
    // The members of the type, each a parameter.
    let mut own = SchemaSettings::draft2020_12().into_generator();
    let schema = query(&mut own);
    let name = schema.get("$ref").and_then(Value::as_str);
    let name = name.and_then(|path| path.rsplit('/').next());
    let definitions = own.take_definitions(true);
    let members = name.and_then(|name| definitions.get(name));
    let members = members.and_then(|schema| schema.get("properties"));
    for (name, schema) in members.and_then(Value::as_object).into_iter().flatten() {
        let mut schema = schema.clone();
        let description = schema
            .as_object_mut()
            .and_then(|it| it.shift_remove("description"));
        parameters.push(json!({
            "name": name, "in": "query", "required": false, "schema": schema,
            "description": description.unwrap_or_default(),
        }));
    }
    parameters
}
