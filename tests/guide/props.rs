//! The tables of props in the page of components.

use footlight::vocabulary::component::{COMPONENTS, Children, ComponentSpec, PropSpec, PropType};
use std::fmt::{Result, Write as _};

/// Props that several components have in common, which one table lists: its heading, and the names of the props.
const SHARED: &[(&str, &[&str])] = &[
    (
        "Sizes",
        &[
            "height",
            "width",
            "size",
            "min_height",
            "min_width",
            "min_size",
            "max_height",
            "max_width",
            "max_size",
            "aspect_ratio",
            "flex",
        ],
    ),
    (
        "Boxes",
        &[
            "align",
            "justify",
            "wrap",
            "gap",
            "padding",
            "margin",
            "border",
            "radius",
            "background",
        ],
    ),
];

/// Reports whether a component has all of the props.
fn has_all(component: &ComponentSpec, shared: &[&str]) -> bool {
    let has = |name: &&str| component.props.iter().any(|prop| prop.setter == *name);
    shared.iter().all(has)
}

/// Writes the heading of a component, what it is, and its builder.
pub(super) fn write_head(page: &mut String, component: &ComponentSpec) -> Result {
    let required = component.props.iter().filter(|prop| prop.required);
    let parameters: Vec<&str> = required.map(|prop| prop.setter).collect();
    let name = component.builder;
    writeln!(page, "\n## {name}\n")?;
    writeln!(page, "{}\n", one_line(component.doc))?;
    writeln!(
        page,
        "`ui::{name}::new({})`{}",
        parameters.join(", "),
        children(component)
    )?;
    if component.is_root() {
        writeln!(page, "It can be the root of a view.")?;
    }
    Ok(())
}

/// Writes the table of the props that a component does not share with others.
pub(super) fn write_table(page: &mut String, component: &ComponentSpec) -> Result {
    let shared: Vec<_> = SHARED
        .iter()
        .filter(|(_, props)| has_all(component, props))
        .collect();
    let is_own = |prop: &&PropSpec| !shared.iter().any(|(_, props)| props.contains(&prop.setter));
    let (required, optional): (Vec<&PropSpec>, Vec<&PropSpec>) = component
        .props
        .iter()
        .filter(is_own)
        .partition(|prop| prop.required);
    let own: Vec<&PropSpec> = required.into_iter().chain(optional).collect();
    write_rows(page, &own)?;
    if !shared.is_empty() {
        let links = shared
            .iter()
            .map(|(name, _)| format!("[{name}](#{})", name.to_lowercase()));
        let links: Vec<String> = links.collect();
        writeln!(
            page,
            "\nIt also has the props under {}.",
            links.join(" and ")
        )?;
    }
    Ok(())
}

/// Writes the tables of the props that components share.
pub(super) fn write_shared(page: &mut String) -> Result {
    for (heading, props) in SHARED {
        let with = COMPONENTS
            .iter()
            .filter(|component| has_all(component, props));
        let names: Vec<String> = with
            .clone()
            .map(|component| format!("`{}`", component.builder))
            .collect();
        writeln!(page, "\n## {heading}\n\nThe props of {}.", names.join(", "))?;
        let first = with.clone().next().expect("a component with these props");
        let rows = first
            .props
            .iter()
            .filter(|prop| props.contains(&prop.setter));
        write_rows(page, &rows.collect::<Vec<_>>())?;
    }
    Ok(())
}

fn write_rows(page: &mut String, props: &[&PropSpec]) -> Result {
    if props.is_empty() {
        return Ok(());
    }
    writeln!(page, "\n| prop | takes | meaning |\n| --- | --- | --- |")?;
    for prop in props {
        let call = match prop.required {
            true => format!("`{}` (in `new`)", prop.setter),
            false => format!("`.{}(…)`", prop.setter),
        };
        let takes = takes(prop).replace('|', "\\|");
        writeln!(page, "| {call} | {takes} | {} |", one_line(prop.doc))?;
    }
    Ok(())
}

fn children(component: &ComponentSpec) -> String {
    match component.children {
        Children::None => ".".to_owned(),
        Children::Many {
            only: Some(only), ..
        } => {
            format!(
                ", with `.child(…)` and `.children(…)`, each a `{}`.",
                only.replace('.', "")
            )
        }
        Children::Many { only: None, .. } => ", with `.child(…)` and `.children(…)`.".to_owned(),
        Children::One => ", with one `.child(…)`.".to_owned(),
    }
}

fn takes(prop: &PropSpec) -> String {
    fn name(takes: PropType) -> String {
        match takes {
            PropType::Str => "text".to_owned(),
            PropType::Bool => "`bool`".to_owned(),
            PropType::False => "`false`".to_owned(),
            PropType::Null => "null".to_owned(),
            PropType::Int => "a whole number".to_owned(),
            PropType::Num => "a number".to_owned(),
            PropType::Word(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                words.join(", ")
            }
            PropType::Icon => "the name of an icon".to_owned(),
            PropType::ToolName => "the name of a tool".to_owned(),
            PropType::Action => "`ui::Action::new(\"tool\")`".to_owned(),
            PropType::Object(members) => {
                let members: Vec<String> = members
                    .iter()
                    .map(|member| format!("`{}`", member.name))
                    .collect();
                format!("an object: {}", members.join(", "))
            }
            PropType::Map(of) => format!("an object of {}", name(*of)),
            PropType::List(of) => format!("a list of {}", name(*of)),
            PropType::OneOf(types) => {
                let names: Vec<String> = types.iter().map(|takes| name(*takes)).collect();
                names.join(", or ")
            }
        }
    }
    name(prop.takes)
}

/// Returns documentation as one line, without the links of its crate, which lead nowhere here.
fn one_line(doc: &str) -> String {
    let words = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace("[`", "`").replace("`]", "`")
}
