//! The generated files, and the functions that each language writes in its own way.

#[path = "javascript.rs"]
mod javascript;
#[path = "python.rs"]
mod python;
#[path = "types.rs"]
mod types;

use footlight_vocabulary::component::{COMPONENTS, Children, ComponentSpec};
use footlight_vocabulary::question::Control;
use footlight_vocabulary::schema;
use serde_json::Value;
use std::io;
use std::path::Path;
use types::{Member, Type};

/// A function of a generated module, in no language.
pub(crate) struct Function {
    /// The component, kind or control.
    pub(crate) name: String,
    /// What it makes.
    pub(crate) doc: String,
    /// What must be given, in order. `table` and `chart` derive some of it.
    pub(crate) positional: Vec<Member>,
    /// What can be given by its name.
    pub(crate) named: Vec<Member>,
    pub(crate) children: Children,
}

/// Members that are given first although the schema does not require them, and their order.
const POSITIONS: &[(&str, &[&str])] = &[
    ("chart", &["type", "rows"]),
    ("diff", &["path", "original", "modified"]),
    ("file_content", &["path", "content"]),
    ("file_list", &["entries"]),
    ("table", &["rows"]),
];

/// Members that are derived where they are not given: see `derived` in the modules written by hand.
pub(crate) const DERIVED: &[(&str, &str)] =
    &[("table", "columns"), ("chart", "x"), ("chart", "series")];

/// Returns the path and the text of each generated file.
///
/// # Errors
/// When the contract cannot be read.
pub(crate) fn files(root: &Path) -> io::Result<Vec<(String, String)>> {
    let (components, kinds, fields) = (components(), kinds(), fields());
    let contract = contract(&root.join("wit"))?;
    let file = |name: &str, text: String| (format!("host/cli/template/{name}"), text);
    Ok(vec![
        file("footlight.wit", contract),
        file("python/footlight/ui.py", python::ui(&components)),
        file("python/footlight/result.py", python::result(&kinds)),
        file("python/footlight/field.py", python::field(&fields)),
        file("js/footlight/ui.js", javascript::ui(&components)),
        file("js/footlight/ui.d.ts", javascript::ui_types(&components)),
        file("js/footlight/result.js", javascript::result(&kinds)),
        file("js/footlight/result.d.ts", javascript::result_types(&kinds)),
        file("js/footlight/field.js", javascript::field(&fields)),
        file("js/footlight/field.d.ts", javascript::field_types(&fields)),
    ])
}

/// Returns the files of the contract as one, which is as valid.
fn contract(folder: &Path) -> io::Result<String> {
    let world = std::fs::read_to_string(folder.join("world.wit"))?;
    let mut text =
        format!("// The files of the contract as one. Generated: see `wit` of Footlight.\n{world}");
    let mut others: Vec<_> = std::fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    others.sort_by_key(std::fs::DirEntry::file_name);
    for other in others {
        let name = other.file_name();
        if name != "world.wit" && name.to_string_lossy().ends_with(".wit") {
            text.push('\n');
            text.push_str(&std::fs::read_to_string(other.path())?);
        }
    }
    Ok(text)
}

fn components() -> Vec<Function> {
    let common = [
        (
            "id",
            "Identifies the component in its tree, for updates and answers.",
        ),
        (
            "key",
            "Identifies the component among its siblings when a list changes.",
        ),
        (
            "fallback",
            "The text for surfaces that do not know the component.",
        ),
    ];
    let function = |spec: &ComponentSpec| {
        let members: Vec<Member> = spec.props.iter().map(Member::of_prop).collect();
        let (positional, mut named): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|member| member.required);
        named.extend(common.map(|(name, doc)| Member::new(name, doc, false, Type::Text)));
        Function {
            name: spec.name.to_owned(),
            doc: types::plain(spec.doc),
            positional,
            named,
            children: spec.children,
        }
    };
    COMPONENTS.iter().map(function).collect()
}

fn kinds() -> Vec<Function> {
    let function = |(kind, schema): (&str, Value)| {
        let members = match kind {
            // The value itself.
            "structured" => vec![Member::new("value", "The value.", true, Type::Any)],
            _ => types::members(&schema, &schema),
        };
        let order = POSITIONS.iter().find(|(name, _)| *name == kind);
        let order = order.map_or(&[][..], |(_, order)| order);
        let place = |member: &Member| order.iter().position(|name| *name == member.name);
        let is_derived = |member: &Member| DERIVED.contains(&(kind, &member.name));
        let (mut positional, mut named): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|member| {
                place(member).is_some() || (member.required && !is_derived(member))
            });
        positional.sort_by_key(|member| (place(member), member.name.clone()));
        named.sort_by(|a, b| a.name.cmp(&b.name));
        Function {
            name: kind.to_owned(),
            doc: types::plain(schema["description"].as_str().unwrap_or("Any value."))
                .replace("The data of kind", "A result of kind"),
            positional,
            named,
            children: Children::None,
        }
    };
    schema::kinds().map(function).collect()
}

fn fields() -> Vec<Function> {
    let question = schema::all()
        .into_iter()
        .find(|(name, _)| name == "question");
    let (_, question) = question.expect("the schema of questions is published");
    let field = &question["$defs"]["Field"];
    let function = |control: &&str| {
        let members = types::members(field, &question);
        let members = members.into_iter().filter(|member| member.name != "type");
        let (mut positional, mut named): (Vec<_>, Vec<_>) =
            members.partition(|member| member.name == "name");
        positional.iter_mut().for_each(|name| {
            name.required = true;
            name.doc = "The field's name in the answer.".to_owned();
        });
        named.sort_by(|a, b| a.name.cmp(&b.name));
        Function {
            name: (*control).to_owned(),
            doc: format!("A field with the control `{control}`."),
            positional,
            named,
            children: Children::None,
        }
    };
    Control::KNOWN.iter().map(function).collect()
}
