//! The generated modules in JavaScript, and their types for TypeScript.

use super::types::{Member, Type};
use super::{DERIVED, Function};
use footlight_vocabulary::component::Children;
use std::fmt::Write;

/// The names of JavaScript that no function can have.
const RESERVED: &[&str] = &["default"];

pub(super) fn ui(components: &[Function]) -> String {
    let mut text = format!("{UI}{IMPORT_UI}");
    for component in components {
        let children = match component.children {
            Children::None => "none",
            Children::One => "one",
            Children::Many { required: true, .. } => "list",
            Children::Many { .. } => "some",
        };
        let name = component.name.replace('.', "");
        let _ = writeln!(
            text,
            "\n/** {} */\nexport const {name} = component(\"{}\", {}, \"{children}\", {});",
            component.doc,
            component.name,
            names(&component.positional),
            shorthands(component)
        );
    }
    text
}

pub(super) fn result(kinds: &[Function]) -> String {
    let mut text = String::from(RESULT);
    for kind in kinds {
        let derived = DERIVED.iter().filter(|(name, _)| *name == kind.name);
        let derived: Vec<String> = derived
            .map(|(_, member)| format!("{member}: {}_{member}", kind.name))
            .collect();
        let derived = match derived.is_empty() {
            true => String::new(),
            false => format!(", {{ {} }}", derived.join(", ")),
        };
        let _ = writeln!(
            text,
            "\n/** {} */\nexport const {name} = kind(\"{name}\", {}, {}{derived});",
            kind.doc,
            names(&kind.positional),
            shorthands(kind),
            name = kind.name
        );
    }
    text
}

pub(super) fn field(fields: &[Function]) -> String {
    let mut text = String::from(FIELD);
    for control in fields {
        assert!(
            !RESERVED.contains(&control.name.as_str()),
            "a name of JavaScript"
        );
        let _ = writeln!(
            text,
            "\n/** {} */\nexport const {name} = control(\"{name}\");",
            control.doc,
            name = control.name
        );
    }
    text
}

pub(super) fn ui_types(components: &[Function]) -> String {
    let mut text = format!("{UI}{TYPES_UI}");
    for component in components {
        let name = component.name.replace('.', "");
        let _ = writeln!(
            text,
            "\nexport interface {name}Props {{{}\n}}",
            members(&component.named, 2)
        );
        let positional = parameters(&component.positional);
        let comma = if positional.is_empty() { "" } else { ", " };
        let _ = match component.children {
            Children::None => writeln!(
                text,
                "\n/** {} */\nexport function {name}({positional}{comma}props?: {name}Props): Node;",
                component.doc
            ),
            Children::One => writeln!(
                text,
                "\n/** {doc} */\nexport function {name}(child?: Child): Node;\n/** {doc} */\nexport function {name}(props: {name}Props, child?: Child): Node;",
                doc = component.doc
            ),
            Children::Many { .. } => writeln!(
                text,
                "\n/** {doc} */\nexport function {name}({positional}{comma}...children: Child[]): Node;\n/** {doc} */\nexport function {name}({positional}{comma}props: {name}Props, ...children: Child[]): Node;",
                doc = component.doc
            ),
        };
    }
    text
}

pub(super) fn result_types(kinds: &[Function]) -> String {
    let mut text = String::from(TYPES_RESULT);
    for kind in kinds {
        let more = match kind.named.is_empty() {
            true => "Hints".to_owned(),
            false => format!("Hints & {{{}\n}}", members(&kind.named, 2)),
        };
        let positional = parameters(&kind.positional);
        let comma = if positional.is_empty() { "" } else { ", " };
        let _ = writeln!(
            text,
            "\n/** {} */\nexport function {}({positional}{comma}more?: {more}): Result;",
            kind.doc, kind.name
        );
    }
    text
}

pub(super) fn field_types(fields: &[Function]) -> String {
    let mut text = String::from(TYPES_FIELD);
    if let Some(control) = fields.first() {
        let _ = writeln!(
            text,
            "\nexport interface Options {{{}\n}}",
            members(&control.named, 2)
        );
    }
    for control in fields {
        let _ = writeln!(
            text,
            "\n/** {} */\nexport function {}(name: string, options?: Options): Field;",
            control.doc, control.name
        );
    }
    text
}

fn names(members: &[Member]) -> String {
    let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    serde_json::to_string(&names).unwrap_or_default()
}

/// Returns the members that texts and lists can stand for, as an object.
fn shorthands(function: &Function) -> String {
    let members = function.positional.iter().chain(&function.named);
    let shorthands: Vec<String> = members
        .filter_map(|member| {
            let (is_list, names) = member.shorthand()?;
            let call = if is_list { "each" } else { "one" };
            Some(format!(
                "{}: {call}(\"{}\")",
                member.name,
                names.join("\", \"")
            ))
        })
        .collect();
    match shorthands.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", shorthands.join(", ")),
    }
}

fn parameters(members: &[Member]) -> String {
    let parameters = members.iter().map(|member| {
        let optional = if member.required { "" } else { "?" };
        format!("{}{optional}: {}", member.name, accepted(member))
    });
    parameters.collect::<Vec<_>>().join(", ")
}

