//! The table of components with their props and types.
//!
//! The declarations of the builders also make this table. `check` and `schema` are derived from it.

use super::ROOTS;
use super::declare::described;

/// Declares the table of components.
macro_rules! components {
    ($($name:ident),+ $(,)?) => {
        /// The known components.
        pub const COMPONENTS: &[ComponentSpec] = &[$(super::$name::SPEC),+];
    };
}

components! {
    Card, ListView, ListViewItem, Basic, Box, Row, Col, Form, Spacer, Divider, Transition,
    Text, Title, Caption, Markdown, Badge, Icon, Image, Chart, Table, TableRow, TableCell, Progress,
    Button, Input, Textarea, Select, RadioGroup, Checkbox, DatePicker, Label,
}

/// The description of a component.
#[derive(Debug, Clone, Copy)]
pub struct ComponentSpec {
    /// The type, such as `Card`.
    pub name: &'static str,
    /// The name of the builder, such as `TableRow` for the type `Table.Row`.
    pub builder: &'static str,
    /// The purpose.
    pub doc: &'static str,
    /// The children.
    pub children: Children,
    /// The props, except `id`, `key` and `fallback`, which every component has.
    pub props: &'static [PropSpec],
}

impl ComponentSpec {
    /// Reports whether the component can be the root of a tree.
    #[must_use]
    pub fn is_root(&self) -> bool {
        ROOTS.contains(&self.name)
    }

    /// Returns a prop by its name in JSON.
    #[must_use]
    pub fn prop(&self, name: &str) -> Option<&'static PropSpec> {
        self.props.iter().find(|prop| prop.name == name)
    }
}

/// The children of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Children {
    /// None.
    None,
    /// Any number of components.
    Many {
        /// The only type allowed, if restricted.
        only: Option<&'static str>,
        /// Whether the list is required even if empty.
        required: bool,
    },
    /// One child or `null`; the member is required.
    One,
}

impl Children {
    /// Any number of components of any type, as in a component that is not known.
    pub(super) const ANY: Self = Self::Many {
        only: None,
        required: false,
    };
}

/// The description of a prop.
#[derive(Debug, Clone, Copy)]
pub struct PropSpec {
    /// The name in JSON.
    pub name: &'static str,
    /// The name of the builder's method, or of the parameter of its `new`.
    pub setter: &'static str,
    /// The purpose.
    pub doc: &'static str,
    /// Whether the prop is required.
    pub required: bool,
    /// The type of the value.
    pub takes: PropType,
}

