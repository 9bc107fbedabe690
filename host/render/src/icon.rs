//! Icons by name: a symbol for terminals, from characters that every font has, and an outline for pages.
//!
//! The names are those of ChatKit, and with the prefix `lucide:` the names of that set that plugins use. A
//! name that is not here is drawn as a dot, with its words for people who do not see it.

/// An icon.
pub(crate) struct Icon {
    /// A character for terminals.
    pub(crate) symbol: &'static str,
    /// The geometry of an SVG path on a grid of 24 by 24.
    pub(crate) outline: &'static str,
    /// Whether the outline is filled.
    pub(crate) is_filled: bool,
}

/// Returns the icon with a name, and a dot if there is none.
pub(crate) fn find(name: &str) -> Icon {
    let name = bare(name);
    let found = ICONS.iter().find(|(names, ..)| names.contains(&name));
    let (_, symbol, outline) = found.unwrap_or(&UNKNOWN);
    Icon {
        symbol,
        outline,
        is_filled: name.ends_with("-filled") || name == "play" || found.is_none(),
    }
}

/// Returns the symbol for an icon name.
pub(crate) fn symbol(name: &str) -> &'static str {
    find(name).symbol
}

/// Returns the name in words: `cloud sun` for `lucide:cloud-sun`.
pub(crate) fn words(name: &str) -> String {
    bare(name).trim_end_matches("-filled").replace('-', " ")
}

fn bare(name: &str) -> &str {
    name.strip_prefix("lucide:").unwrap_or(name)
}

/// Names, a symbol, and an outline.
type Entry = (&'static [&'static str], &'static str, &'static str);

const UNKNOWN: Entry = (&[], "•", "M12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z");

