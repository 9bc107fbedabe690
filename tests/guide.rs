//! The pages of the authoring guide that list everything: `components.md` and `results.md`, with an example of each
//! component and result kind, its code, and how a terminal and the page draw it.
//!
//! The pages and their pictures are made from the table of components, the examples and `footlight-render`.
//! `FOOTLIGHT_WRITE_GUIDE=1 cargo test --workspace --test footlight -- guide::` writes them again; without the variable,
//! the tests compare them byte for byte.

mod components;
mod picture;
mod props;
mod results;

use footlight::vocabulary::component::{COMPONENTS, ComponentSpec};
use footlight::vocabulary::kinds::WELL_KNOWN;
use footlight::vocabulary::outcome::IntoOutcome;
use footlight::vocabulary::result::SemanticResult;
use footlight_render::lower::Lower;
use footlight_render::terminal::Terminal;
use footlight_render::view::View;
use footlight_sdk::ui::{Basic, Node};
use footlight_tests::browser::{Browser, Look};
use footlight_tests::programs::program;
use picture::{height_of, picture};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Columns of the terminal.
const COLUMNS: usize = 76;

const COMPONENTS_HEAD: &str = "# Components

The view of a widget is made of these components, the ones of ChatKit. Each has a builder in the module `ui`, which
`use footlight_sdk::prelude::*;` brings; the plain names, such as `Text` and `Table`, are [results][results.md].

