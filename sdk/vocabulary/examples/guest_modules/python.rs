//! The generated modules in Python.

use super::types::{Member, Type};
use super::{DERIVED, Function};
use footlight_vocabulary::component::Children;
use std::fmt::Write;

/// The greatest width of a line of parameters.
const WIDTH: usize = 116;

pub(super) fn ui(components: &[Function]) -> String {
    let mut text = String::from(UI);
    for component in components {
        let children = match component.children {
            Children::None => None,
            Children::One => Some("child: Node | None = None"),
            Children::Many { .. } => Some("*children: Node | None"),
        };
        let name = component.name.replace('.', "");
        let made = match component.children {
            Children::None => "_node({kind}, {members})".to_owned(),
            Children::One => "_node({kind}, {members}, child, one=True)".to_owned(),
            Children::Many { required: true, .. } => {
                "_node({kind}, {members}, children or [])".to_owned()
            }
            Children::Many { .. } => "_node({kind}, {members}, children)".to_owned(),
        };
        let made = made.replace("{kind}", &format!("\"{}\"", component.name));
        function(&mut text, &name, component, children, None, "Node", &made);
    }
    text
}

pub(super) fn result(kinds: &[Function]) -> String {
    let mut text = String::from(RESULT);
    for kind in kinds {
        let made = match kind.name.as_str() {
            "structured" => "Result(\"structured\", value, hints)".to_owned(),
            name => format!("Result(\"{name}\", {{members}}, hints)"),
        };
        function(
            &mut text,
            &kind.name,
            kind,
            None,
            Some("**hints: Unpack[Hints]"),
            "Result",
            &made,
        );
    }
    text
}

pub(super) fn field(fields: &[Function]) -> String {
    let mut text = String::from(FIELD);
    for control in fields {
        let made = format!(
            "{{\"name\": name, \"type\": \"{}\"}} | {{members}}",
            control.name
        );
        function(
            &mut text,
            &control.name,
            control,
            None,
            None,
            "Field",
            &made,
        );
    }
    text
}

/// Writes a function. `{members}` in `made` stands for the members that are set.
fn function(
    text: &mut String,
    name: &str,
    function: &Function,
    before: Option<&str>,
    after: Option<&str>,
    returns: &str,
    made: &str,
) {
    let mut parameters: Vec<String> = Vec::new();
    let is_variadic = before.is_some_and(|before| before.starts_with('*'));
    for member in &function.positional {
        let default = if member.required { "" } else { " = None" };
        let optional = if member.required { "" } else { " | None" };
        parameters.push(format!(
            "{}: {}{optional}{default}",
            member.snake(),
            hint(member)
        ));
    }
    parameters.extend(before.map(str::to_owned));
    if !is_variadic && !function.named.is_empty() {
        parameters.push("*".to_owned());
    }
    for member in &function.named {
        parameters.push(format!(
            "{}: {} | None = None",
            member.snake(),
            hint(member)
        ));
    }
    parameters.extend(after.map(str::to_owned));

    let _ = write!(text, "\n\ndef {name}(");
    let mut line = String::from("    ");
    text.push('\n');
    for parameter in &parameters {
        if line.len() + parameter.len() + 2 > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            line = String::from("    ");
        }
        let _ = write!(line, "{parameter}, ");
    }
    let _ = writeln!(text, "{}\n) -> {returns}:", line.trim_end());

    let members: Vec<&Member> = function.positional.iter().chain(&function.named).collect();
    let _ = write!(text, "    \"\"\"{}", function.doc);
    for (index, member) in members.iter().enumerate() {
        let gap = if index == 0 { "\n\n" } else { "\n" };
        let _ = write!(
            text,
            "{gap}    {}: {}{}",
            member.snake(),
            member.doc,
            words(&member.takes)
        );
    }
    text.push_str(if members.is_empty() {
        "\"\"\"\n"
    } else {
        "\n    \"\"\"\n"
    });

    let value = |member: &Member| {
        let given = member.snake();
        let name = (function.name.as_str(), member.name.as_str());
        let given = match DERIVED.contains(&name) {
            true => format!(
                "_derived.{}_{given}(rows) if {given} is None else {given}",
                name.0
            ),
            false => given,
        };
        match member.shorthand() {
            Some((is_list, names)) => {
                let call = if is_list { "_each" } else { "_one" };
                format!("{call}({given}, \"{}\")", names.join("\", \""))
            }
            None => given,
        }
    };
    let object: Vec<String> = members
        .iter()
        .filter(|member| !(returns == "Field" && member.name == "name"))
        .map(|member| format!("        \"{}\": {},\n", member.name, value(member)))
        .collect();
    let object = match object.is_empty() {
        true => "{}".to_owned(),
        false => format!("_set({{\n{}    }})", object.concat()),
    };
    let _ = writeln!(text, "    return {}", made.replace("{members}", &object));
}

/// Returns the type hint of a member, with what can stand for its value.
fn hint(member: &Member) -> String {
    let exact = hint_of(&member.takes);
    match member.shorthand() {
        Some((true, _)) => "Mapping[str, Any] | Iterable[Any]".to_owned(),
        Some((false, _)) => format!("{exact} | str"),
        None => exact,
    }
}

fn hint_of(takes: &Type) -> String {
    match takes {
        Type::Any => "Any".to_owned(),
        Type::Text | Type::Word(_) => "str".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::False => "Literal[False]".to_owned(),
        Type::Null => "None".to_owned(),
        Type::Integer => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Object(_) | Type::Map(_) => "Mapping[str, Any]".to_owned(),
        Type::List(inner) => format!("Sequence[{}]", hint_of(inner)),
        Type::OneOf(types) => {
            let mut hints: Vec<String> = types.iter().map(hint_of).collect();
            hints.dedup();
            hints.join(" | ")
        }
    }
}

/// Returns a sentence with the words that are known.
fn words(takes: &Type) -> String {
    match takes {
        Type::Word(known) => format!(" One of `{}`.", known.join("`, `")),
        _ => String::new(),
    }
}

const UI: &str = r#""""The components of widgets: one function each. Generated from the vocabulary.

A component takes what it requires, then its children, then its props by name::

    ui.Card(
        ui.Title("Oslo"),
        ui.Row(ui.Text("Mon"), ui.Badge("rain", color="info"), gap=2),
        ui.Button(label="Refresh", on_click_action=ui.action("refresh", {"city": "Oslo"})),
    )

A child that is `None` is left out. Words such as colours are open: a host ignores one that it does not know.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ._shape import each as _each, node as _node, one as _one, without_none as _set

Node = dict[str, Any]


def action(tool: str, payload: Any = None, **members: Any) -> dict[str, Any]:
    """A call of a tool of this plugin, with `payload` and the values of the form around it as input."""
    return _set({"type": tool, "payload": payload} | members)
"#;

const RESULT: &str = r#""""The kinds of results: one function each. Generated from the vocabulary.

A tool returns `result.table([{"day": "Mon", "rain": 0.4}], summary="1 day")`. It can also return a string, which is
`text`, or any other value, which is `structured`. A list of objects accepts texts and tuples in their place.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Unpack

from . import _derived
from ._derived import Hints, Result, custom, of
from ._shape import each as _each, one as _one, without_none as _set

__all__ = ["Hints", "Result", "custom", "of"]
"#;

const FIELD: &str = r#""""The fields of questions: one function for each control. Generated from the vocabulary.

`stage.ask("Which one?", field.select("city", options=["Springfield, MA", "Springfield, IL"]))` returns the answers by
the names of the fields.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ._shape import each as _each, without_none as _set

Field = dict[str, Any]
"#;
