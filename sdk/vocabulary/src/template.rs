//! The templates of widget files, as the ChatKit Widget Builder writes them.
//!
//! A template is text with Jinja's placeholders that becomes the JSON of a component tree once an input
//! fills it. [`fill`] does so within bounds; what comes out must be a root.
//!
//! Invariant: a template reads its input and nothing else. It cannot load, import or include.

use crate::component::{Node, ROOTS, Root};
use crate::widget::MAX_VIEW;
use minijinja::value::{Kwargs, Serde, Value as Filled};
use minijinja::{Environment, Error, UndefinedBehavior};
use serde_json::Value;
use std::fmt;
use std::io;
use std::ops::Range;

pub use minijinja::ErrorKind;

/// The instructions that filling a template can take: a second in a sandbox, at most.
const FUEL: u64 = 1_000_000;

/// How deep macros and loops can call themselves.
const MAX_RECURSION: usize = 50;

/// The most bytes that a template can become. A view can have white space beyond its own limit.
const MAX_OUTPUT: usize = 4 * MAX_VIEW;

/// The name of the template in the engine.
const NAME: &str = "template";

/// Why a template was not filled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateError {
    /// The template is malformed, or an input does not suit it.
    Template {
        /// The kind of the problem.
        kind: ErrorKind,
        /// The problem.
        message: String,
        /// Where it is in the template, in bytes.
        place: Option<Range<usize>>,
    },
    /// It becomes too long.
    TooLarge,
    /// It does not become JSON.
    NotJson(String),
    /// It does not become the root of a tree. Holds the type that it has, if any.
    NotARoot(Option<String>),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Template { message, .. } => f.write_str(message),
            Self::TooLarge => write!(f, "the template becomes longer than {MAX_OUTPUT} bytes"),
            Self::NotJson(problem) => write!(f, "the template does not become JSON: {problem}"),
            Self::NotARoot(kind) => {
                let roots = ROOTS.join(" or ");
                let kind = kind.as_deref().unwrap_or("nothing");
                write!(f, "the template must become a {roots}, and becomes {kind}")
            }
        }
    }
}

impl std::error::Error for TemplateError {}

impl From<Error> for TemplateError {
    fn from(error: Error) -> Self {
        let kind = error.kind();
        let message = match error.detail() {
            Some(detail) => format!("{kind}: {detail}"),
            None => kind.to_string(),
        };
        Self::Template {
            kind,
            message,
            place: error.range(),
        }
    }
}

/// Returns the engine: strict about undefined names, as ChatKit's own, and with bounds.
fn environment<'a>() -> Environment<'a> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(MAX_RECURSION);
    environment.set_debug(true);
    environment.add_filter("tojson", tojson);
    environment
}

/// Writes a value as JSON. Jinja refuses an undefined one, for which the engine alone would write `null`.
fn tojson(value: &Filled, indent: Option<Filled>, options: Kwargs) -> Result<Filled, Error> {
    if value.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    minijinja::filters::tojson(value, indent, options)
}

/// Returns the names that a template reads from its input.
///
/// # Errors
/// When the template is malformed.
pub fn names(template: &str) -> Result<Vec<String>, TemplateError> {
    let environment = environment();
    let template = environment.template_from_named_str(NAME, template)?;
    let is_known = |name: &String| environment.globals().any(|(known, _)| known == name);
    let names = template.undeclared_variables(false).into_iter();
    let mut names: Vec<String> = names.filter(|name| !is_known(name)).collect();
    names.sort_unstable();
    Ok(names)
}