`new` takes what the component cannot do without, and a method of the builder sets each other prop. Every component
also has `.id(\"…\")` (unique in the view; [`append_text`][widget.md#while-the-tool-runs] names it), `.key(\"…\")` (what a
row of a list is recognised by when the list changes) and `.fallback(\"…\")` (the text for a surface that does not know
the component). Where a prop takes a word, a surface ignores a word that it does not know.

The root of a view is a `Card`, a `ListView` or a `Basic`. Below, an example that is none of them is drawn in a `Basic`.
Surfaces differ: a terminal has no sizes, and a page loads no pictures from other sites. A component is a description, and
each surface does what it can with it.
";

const RESULTS_HEAD: &str = "# Results

What a tool returns is a result of one of these kinds, and each surface draws a kind in its own way. The model reads the
data as JSON, or what `.for_model(…)` says instead. `use footlight_sdk::prelude::*;` brings every kind; `FieldType` is in
`footlight_sdk::display`, and `ListItem`, `LogLine` and the `Level` of a line are in `footlight_sdk::kinds`. The components
of a view, such as `ui::Table`, are [another list][components.md].

A kind says what the data is, not how it looks: return a `Table` if the person should be able to sort it, and a
[widget][widget.md] if you want to decide how it looks.
";

/// What an example draws.
struct Example {
    /// The heading in the guide.
    name: &'static str,
    /// The name of the function, and so of the picture.
    function: &'static str,
    source: &'static str,
    view: View,
}

impl Example {
    fn title(&self) -> String {
        format!("{} on the page", self.name)
    }

    /// Returns the body of the function.
    fn code(&self) -> String {
        let head = format!("fn {}() -> ", self.function);
        let from = self.source.find(&head).expect("the function of an example");
        let body = self.source[from..].split_once("{\n").expect("a body").1;
        let body = body.split_once("\n}\n").expect("the end of a body").0;
        let lines = body
            .lines()
            .map(|line| line.strip_prefix("    ").unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Writes the code and both pictures.
    fn write(&self, page: &mut String) -> std::fmt::Result {
        writeln!(page, "\n```rust,ignore\n{}\n```", self.code())?;
        let terminal = Terminal::new(COLUMNS).draw(&self.view).text;
        writeln!(
            page,
            "\nAt a terminal:\n\n```text\n{}\n```",
            terminal.trim_end()
        )?;
        writeln!(
            page,
            "\nOn the page:\n\n![{}][picture-{}]",
            self.title(),
            self.function
        )
    }
}

macro_rules! examples {
    ($source:literal, $view:ident, $module:ident: $($name:literal $function:ident,)+) => {
        vec![$(Example {
            name: $name,
            function: stringify!($function),
            source: include_str!($source),
            view: $view($module::$function()),
        }),+]
    };
}

/// Returns the view of a component, which is put into a root if it is none.
fn tree(component: impl Into<Node>) -> View {
    let node: Node = component.into();
    let json = serde_json::to_value(&node).expect("serialises");
    match footlight::vocabulary::component::check(&json) {
        Ok(()) => Lower::default().component(&json),
        Err(_) => {
            let root: Node = Basic::new().child(node).into();
            Lower::default().component(&serde_json::to_value(&root).expect("serialises"))
        }
    }
}

fn result(result: impl IntoOutcome) -> View {
    Lower::default().result(&SemanticResult::of(result).expect("serialises"))
}

/// Returns an example of each component, in the order of the table.
fn component_examples() -> Vec<Example> {
    examples! { "guide/components.rs", tree, components:
        "Card" card, "ListView" list_view, "ListViewItem" list_view_item, "Basic" basic, "Box" box_, "Row" row,
        "Col" col, "Form" form, "Spacer" spacer, "Divider" divider, "Transition" transition, "Text" text,
        "Title" title, "Caption" caption, "Markdown" markdown, "Badge" badge, "Icon" icon, "Image" image,
        "Chart" chart, "Table" table, "TableRow" table_row, "TableCell" table_cell, "Progress" progress,
        "Button" button, "Input" input, "Textarea" textarea, "Select" select, "RadioGroup" radio_group,
        "Checkbox" checkbox, "DatePicker" date_picker, "Label" label,
    }
}

/// Returns an example of each result kind, named as the kind is.
fn result_examples() -> Vec<Example> {
    examples! { "guide/results.rs", result, results:
        "text" text, "markdown" markdown, "code" code, "diff" diff, "file_content" file_content,
        "file_list" file_list, "table" table, "chart" chart, "facts" facts, "list" list, "log" log, "link" link,
        "image" image, "structured" structured, "your own" custom,
    }
}

/// What a kind is for.
const KINDS: &[(&str, &str)] = &[
    (
        "text",
        "Plain text. A tool that returns a `String` returns this.",
    ),
    (
        "markdown",
        "Text with headings, lists, emphasis, links and code. HTML in it is not drawn.",
    ),
    (
        "code",
        "Source code with its language, which surfaces colour.",
    ),
    (
        "diff",
        "A change of a file, made or proposed. Also `Diff::created(path, content)`, and `Diff::hunks(…)` if only the changed places are known.",
    ),
    (
        "file_content",
        "One file. `FileContent::bytes(path, &bytes)` if it is not text.",
    ),
    (
        "file_list",
        "The content of a folder. `.truncated()` says that more is there.",
    ),
    (
        "table",
        "Rows with the same fields, which the page can sort and filter. `.typed(…)` formats a column, `.align(…)` moves it.",
    ),
    (
        "chart",
        "Numbers to compare. Also `Chart::line(…)` and `Chart::pie(…)`, and `Chart::new(ChartType::Area, …)` for areas and `Scatter` for points.",
    ),
    ("facts", "Named values of one thing."),
    (
        "list",
        "Items of one line each; `.ordered()` numbers them. `List::item(…)` adds one with a detail and a link.",
    ),
    ("log", "Lines that a program wrote, with time and level."),
    ("link", "One address to open. Nothing loads it by itself."),
    (
        "image",
        "A picture by its bytes, at most 1 MiB; `Image::url(url, mime_type, alt)` names one that no surface loads by itself.",
    ),
    (
        "structured",
        "Data without a more specific kind, drawn as a tree. A tool that returns any other value that serialises returns this.",
    ),
    (
        "your own",
        "A kind that your own surface can draw. Others show the summary, and the data as a tree.",
    ),
];

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/guide")
}

/// Returns where the picture of an example is. Results and components can have the same name.
fn picture_path(folder: &str, example: &Example) -> String {
    format!("pictures/{folder}/{}.svg", example.function)
}

/// Writes where the other pages and the pictures are, as definitions of the names in the page.
fn write_definitions(
    page: &mut String,
    folder: &str,
    pages: &[&str],
    examples: &[Example],
) -> std::fmt::Result {
    writeln!(page)?;
    for path in pages {
        writeln!(page, "[{path}]: {path}")?;
    }
    for example in examples {
        writeln!(
            page,
            "[picture-{}]: {}",
            example.function,
            picture_path(folder, example)
        )?;
    }
    Ok(())
}

fn components_page(examples: &[Example]) -> Result<String, std::fmt::Error> {
    let mut page = COMPONENTS_HEAD.to_owned();
    for component in COMPONENTS {
        props::write_head(&mut page, component)?;
        example_of(examples, component).write(&mut page)?;
        props::write_table(&mut page, component)?;
    }
    props::write_shared(&mut page)?;
    write_definitions(
        &mut page,
        "components",
        &["results.md", "widget.md#while-the-tool-runs"],
        examples,
    )?;
    Ok(page)
}

fn example_of<'e>(examples: &'e [Example], component: &ComponentSpec) -> &'e Example {
    let found = examples
        .iter()
        .find(|example| example.name == component.builder);
    found.unwrap_or_else(|| {
        panic!(
            "tests/guide/components.rs has no example of {}",
            component.builder
        )
    })
}

fn results_page(examples: &[Example]) -> Result<String, std::fmt::Error> {
    let mut page = RESULTS_HEAD.to_owned();
    for example in examples {
        let (_, about) = KINDS
            .iter()
            .find(|(kind, _)| *kind == example.name)
            .expect("a sentence");
        writeln!(page, "\n## {}\n\n{about}", example.name)?;
        example.write(&mut page)?;
    }
    write_definitions(
        &mut page,
        "results",
        &["components.md", "widget.md"],
        examples,
    )?;
    Ok(page)
}