fn members(members: &[Member], indent: usize) -> String {
    let space = " ".repeat(indent);
    let lines = members.iter().map(|member| {
        let doc = match member.doc.is_empty() {
            true => String::new(),
            false => format!("\n{space}/** {} */", member.doc),
        };
        format!("{doc}\n{space}{}?: {};", member.name, accepted(member))
    });
    lines.collect()
}

/// Returns the type of a member, with what can stand for its value.
fn accepted(member: &Member) -> String {
    let exact = of(&member.takes);
    match (member.shorthand(), &member.takes) {
        (Some(_), Type::List(inner)) => format!(
            "readonly ({} | string | readonly unknown[])[] | Record<string, unknown>",
            of(inner)
        ),
        (Some(_), _) => format!("{exact} | string"),
        (None, _) => exact,
    }
}

fn of(takes: &Type) -> String {
    match takes {
        Type::Any => "unknown".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Word(known) => {
            let known: Vec<String> = known.iter().map(|word| format!("\"{word}\"")).collect();
            format!("{} | (string & {{}})", known.join(" | "))
        }
        Type::Bool => "boolean".to_owned(),
        Type::False => "false".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Integer | Type::Number => "number".to_owned(),
        Type::Map(inner) => format!("Record<string, {}>", of(inner)),
        Type::List(inner) => format!("readonly ({})[]", of(inner)),
        Type::Object(object) => {
            let members = object.iter().map(|member| {
                let optional = if member.required { "" } else { "?" };
                format!("{}{optional}: {}", member.name, of(&member.takes))
            });
            format!("{{ {} }}", members.collect::<Vec<_>>().join("; "))
        }
        Type::OneOf(types) => types.iter().map(of).collect::<Vec<_>>().join(" | "),
    }
}

const UI: &str = r#"/**
 * The components of widgets: one function each. Generated from the vocabulary.
 *
 * A component takes what it requires, then its props if it has any, then its children:
 *
 *     ui.Card(
 *       ui.Title("Oslo"),
 *       ui.Row({ gap: 2 }, ui.Text("Mon"), ui.Badge("rain", { color: "info" })),
 *       ui.Button({ label: "Refresh", onClickAction: ui.action("refresh", { city: "Oslo" }) }),
 *     )
 *
 * A child that is `null` is left out. Words such as colours are open: a host ignores one that it does not know.
 */
"#;

const IMPORT_UI: &str = r#"
import { component, each, one } from "./shape.js";

/** A call of a tool of this plugin, with `payload` and the values of the form around it as input. */
export const action = (tool, payload, members = {}) => ({ type: tool, ...(payload === undefined ? {} : { payload }), ...members });
"#;

const TYPES_UI: &str = r#"
/** A component tree. */
export interface Node {
  type: string;
  [prop: string]: unknown;
}

/** A child, or nothing. */
export type Child = Node | null | undefined | false;

/** A call of a tool of this plugin. */
export interface Action {
  type: string;
  payload?: unknown;
  handler?: string;
  loadingBehavior?: string;
  streaming?: boolean;
}

/** A call of a tool of this plugin, with `payload` and the values of the form around it as input. */
export function action(tool: string, payload?: unknown, members?: Partial<Action>): Action;
"#;

const RESULT: &str = r#"/**
 * The kinds of results: one function each. Generated from the vocabulary.
 *
 * A tool returns `result.table([{ day: "Mon", rain: 0.4 }], { summary: "1 day" })`. It can also return a string, which
 * is `text`, or any other value, which is `structured`. A list of objects accepts texts and lists in their place.
 */

import { chart_series, chart_x, kind, table_columns } from "./derived.js";
import { each, one } from "./shape.js";

export { custom } from "./derived.js";
"#;

const TYPES_RESULT: &str = r#"/** The kinds of results: one function each. Generated from the vocabulary. */

/** What every result can say of itself. */
export interface Hints {
  /** A summary in one line. */
  summary?: string;
  /** The key by which a host finds a translation of the summary. */
  summaryKey?: string;
  /** The media type of the data. */
  mimeType?: string;
  /** What the model reads in place of the data. */
  model?: unknown;
  /** How to draw the result: `preferredView`, `language`, `collapsed`, `maxHeight`, `priority`, `fieldTypes`. */
  display?: Record<string, unknown>;
}

/** A result of a tool. */
export interface Result {
  readonly kind: string;
  readonly data: unknown;
  readonly hints: Hints;
}

/** A result of a kind of your own, such as `acme.timeline`. */
export function custom(kind: string, data: unknown, hints?: Hints): Result;
"#;

const FIELD: &str = r#"/**
 * The fields of questions: one function for each control. Generated from the vocabulary.
 *
 * `stage.ask("Which one?", field.select("city", { options: ["Springfield, MA", "Springfield, IL"] }))` returns the
 * answers by the names of the fields.
 */

import { control } from "./shape.js";
"#;

const TYPES_FIELD: &str = r#"/** The fields of questions: one function for each control. Generated from the vocabulary. */

/** A field of a question. */
export interface Field {
  name: string;
  type: string;
  [member: string]: unknown;
}
"#;
