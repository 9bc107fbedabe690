//! Generates arbitrary views with text that tends to break drawings.

use super::super::*;
use crate::view::{
    Address, Button, Cell, Chart, ChartKind, Choice, Code, Column, Content, Control, Cut, Diff,
    DiffHunk, DiffLine, Fact, Facts, Field, Frame, Group, Inline, Layout, List, ListItem, Log,
    LogLine, Mark, Press, Progress, Role, Series, Span, Table, Text, Unit, Widget,
};
use proptest::prelude::*;

/// Generates text that tends to break drawings.
pub(super) fn words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,12}".prop_map(String::from),
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        Just("\t".to_owned()),
        "[一-龥]{1,4}".prop_map(String::from),
        "[ء-ي]{1,5}".prop_map(String::from),
        Just("👨\u{200d}👩\u{200d}👧".to_owned()),
        Just("🇳🇴".to_owned()),
        Just("1\u{fe0f}\u{20e3}".to_owned()),
        Just("e\u{301}\u{301}".to_owned()),
        Just("\u{1b}[2J\u{1b}]0;t\u{7}".to_owned()),
        Just("\u{202e}\u{2066}\u{9b}31m".to_owned()),
        Just("\r\u{8}\u{0}".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn inline() -> impl Strategy<Value = Inline> {
    let span =
        (words(), any::<[bool; 3]>(), any::<bool>()).prop_map(|(text, style, linked)| Span {
            text,
            style: Style {
                bold: style[0],
                code: style[1],
                strike: style[2],
                ..PLAIN
            },
            link: linked
                .then(|| Address::parse("https://example.org/a/long/path?and=query"))
                .flatten(),
            math: None,
        });
    prop::collection::vec(span, 0..4).prop_map(|spans| Inline { spans })
}

pub(super) fn press() -> Option<Press> {
    Some(Press {
        number: 7,
        path: String::new(),
        form: None,
        ..Press::default()
    })
}

pub(super) fn button(label: String, disabled: bool) -> Button {
    Button {
        label,
        icon: None,
        tone: Tone::Info,
        primary: true,
        disabled,
        submit: disabled,
        press: press(),
    }
}

fn leaf() -> impl Strategy<Value = View> {
    let text = (inline(), 0..5_u8, prop::option::of(1..3_u64)).prop_map(|(inline, role, max)| {
        View::Text(Text {
            max_lines: max,
            align: (role == 3).then_some(crate::view::Align::End),
            ..Text::new(
                match role {
                    0 => Role::Heading(1),
                    1 => Role::Lines,
                    2 => Role::Caption,
                    _ => Role::Body,
                },
                inline,
            )
        })
    });
    let code = (words(), prop::option::of(words())).prop_map(|(text, path)| {
        View::Code(Code {
            text,
            language: Some("rust".into()),
            path,
            cut: Cut::of(3, Unit::Lines),
        })
    });
    let diff =
        (words(), prop::collection::vec((words(), 0..3_u8), 0..5)).prop_map(|(path, lines)| {
            let line = |(text, mark): (String, u8)| DiffLine {
                mark: [Mark::Same, Mark::Added, Mark::Removed][usize::from(mark)],
                old: Some(9_999),
                new: Some(10_000),
                text,
            };
            View::Diff(Diff {
                path,
                is_new: false,
                language: None,
                added: 123_456,
                removed: 0,
                hunks: vec![DiffHunk {
                    old_start: 1,
                    old_lines: 1,
                    new_start: 1,
                    new_lines: 1,
                    lines: lines.into_iter().map(line).collect(),
                }]
                .into(),
                cut: None,
            })
        });
    let chart = (
        prop::collection::vec(words(), 0..6),
        prop::collection::vec(prop::option::of(any::<f64>()), 0..6),
        0..5_usize,
    )
        .prop_map(|(labels, values, kind)| {
            use ChartKind::{Area, Bar, Line, Pie, Scatter};
            let kind = [Bar, Line, Area, Scatter, Pie][kind];
            let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
            let values: Vec<_> = values.into_iter().map(finite).collect();
            let series = |name: &str| Series {
                name: name.to_owned(),
                kind,
                stack: Some("all".into()),
                values: values.clone(),
            };
            View::Chart(Chart {
                kind,
                title: labels.first().cloned(),
                x_label: "x".into(),
                series: vec![series("one"), series("two")],
                labels,
                x: None,
                more_points: None,
                more_series: None,
            })
        });
    let field = (words(), words(), any::<bool>()).prop_map(|(label, text, many)| {
        let choice = |label: &str| Choice {
            value: "v".into(),
            label: label.to_owned(),
            description: many.then(|| text.clone()),
            recommended: many,
            disabled: false,
            chosen: true,
        };
        View::Field(Field {
            label: Some(label),
            help: Some(text.clone()),
            options: vec![choice(&text), choice("b")],
            value: Some(text.clone()),
            min: Some("1".into()),
            press: press(),
            ..Field::new(
                "name",
                if many {
                    Control::CheckboxGroup
                } else {
                    Control::Textarea
                },
            )
        })
    });
    let log = (prop::option::of(words()), inline()).prop_map(|(time, text)| {
        View::Log(Log {
            cut: None,
            lines: vec![LogLine {
                time,
                level: Some(crate::view::LogLevel::Other("mystery".into())),
                text,
            }],
        })
    });
    let small =
        (words(), words(), any::<f64>(), 0..6_u8).prop_map(|(a, b, part, which)| match which {
            0 => View::Badge {
                label: a,
                tone: Tone::Danger,
            },
            1 => View::Progress(Progress {
                label: Some(a),
                part: Some(part).filter(|part| !part.is_nan()),
                words: Some(b),
            }),
            2 => View::notice(Tone::Warning, a),
            3 => View::Button(button(a, b.is_empty())),
            4 => View::Space,
            _ => View::Divider,
        });
    prop_oneof![text, code, diff, chart, field, log, small]
}

pub(super) fn view() -> impl Strategy<Value = View> {
    leaf().prop_recursive(5, 24, 4, |inner| {
        let views = prop::collection::vec(inner.clone(), 0..4);
        let group = (views.clone(), 0..6_usize, words()).prop_map(|(children, layout, label)| {
            let layout = [
                Layout::Card,
                Layout::Row,
                Layout::Column,
                Layout::List,
                Layout::Item,
                Layout::Form,
            ][layout];
            View::Group(Group {
                footer: vec![button(label, false)],
                press: press(),
                ..Group::new(layout, children)
            })
        });
        let content = prop_oneof![
            inline().prop_map(Content::Inline),
            views.clone().prop_map(Content::Block),
        ];
        let row = prop::collection::vec((content.clone(), 1..3_u32), 0..5);
        let table = (prop::collection::vec(row, 0..4), any::<bool>(), words()).prop_map(
            |(rows, has_header, header)| {
                let column = Column {
                    header: Content::plain(header),
                    align: crate::view::Align::Center,
                };
                let cell = |(content, span)| Cell {
                    columns: span,
                    rows: span,
                    ..Cell::new(content)
                };
                View::Table(Table {
                    columns: vec![column; 4],
                    has_header,
                    rows: rows
                        .into_iter()
                        .map(|row| row.into_iter().map(cell).collect())
                        .collect(),
                    more_rows: None,
                    more_columns: None,
                })
            },
        );
        let facts = prop::collection::vec((words(), content.clone()), 0..3).prop_map(|facts| {
            let fact = |(label, value)| Fact { label, value };
            View::Facts(Facts {
                facts: facts.into_iter().map(fact).collect(),
                cut: None,
            })
        });
        let list = (
            prop::collection::vec(content, 0..3),
            prop::option::of(any::<u64>()),
        )
            .prop_map(|(items, start)| {
                View::List(List {
                    start,
                    items: items.into_iter().map(ListItem::new).collect(),
                    cut: None,
                })
            });
        prop_oneof![
            group,
            table,
            facts,
            list,
            views.prop_map(View::Quote),
            (inner.clone(), words()).prop_map(|(body, from)| View::Widget(Widget {
                id: None,
                rev: 0,
                widget: from.clone(),
                from: Some(from),
                body: Box::new(body),
            })),
            (inner, prop::option::of(words())).prop_map(|(body, caption)| View::Frame(Frame {
                caption,
                kind: "text".into(),
                collapsed: false,
                max_height: Some(4),
                priority: None,
                body: Box::new(body),
            })),
        ]
    })
}