const ICONS: &[Entry] = &[
    (&["check"], "✓", "M5 12.5l4.5 4.5L19 7.5"),
    (
        &["check-circle"],
        "✔",
        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12.3l2.8 2.8L16 9.5",
    ),
    (
        &["check-circle-filled"],
        "✔",
        "M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zM7.8 12.6l1.5-1.5 1.8 1.8 4.1-4.4 1.5 1.4-5.5 6z",
    ),
    (&["x", "close"], "✗", "M6 6l12 12M18 6L6 18"),
    (
        &["info"],
        "ℹ",
        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.5h.01",
    ),
    (
        &["circle-question", "lifesaver"],
        "?",
        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.8h.01",
    ),
    (
        &["alert", "triangle-alert", "warning"],
        "⚠",
        "M12 4 2.5 20.5h19zM12 10v5M12 17.8h.01",
    ),
    (&["bolt", "zap"], "↯", "M13 3 5 13.5h6L10 21l8-10.5h-6z"),
    (&["star", "star-filled"], "★", STAR),
    (
        &["sparkle", "sparkle-double", "sparkles", "confetti"],
        "✦",
        "M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z",
    ),
    (
        &["heart"],
        "♥",
        "M12 20.5S4 15.5 4 9.5A4.3 4.3 0 0 1 12 7.3 4.3 4.3 0 0 1 20 9.5c0 6-8 11-8 11z",
    ),
    (&["plus"], "+", "M12 5v14M5 12h14"),
    (&["minus"], "-", "M5 12h14"),
    (&["play"], "▶", "M8 5.5v13l11-6.5z"),
    (
        &["reload", "refresh-cw"],
        "↻",
        "M20 11a8 8 0 1 0-2 6M20 5v6h-6",
    ),
    (
        &["external-link"],
        "↗",
        "M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9",
    ),
    (&["chevron-left"], "‹", "M15 6l-6 6 6 6"),
    (&["chevron-right"], "›", "M9 6l6 6-6 6"),
    (&["dots-horizontal"], "…", "M5 12h.01M12 12h.01M19 12h.01"),
    (&["dots-vertical"], "⋮", "M12 5v.01M12 12v.01M12 19v.01"),
    (
        &["empty-circle", "circle"],
        "○",
        "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z",
    ),
    (&["mail"], "✉", "M3 6h18v12H3zM3.5 6.5 12 13l8.5-6.5"),
    (
        &["phone"],
        "☎",
        "M5 4h4l2 5-2.5 1.8a12 12 0 0 0 4.7 4.7L15 13l5 2v4c0 1-1 1.5-2 1.5C10.5 20.5 3.5 13.5 3.5 6c0-1 .5-2 1.5-2z",
    ),
    (&["mobile"], "☎", "M7 3h10v18H7zM11.5 18h1"),
    (&["desktop"], "▭", "M4 5h16v11H4zM9 20h6M12 16v4"),
    (
        &[
            "write",
            "write-alt",
            "write-alt2",
            "notebook-pencil",
            "pencil",
        ],
        "✎",
        "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
    ),
    (
        &["search"],
        "⌕",
        "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4",
    ),
    (
        &["clock", "book-clock"],
        "◷",
        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.500l3.5 2",
    ),
    (
        &["calendar"],
        "▦",
        "M4 6h16v14H4zM4 10.500h16M8.5 3.500v4M15.5 3.500v4",
    ),
    (
        &["cube", "batch", "package"],
        "◫",
        "M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.5 8-4.500M12 12v9",
    ),
    (
        &["document", "page-blank", "file"],
        "▤",
        "M7 3h7l5 5v13H7zM14 3v5h5",
    ),
    (
        &["square-text", "notebook"],
        "▤",
        "M4 4h16v16H4zM8 9h8M8 12.500h8M8 16h5",
    ),
    (
        &["square-code"],
        "▣",
        "M4 4h16v16H4zM10 9l-3 3 3 3M14 9l3 3-3 3",
    ),
    (
        &["square-image", "images", "image"],
        "▦",
        "M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9.500h.01",
    ),
    (
        &["book-open", "book-closed", "book"],
        "▥",
        "M12 6c-2-1.5-5-2-8.5-2v14c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2V4C17 4 14 4.5 12 6zM12 6v14",
    ),
    (
        &["chart", "analytics"],
        "▥",
        "M4 4v16h16M8 16v-4M12 16V8M16 16v-6",
    ),
    (
        &["user", "profile", "profile-card", "name"],
        "☺",
        "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.500c1-4 4-5.5 7.5-5.500s6.5 1.5 7.5 5.5",
    ),
    (
        &["agent", "bot"],
        "☻",
        "M5 9h14v10H5zM12 5v4M9 13.500v1M15 13.500v1M2.5 13v3M21.5 13v3",
    ),
    (
        &["home"],
        "⌂",
        "M4 11.5 12 4l8 7.500M6.5 9.500V20h11V9.500M10 20v-6h4v6",
    ),
    (
        &["globe"],
        "◍",
        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 12h17M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18",
    ),
    (
        &["map-pin", "maps"],
        "◉",
        "M12 21s-7-6.5-7-11.500a7 7 0 0 1 14 0C19 14.5 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
    ),
    (
        &["compass"],
        "✧",
        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM15.5 8.500l-2 5-5 2 2-5z",
    ),
    (
        &["keys", "key"],
        "⚿",
        "M14.5 13a4.5 4.5 0 1 0-4.2-3L4 16.300V20h3.700v-2.500h2.600V15l1-1M15.5 8.500h.01",
    ),
    (&["lock"], "⚿", "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"),
    (
        &["lightbulb"],
        "☼",
        "M9.5 17.500c0-2-3-3.5-3-7.500a5.5 5.5 0 0 1 11 0c0 4-3 5.5-3 7.500zM10 21h4",
    ),
    (
        &["settings-slider"],
        "⚙",
        "M4 8h8M16 8h4M4 16h4M12 16h8M14 10.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 18.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
    ),
    (
        &["bug"],
        "✱",
        "M8 9h8v6a4 4 0 0 1-8 0zM9 9a3 3 0 0 1 6 0M4 8l4 3M20 8l-4 3M3.5 14H8M16 14h4.500M5 20l3.5-3M19 20l-3.5-3",
    ),
    (
        &["atom", "lab"],
        "⚛",
        "M12 13h.01M12 8c6 0 9.5 2 9.5 4s-3.5 4-9.5 4-9.5-2-9.5-4S6 8 12 8zM10 4c3 0 6 4 7.5 8s1 8-1.5 8-6-4-7.5-8S7.5 4 10 4z",
    ),
    (&["suitcase"], "▣", "M4 8h16v12H4zM9 8V5h6v3M4 13h16"),
    (
        &["list", "list-todo"],
        "≡",
        "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
    ),
    (&["trash", "trash-2"], "⌫", "M5 7h14M10 4h4M7 7l1 13h8l1-13"),
    (&["download"], "↓", "M12 4v11M7 10.500l5 5 5-5M5 20h14"),
    (&["upload"], "↑", "M12 15V4M7 8.500l5-5 5 5M5 20h14"),
    (
        &["music"],
        "♪",
        "M9 18V5.500l10-2V16M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
    ),
    (
        &["drama"],
        "☻",
        "M4 4c3 1.5 8 1.5 11 0v7c0 4-3 6-5.5 7C7 17 4 15 4 11zM7.5 8.500h.01M11.5 8.500h.01M7.5 13c1.2-1 2.8-1 4 0M15 9.500c2 .4 3.8.3 5-.5v6c0 3-2.5 5-4.5 6-1-.4-2-1-3-2",
    ),
    (
        &["sun"],
        "☀",
        "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M18.7 5.300l-1.4 1.400M6.7 17.300l-1.4 1.4",
    ),
    (
        &["moon"],
        "☾",
        "M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500z",
    ),
    (
        &["cloud"],
        "☁",
        "M7 18.500a4.5 4.5 0 0 1-.4-9 6 6 0 0 1 11.5 1.6 3.7 3.7 0 0 1-.6 7.400z",
    ),
    (
        &["cloud-sun"],
        "☼",
        "M8.5 20a3.6 3.6 0 0 1-.3-7.2 4.8 4.8 0 0 1 9.2 1.3 3 3 0 0 1-.4 5.900zM8.3 9.600a4 4 0 0 1 7.3-.6M12 2.500v1.700M5.6 5.200l1.2 1.200M18.4 5.200l-1.2 1.2",
    ),
    (
        &["cloud-drizzle"],
        "∴",
        "M7 15a4.2 4.2 0 0 1-.4-8.4 5.7 5.7 0 0 1 11 1.500A3.5 3.5 0 0 1 17.2 15zM8.5 18v1M12 20.500v1M15.5 18v1",
    ),
    (
        &["cloud-rain", "umbrella"],
        "☂",
        "M7 15a4.2 4.2 0 0 1-.4-8.4 5.7 5.7 0 0 1 11 1.500A3.5 3.5 0 0 1 17.2 15zM8 18l-1 3M12.5 18l-1 3M17 18l-1 3",
    ),
    (
        &["cloud-lightning"],
        "↯",
        "M8 16H7a4.2 4.2 0 0 1-.4-8.4 5.7 5.7 0 0 1 11 1.500A3.5 3.5 0 0 1 17.2 16H16M12.8 11 10 16h4l-2.5 5",
    ),
    (
        &["cloud-snow", "snowflake"],
        "❄",
        "M12 2.500v19M3.8 7.200l16.4 9.600M20.2 7.2 3.8 16.800M9.5 3.5 12 6l2.5-2.500M9.5 20.5 12 18l2.5 2.500M3.5 10.500l3-1.3-.4-3.200M20.5 13.500l-3 1.3.4 3.200M20.5 10.500l-3-1.3.4-3.200M3.5 13.500l3 1.3-.4 3.2",
    ),
    (
        &["wind"],
        "≋",
        "M3 9h11a2.5 2.5 0 1 0-2.3-3.500M3 13h15a2.5 2.5 0 1 1-2.3 3.500M3 17h8",
    ),
    (
        &["thermometer"],
        "℃",
        "M10 14V5a2 2 0 0 1 4 0v9a4 4 0 1 1-4 0zM12 9v8",
    ),
];

const STAR: &str = "M12 3.500l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once_with_a_symbol_and_an_outline() {
        let mut seen = std::collections::BTreeSet::new();
        for (names, symbol, outline) in ICONS {
            for name in *names {
                assert!(seen.insert(name), "{name} is there twice");
            }
            assert_eq!(symbol.chars().count(), 1, "{names:?}");
            let is_geometry = |c: char| c.is_ascii_digit() || "MLHVCSQTAZmlhvcsqtaz .-".contains(c);
            assert!(outline.chars().all(is_geometry), "{names:?}");
        }
    }

    #[test]
    fn the_icons_of_the_weather_differ() {
        let skies = [
            "lucide:sun",
            "lucide:cloud-sun",
            "lucide:cloud",
            "lucide:cloud-drizzle",
            "lucide:cloud-rain",
            "lucide:cloud-lightning",
            "lucide:snowflake",
        ];
        let symbols: std::collections::BTreeSet<_> = skies.map(symbol).into();
        assert_eq!(symbols.len(), skies.len());
        assert!(!symbols.contains(symbol("no-such-icon")));
        assert_eq!(words("lucide:cloud-sun"), "cloud sun");
    }
}