/// The type of a prop's value. An optional prop can also be `null`, which counts as absent.
#[derive(Debug, Clone, Copy)]
pub enum PropType {
    /// A string.
    Str,
    /// `true` or `false`.
    Bool,
    /// Only `false`.
    False,
    /// Only `null`.
    Null,
    /// An integer.
    Int,
    /// Any number.
    Num,
    /// An open word; these are known.
    Word(&'static [&'static str]),
    /// The name of an icon.
    Icon,
    /// The name of a tool.
    ToolName,
    /// An [`Action`](super::Action).
    Action,
    /// An object with these members; others are allowed.
    Object(&'static [PropSpec]),
    /// An object whose members have this type.
    Map(&'static PropType),
    /// A list of values of this type.
    List(&'static PropType),
    /// One of these types, which differ in their JSON type.
    OneOf(&'static [PropType]),
}

/// A Rust type with a description of its JSON.
pub(crate) trait Described {
    const TYPE: PropType;
}

described!(String = Str);
described!(bool = Bool);
described!(u32 = Int);
described!(f64 = Num);

/// Returns the description of a known component.
#[must_use]
pub fn spec(kind: &str) -> Option<&'static ComponentSpec> {
    COMPONENTS.iter().find(|spec| spec.name == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// chatkit-python 1.6.5, `widgets.py`: class by class, with their props in order.
    const PYTHON: &[(&str, &str)] = &[
        ("ListViewItem", "onClickAction gap align"),
        ("ListView", "limit status theme"),
        (
            "Card",
            "asForm background size padding status collapsed confirm cancel theme",
        ),
        ("Markdown", "value streaming"),
        (
            "Text",
            "value streaming italic lineThrough color weight width size textAlign truncate minLines \
             maxLines editable",
        ),
        (
            "Title",
            "value color weight size textAlign truncate maxLines",
        ),
        (
            "Caption",
            "value color weight size textAlign truncate maxLines",
        ),
        ("Badge", "label color variant size pill"),
        ("Box", "direction BOX"),
        ("Row", "BOX"),
        ("Col", "BOX"),
        ("Form", "onSubmitAction direction BOX"),
        ("Divider", "color size spacing flush"),
        ("Icon", "name color size"),
        (
            "Image",
            "src alt fit position radius frame flush height width size minHeight minWidth minSize \
             maxHeight maxWidth maxSize margin background aspectRatio flex",
        ),
        (
            "Button",
            "submit label onClickAction iconStart iconEnd style iconSize color variant size pill \
             uniform block disabled",
        ),
        ("Spacer", "minSize"),
        (
            "Select",
            "name options onChangeAction placeholder defaultValue variant size pill block clearable \
             disabled searchable",
        ),
        (
            "DatePicker",
            "name onChangeAction placeholder defaultValue min max variant size side align pill block \
             clearable disabled",
        ),
        (
            "Checkbox",
            "name label defaultChecked onChangeAction disabled required",
        ),
        (
            "Input",
            "name inputType defaultValue required pattern placeholder allowAutofillExtensions \
             autoSelect autoFocus disabled variant size gutterSize pill",
        ),
        ("Label", "value fieldName size weight textAlign color"),
        (
            "RadioGroup",
            "name options ariaLabel onChangeAction defaultValue direction disabled required",
        ),
        (
            "Textarea",
            "name defaultValue required pattern placeholder autoSelect autoFocus disabled variant \
             size gutterSize rows autoResize maxRows allowAutofillExtensions",
        ),
        ("Transition", ""),
        (
            "Chart",
            "data series xAxis showYAxis showLegend showTooltip barGap barCategoryGap flex height \
             width size minHeight minWidth minSize maxHeight maxWidth maxSize aspectRatio",
        ),
        ("Basic", ""),
    ];

    const BOX: &str = "align justify wrap flex gap height width size minHeight minWidth minSize \
        maxHeight maxWidth maxSize padding margin border radius background aspectRatio";

    /// What stands only in the JavaScript types 1.9.0, or is ours.
    const BEYOND: &[(&str, &str)] = &[
        ("Basic", "gap padding align justify direction theme"),
        ("Card", "border"),
        ("Table", ""),
        ("Table.Row", "header"),
        (
            "Table.Cell",
            "width padding colSpan rowSpan align vAlign colSize",
        ),
        ("Progress", "value max label"),
    ];

    #[test]
    fn table_has_every_component_and_prop_of_chatkit_and_no_others() {
        let mut expected: Vec<(&str, &str)> = Vec::new();
        for (kind, props) in PYTHON.iter().chain(BEYOND) {
            for name in props.split_whitespace() {
                if name == "BOX" {
                    expected.extend(BOX.split_whitespace().map(|name| (*kind, name)));
                } else {
                    expected.push((kind, name));
                }
            }
        }
        let mut declared: Vec<(&str, &str)> = COMPONENTS
            .iter()
            .flat_map(|spec| spec.props.iter().map(|prop| (spec.name, prop.name)))
            .collect();
        expected.sort_unstable();
        declared.sort_unstable();
        assert_eq!(declared, expected);
        for (kind, _) in PYTHON.iter().chain(BEYOND) {
            assert!(spec(kind).is_some(), "{kind}");
        }
        assert_eq!(COMPONENTS.len(), PYTHON.len() + 4);
    }

    #[test]
    fn required_props_are_those_of_chatkit() {
        let required: Vec<String> = COMPONENTS
            .iter()
            .flat_map(|spec| {
                let props = spec.props.iter().filter(|prop| prop.required);
                props.map(|prop| format!("{}.{}", spec.name, prop.name))
            })
            .collect();
        assert_eq!(
            required.join(" "),
            "Text.value Title.value Caption.value Markdown.value Badge.label Icon.name Image.src \
             Chart.data Chart.series Chart.xAxis Input.name Textarea.name Select.name \
             Select.options RadioGroup.name Checkbox.name DatePicker.name Label.value Label.fieldName"
        );
    }

    #[test]
    fn roots_are_in_the_table() {
        let roots: Vec<_> = COMPONENTS
            .iter()
            .filter(|spec| spec.is_root())
            .map(|spec| spec.name)
            .collect();
        assert_eq!(roots, ROOTS);
    }
}
