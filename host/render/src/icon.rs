//! Symbols for ChatKit's icon names, from characters that every font has.

/// Returns the symbol for an icon name; a bullet if there is none.
pub(crate) fn symbol(name: &str) -> &'static str {
    let name = name.strip_prefix("lucide:").unwrap_or(name);
    match name {
        "check" => "✓",
        "check-circle" | "check-circle-filled" => "✔",
        "info" => "ℹ",
        "circle-question" => "?",
        "bolt" => "↯",
        "star" => "☆",
        "star-filled" => "★",
        "sparkle" | "sparkle-double" | "confetti" => "✦",
        "plus" => "+",
        "play" => "▶",
        "reload" => "↻",
        "external-link" => "↗",
        "chevron-left" => "‹",
        "chevron-right" => "›",
        "dots-horizontal" => "…",
        "dots-vertical" => "⋮",
        "empty-circle" => "○",
        "mail" => "✉",
        "phone" | "mobile" => "☎",
        "write" | "write-alt" | "write-alt2" | "notebook-pencil" => "✎",
        "search" => "⌕",
        "clock" | "book-clock" => "◷",
        "cube" | "batch" => "◫",
        "document" | "page-blank" | "square-text" | "notebook" => "▤",
        "square-image" | "images" => "▦",
        "chart" | "analytics" => "▥",
        _ => "•",
    }
}
