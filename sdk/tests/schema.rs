//! The schemas that the macros write are valid JSON and agree with `schemars`.

use footlight_sdk::prelude::*;
use footlight_vocabulary::json::{self, Limits};

/// Takes an argument of each type that the macro knows.
#[tool]
#[expect(clippy::too_many_arguments, reason = "that is the point")]
fn known(
    text: String,
    truth: bool,
    single: f32,
    double: f64,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    isize: isize,
    u8: u8,
    u16: u16,
    u32: u32,
    u64: u64,
    usize: usize,
    list: Vec<String>,
    nested: Vec<Vec<u8>>,
    option: Option<i32>,
    option_list: Option<Vec<String>>,
) -> usize {
    let numbers = i64::from(i8) + i64::from(i16) + i64::from(i32) + i64 + i64::from(u8);
    let more = isize + usize.cast_signed();
    let rest = u64::from(u16) + u64::from(u32) + u64;
    let fractions = f64::from(single) + double;
    format!(
        "{text}{truth}{numbers}{more}{rest}{fractions}{list:?}{nested:?}{option:?}{option_list:?}"
    )
    .len()
}

const CITY: &str = "Oslo";

/// Takes what is bounded, and "quoted" \ escaped: */ {}.
#[tool]
#[expect(clippy::too_many_arguments, reason = "that is the point")]
fn bounded(
    /// The "city's" name,
    /// \ on two lines.
    #[arg(default = CITY, length = 1..=80)]
    city: String,
    #[arg(default = 5, range = 1..=14)] days: u8,
    #[arg(default = -2, range = -5..=5)] offset: i64,
    #[arg(range = 0.5..=1.5)] factor: f64,
    #[arg(one_of = ["asc", "desc"])] order: Option<String>,
    #[arg(format = "date")] day: String,
    #[arg(length = 1..=3)] tags: Option<Vec<String>>,
    #[arg(default = vec![1, 2])] steps: Vec<u8>,
    /// How it looks.
    #[arg(default = Look::Plain)]
    look: Look,
    r#type: String,
) -> String {
    format!("{city}{days}{offset}{factor}{order:?}{day}{tags:?}{steps:?}{look:?}{type}")
}

const ORDERS: [&str; 2] = ["asc", "desc"];
const STEPS: &[u8] = &[1, 2];
const DAY: &str = "date";
const TITLE: &str = "By constants";
const EXAMPLE: &str = "Show constants";
const ADVICE: &str = "Say \"please\".";

/// Takes what constants describe.
#[tool(title = TITLE, example = EXAMPLE, requests = DIM)]
fn constants(
    #[arg(one_of = ORDERS)] order: String,
    #[arg(one_of = ORDERS)] maybe: Option<String>,
    #[arg(one_of = STEPS)] step: u8,
    #[arg(one_of = Look::ALL)] look: Option<Look>,
    #[arg(format = DAY)] day: String,
) -> String {
    format!("{order}{maybe:?}{step}{look:?}{day}")
}

const DIM: &str = "look.dim";

impl Look {
    const ALL: [Self; 2] = [Self::Plain, Self::Fancy];
}

/// How something looks.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Look {
    Plain,
    Fancy,
}

plugin!(manifest: none, tools: [known, bounded, constants], widgets: ["look": Look], instructions: ADVICE);

/// Returns the schema of a tool, parsed as strictly as a host parses it.
fn schema(tool: &str) -> Value {
    let description = testing::describe::<FootlightPlugin>();
    let tool = description.tools.iter().find(|known| known.name == tool);
    strict(&tool.expect("is in the plugin").input_schema)
}

fn strict(text: &str) -> Value {
    json::parse(text, Limits::default()).expect("valid JSON without duplicate keys")
}

fn word<T: JsonSchema>() -> Value {
    let schema = schemars::generate::SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>();
    schema.get("type").expect("has a type").clone()
}