/// Fills a template with an input, and reads what it becomes.
///
/// ```
/// use footlight_vocabulary::template::fill;
/// use serde_json::json;
///
/// let template = r#"{"type":"Card","children":[{"type":"Text","value":{{ sky | tojson }}}]}"#;
/// let root = fill(template, &json!({ "sky": "rain" }))?;
/// assert_eq!(root.node().text(), "rain");
/// # Ok::<(), footlight_vocabulary::template::TemplateError>(())
/// ```
///
/// # Errors
/// When the template is malformed, does not suit the input, takes too much time, or does not become a
/// root. The tree below the root is not checked.
pub fn fill(template: &str, input: &Value) -> Result<Root, TemplateError> {
    let environment = environment();
    let template = environment.template_from_named_str(NAME, template)?;
    let mut filled = Bounded(Vec::new());
    let rendered = template.render_captured_to(Filled::from(Serde(input)), &mut filled);
    if let Err(error) = rendered {
        return Err(match error.kind() {
            ErrorKind::WriteFailure => TemplateError::TooLarge,
            _ => error.into(),
        });
    }
    let not_json = |error: serde_json::Error| TemplateError::NotJson(error.to_string());
    let tree: Value = serde_json::from_slice(&filled.0).map_err(not_json)?;
    let kind = tree.get("type").and_then(Value::as_str).map(str::to_owned);
    let node: Option<Node> = serde_json::from_value(tree).ok();
    let root = node.and_then(Root::from_node);
    root.ok_or(TemplateError::NotARoot(kind))
}

/// Text that cannot grow beyond [`MAX_OUTPUT`].
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_OUTPUT {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn card(value: &str) -> String {
        format!(r#"{{"type":"Card","children":[{{"type":"Text","value":{value}}}]}}"#)
    }

    fn refused(template: &str, input: &Value) -> TemplateError {
        fill(template, input).expect_err(template)
    }

    #[test]
    fn text_of_an_input_is_always_text() {
        let hostile = "\"}],\"type\":\"x\" </script> \u{202e} {{ 7 }} {% raw %} \\ \n";
        let root = fill(&card("{{ text | tojson }}"), &json!({ "text": hostile }));
        let root = root.expect("fills");
        assert_eq!(root.node().children()[0]["value"], hostile);
    }

    #[test]
    fn loops_conditions_and_concatenation_work() {
        let template = r#"{"type":"ListView","children":[{%- for item in items -%}{"type":"ListViewItem","children":[
            {"type":"Text","value":{{ (loop.index ~ ". " ~ item.name) | tojson }}}{% if item.done %},{"type":"Badge","label":"done"}{% endif %}
            ]}{% if not loop.last %},{% endif %}{%- endfor -%}]}"#;
        let input =
            json!({ "items": [{ "name": "a", "done": true }, { "name": "b", "done": false }] });
        let root = fill(template, &input).expect("fills");
        assert_eq!(root.node().text(), "1. a\ndone\n2. b");
        assert_eq!(names(template).expect("parses"), ["items"]);
    }

    #[test]
    fn a_name_without_a_value_is_an_error() {
        let error = refused(&card("{{ sky | tojson }}"), &json!({}));
        assert!(
            matches!(
                error,
                TemplateError::Template {
                    kind: ErrorKind::UndefinedError,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn what_would_take_long_or_grow_large_ends() {
        let endless =
            "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}";
        assert!(matches!(
            refused(endless, &json!({})),
            TemplateError::Template {
                kind: ErrorKind::OutOfFuel,
                ..
            }
        ));
        let large =
            "{% for a in range(9999) %}0123456789012345678901234567890123456789{% endfor %}";
        assert_eq!(refused(large, &json!({})), TemplateError::TooLarge);
        let deep = format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000));
        refused(&card(&format!("{{{{ {deep} }}}}")), &json!({}));
    }

    #[test]
    fn a_template_loads_nothing() {
        for loads in [
            "{% include 'other' %}",
            "{% import 'other' as o %}",
            "{% extends 'other' %}",
        ] {
            refused(loads, &json!({}));
        }
    }

    #[test]
    fn what_comes_out_must_be_the_json_of_a_root() {
        let error = refused(&card("{{ text }}"), &json!({ "text": "bare" }));
        assert!(matches!(error, TemplateError::NotJson(_)), "{error}");
        let error = refused(r#"{"type":"Text","value":"a"}"#, &json!({}));
        assert_eq!(error, TemplateError::NotARoot(Some("Text".to_owned())));
        assert_eq!(refused("[1]", &json!({})), TemplateError::NotARoot(None));
    }
}
