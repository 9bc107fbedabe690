//! The pages of the authoring guide: what a table lists is what there is.

use footlight_vocabulary::component::{COMPONENTS, Children, ComponentSpec, PropSpec, PropType};
use footlight_vocabulary::manifest::Manifest;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guide")
}

const HEAD: &str = "# Components

The view of a widget is made of these components, the ones of ChatKit. Each has a builder in the module `ui`, which
`use footlight_sdk::prelude::*;` brings; the plain names, such as `Text` and `Table`, are [results](../README.md#results).

`new` takes what the component cannot do without, and a method of the builder sets each other prop. Every component
also has `.id(\"…\")` (unique in the view; [`append_text`](widget.md#while-the-tool-runs) names it), `.key(\"…\")` (what a
row of a list is recognised by when the list changes) and `.fallback(\"…\")` (the text for a surface that does not know
the component). Where a prop takes a word, a surface ignores a word that it does not know.

The tools of `plugins/gallery` show each of them: `footlight call plugins/gallery layout`, `words`, `figures`,
`list_view`, `basic`, `inputs`, `buttons`.

This page is made from the components themselves: `FOOTLIGHT_WRITE_GUIDE=1 cargo test -p footlight-sdk --test guide`
writes it again.
";

/// Returns the page of components.
fn components() -> String {
    let mut page = HEAD.to_owned();
    for component in COMPONENTS {
        section(&mut page, component).expect("writing to a string cannot fail");
    }
    page
}

fn section(page: &mut String, component: &ComponentSpec) -> std::fmt::Result {
    let (required, optional): (Vec<&PropSpec>, Vec<&PropSpec>) =
        component.props.iter().partition(|prop| prop.required);
    let parameters: Vec<&str> = required.iter().map(|prop| prop.setter).collect();
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
    if component.props.is_empty() {
        return Ok(());
    }
    writeln!(page, "\n| prop | takes | meaning |\n| --- | --- | --- |")?;
    for prop in required.iter().chain(&optional) {
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
            format!(", with `.child(…)` and `.children(…)`, each a `{only}`.")
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

#[test]
fn the_page_of_components_lists_every_component_with_its_builder() {
    let file = guide().join("components.md");
    let page = components();
    if std::env::var_os("FOOTLIGHT_WRITE_GUIDE").is_some() {
        std::fs::write(&file, &page).expect("writable");
    }
    let written = std::fs::read_to_string(&file).expect("guide/components.md");
    assert!(
        written == page,
        "guide/components.md differs from the components: FOOTLIGHT_WRITE_GUIDE=1 cargo test --test guide writes it"
    );
}

#[test]
fn every_page_is_compiled_and_linked_from_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).expect("readable");
    let (readme, library) = (
        read(&root.join("README.md")),
        read(&root.join("src/guide.rs")),
    );
    for entry in std::fs::read_dir(guide()).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a name");
        assert!(
            readme.contains(&format!("](guide/{name})")),
            "the README links {name}"
        );
        assert!(
            library.contains(&format!("../guide/{name}\"")),
            "src/guide.rs includes {name}"
        );
    }
}

#[test]
fn links_between_the_pages_lead_somewhere() {
    for entry in std::fs::read_dir(guide()).expect("a folder") {
        let page = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&page).expect("readable");
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            if file.contains("://") {
                continue;
            }
            let target = if file.is_empty() {
                page.clone()
            } else {
                guide().join(file)
            };
            let target = std::fs::read_to_string(&target)
                .unwrap_or_else(|error| panic!("{}: {link}: {error}", page.display()));
            let headings = target.lines().filter(|line| line.starts_with('#'));
            let mut anchors = headings.map(|line| {
                let words = line.trim_start_matches('#').trim().to_lowercase();
                words
                    .replace(' ', "-")
                    .replace(['`', ',', '?', ':', '!', '.'], "")
            });
            assert!(
                heading.is_empty() || anchors.any(|anchor| anchor == heading),
                "{}: {link}",
                page.display()
            );
        }
    }
}

#[test]
fn the_widget_file_of_the_guide_is_the_one_that_is_compiled() {
    let page = std::fs::read_to_string(guide().join("widget-file.md")).expect("readable");
    let block = |language: &str| {
        let rest = page
            .split(&format!("```{language}\n"))
            .nth(1)
            .expect("a block");
        rest.split("```").next().expect("ends").to_owned()
    };
    assert_eq!(block("json"), include_str!("accepted/sky.widget"));
    let compiled: Vec<&str> = include_str!("accepted/widget_file.rs")
        .lines()
        .map(str::trim)
        .collect();
    for line in block("rust,ignore").lines() {
        assert!(compiled.contains(&line.trim()), "{line}");
    }
}

#[test]
fn the_manifests_of_the_pages_are_accepted() {
    let mut manifests = 0;
    for entry in std::fs::read_dir(guide()).expect("a folder") {
        let page = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&page).expect("readable");
        for block in text.split("```toml\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            if block.contains("[plugin]") {
                manifests += 1;
                Manifest::parse(block)
                    .unwrap_or_else(|wrong| panic!("{}: {wrong}", page.display()));
            }
        }
    }
    assert_eq!(manifests, 3);
}