#[test]
fn the_json_types_agree_with_schemars() {
    let schema = schema("known");
    let expected = [
        ("text", word::<String>()),
        ("truth", word::<bool>()),
        ("single", word::<f32>()),
        ("double", word::<f64>()),
        ("i8", word::<i8>()),
        ("i16", word::<i16>()),
        ("i32", word::<i32>()),
        ("i64", word::<i64>()),
        ("isize", word::<isize>()),
        ("u8", word::<u8>()),
        ("u16", word::<u16>()),
        ("u32", word::<u32>()),
        ("u64", word::<u64>()),
        ("usize", word::<usize>()),
        ("list", word::<Vec<String>>()),
        ("nested", word::<Vec<Vec<u8>>>()),
        ("option", word::<Option<i32>>()),
        ("option_list", word::<Option<Vec<String>>>()),
    ];
    for (name, word) in &expected {
        assert_eq!(&schema["properties"][name]["type"], word, "{name}");
    }
    let properties = schema["properties"].as_object().expect("an object");
    assert_eq!(properties.len(), expected.len());
    assert_eq!(properties["list"]["items"]["type"], "string");
    assert_eq!(properties["nested"]["items"]["items"]["type"], "integer");
    assert_eq!(properties["option_list"]["items"]["type"], "string");
}

#[test]
fn bounds_of_integers_are_those_of_their_types() {
    let properties = &schema("known")["properties"];
    let bounds = |name: &str| {
        let of = |bound: &str| properties[name].get(bound).and_then(Value::as_i64);
        (of("minimum"), of("maximum"))
    };
    assert_eq!(bounds("i8"), (Some(-128), Some(127)));
    assert_eq!(bounds("u16"), (Some(0), Some(65_535)));
    assert_eq!(bounds("u32"), (Some(0), Some(4_294_967_295)));
    assert_eq!(
        bounds("option"),
        (Some(i64::from(i32::MIN)), Some(i64::from(i32::MAX)))
    );
    assert_eq!(bounds("u64"), (Some(0), None));
    assert_eq!(bounds("i64"), (None, None));
}

#[test]
fn docs_and_options_of_an_argument_appear_in_the_schema() {
    let expected = json!({
        "type": "object",
        "properties": {
            "city": {
                "type": "string", "default": "Oslo", "minLength": 1, "maxLength": 80,
                "description": "The \"city's\" name,\n\\ on two lines.",
            },
            "days": { "type": "integer", "minimum": 1, "maximum": 14, "default": 5 },
            "offset": { "type": "integer", "minimum": -5, "maximum": 5, "default": -2 },
            "factor": { "type": "number", "minimum": 0.5, "maximum": 1.5 },
            "order": { "type": ["string", "null"], "enum": ["asc", "desc", null] },
            "day": { "type": "string", "format": "date" },
            "tags": {
                "type": ["array", "null"], "items": { "type": "string" }, "minItems": 1, "maxItems": 3,
            },
            "steps": {
                "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 255 }, "default": [1, 2],
            },
            "look": {
                "type": "string", "enum": ["plain", "fancy"], "default": "plain", "description": "How it looks.",
            },
            "type": { "type": "string" },
        },
        "required": ["factor", "day", "type"],
        "additionalProperties": false,
    });
    assert_eq!(schema("bounded"), expected);
}

#[test]
fn constants_appear_in_the_schema_as_their_values() {
    let schema = schema("constants");
    let properties = &schema["properties"];
    assert_eq!(properties["order"]["enum"], json!(["asc", "desc"]));
    assert_eq!(properties["maybe"]["enum"], json!(["asc", "desc", null]));
    assert_eq!(properties["step"]["enum"], json!([1, 2]));
    assert_eq!(properties["look"]["enum"], json!(["plain", "fancy", null]));
    assert_eq!(properties["day"]["format"], "date");
    let description = testing::describe::<FootlightPlugin>();
    let traits = strict(&description.tools[2].traits);
    let expected = json!({ "title": TITLE, "examples": [EXAMPLE], "requests": [DIM] });
    assert_eq!(traits, expected);
}

#[test]
fn the_whole_description_of_a_plugin_is_valid_json() {
    let description = testing::describe::<FootlightPlugin>();
    for tool in &description.tools {
        strict(&tool.input_schema);
        strict(&tool.traits);
    }
    let more = strict(&description.more);
    assert_eq!(more["instructions"], "Say \"please\".");
    assert_eq!(more["widgets"][0]["name"], "look");
    assert_eq!(
        description.tools[1].description,
        "Takes what is bounded, and \"quoted\" \\ escaped: */ {}."
    );
}

#[test]
fn the_schema_states_the_defaults_that_the_tool_uses() {
    let input = r#"{"factor":1,"day":"2026-01-01","type":"x"}"#;
    let outcome =
        testing::run::<FootlightPlugin>(&testing::stage(), "bounded", input).expect("runs");
    let said = strict(&outcome.data);
    assert_eq!(said["content"], "Oslo5-21None2026-01-01None[1, 2]Plainx");
    assert!(matches!(Look::Fancy, Look::Fancy));
}