/// Returns the definitions of the pictures with the pictures in them, for rustdoc, where a relative path leads nowhere.
/// The first definition of a link is the one that counts.
fn embedded(pictures: &[(&Example, String)]) -> String {
    let mut definitions = String::new();
    for (example, picture) in pictures {
        let _ = write!(
            definitions,
            "[picture-{}]: data:image/svg+xml,",
            example.function
        );
        for byte in picture.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => definitions.push(byte.into()),
                b'-' | b'.' | b'_' | b'/' | b':' | b';' | b'=' | b',' => {
                    definitions.push(byte.into())
                }
                _ => {
                    let _ = write!(definitions, "%{byte:02X}");
                }
            }
        }
        definitions.push('\n');
    }
    definitions
}

/// Compares a file with what it must hold, or writes it.
fn compare(path: &Path, wanted: &str) {
    if is_writing() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, wanted).expect("writable");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == wanted,
        "{} is not up to date: FOOTLIGHT_WRITE_GUIDE=1 cargo test --workspace --test footlight -- guide:: writes it",
        path.display()
    );
}

fn is_writing() -> bool {
    std::env::var_os("FOOTLIGHT_WRITE_GUIDE").is_some()
}

/// Checks or writes a page with its pictures.
fn check_page(folder: &str, examples: &[Example], page: &str) {
    let browser = is_writing().then(Heights::open);
    let mut browser = browser.flatten();
    let mut pictures = Vec::new();
    for example in examples {
        let path = guide().join(picture_path(folder, example));
        let height = match &mut browser {
            Some(browser) => browser.of(&picture(&example.title(), &example.view, 600)),
            None => {
                let written = std::fs::read_to_string(&path).unwrap_or_default();
                height_of(&written).unwrap_or(0)
            }
        };
        let drawn = picture(&example.title(), &example.view, height);
        compare(&path, &drawn);
        pictures.push((example, drawn));
    }
    compare(
        &guide().join(format!("pictures/{folder}.txt")),
        &embedded(&pictures),
    );
    compare(&guide().join(format!("{folder}.md")), page);
    let unused = std::fs::read_dir(guide().join("pictures").join(folder)).expect("a folder");
    assert_eq!(
        unused.count(),
        examples.len(),
        "a picture of no example in {folder}"
    );
}

#[test]
fn page_of_components_shows_each_with_its_code_and_its_pictures() {
    let examples = component_examples();
    let page = components_page(&examples).expect("writing to a string cannot fail");
    check_page("components", &examples, &page);
}

#[test]
fn page_of_results_shows_each_kind_with_its_code_and_its_pictures() {
    let examples = result_examples();
    for kind in WELL_KNOWN {
        assert!(
            examples.iter().any(|example| example.name == *kind),
            "an example of {kind}"
        );
    }
    let page = results_page(&examples).expect("writing to a string cannot fail");
    check_page("results", &examples, &page);
}

/// A browser that measures pictures.
struct Heights {
    browser: Browser,
    folder: tempfile::TempDir,
}

impl Heights {
    fn open() -> Option<Self> {
        let chromium = program("chromium", "install Debian's package `chromium`")?;
        let folder = tempfile::tempdir().expect("a folder");
        let browser = Browser::start(&chromium, &folder.path().join("profile"));
        Some(Self { browser, folder })
    }

    /// Returns the height that a picture needs.
    fn of(&mut self, picture: &str) -> u32 {
        let file = self.folder.path().join("picture.svg");
        std::fs::write(&file, picture).expect("writable");
        let look = Look {
            width: 800,
            dark: false,
        };
        self.browser
            .open(&format!("file://{}", file.display()), look);
        let [height, width] = self.measure();
        assert!(width <= picture::WIDTH, "{width} pixels wide: {picture}");
        height.next_multiple_of(8)
    }

    /// Returns the size of the content of the open picture.
    fn measure(&mut self) -> [u32; 2] {
        let measured = self.browser.evaluate(
            "(() => { const page = document.querySelector('.fl-page'); page.style.height = 'auto'; \
             return [Math.ceil(page.getBoundingClientRect().height), page.scrollWidth]; })()",
        );
        serde_json::from_value(measured).expect("two numbers")
    }
}

#[test]
fn pictures_have_room_for_what_they_show() {
    let Some(mut heights) = Heights::open() else {
        return;
    };
    let mut total = 0;
    for (folder, examples) in [
        ("components", component_examples()),
        ("results", result_examples()),
    ] {
        for example in examples {
            let path = guide().join(picture_path(folder, &example));
            let picture = std::fs::read_to_string(&path).expect("a picture");
            total += picture.len();
            let stated = height_of(&picture).expect("a height");
            let needed = heights.of(&picture);
            // Fonts differ a little from machine to machine.
            assert!(
                needed.abs_diff(stated) <= 8,
                "{folder}/{}: {needed}",
                example.function
            );
        }
    }
    assert!(total < 400_000, "{total} bytes of pictures");
}
