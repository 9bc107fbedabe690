//! Detects what a terminal can show, from environment variables.
//!
//! The terminal itself is not queried, because its reply could not be told from typed input. Without
//! a variable that says otherwise, the lesser capability is assumed.

use footlight_render::terminal::{Background, Colour, Terminal};

/// The maximum line width: wider lines are hard to read.
pub(super) const MAX_COLUMNS: usize = 200;

/// The line width where there is no terminal.
const DEFAULT_COLUMNS: usize = 80;

/// Returns the render target of a stream; `plain` is the flag `--plain`.
pub(super) fn target(
    is_terminal: bool,
    plain: bool,
    variable: impl Fn(&str) -> Option<String>,
) -> Terminal {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let term = set("TERM").unwrap_or_default();
    let is_forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let is_able = is_terminal && term != "dumb" && set("CLICOLOR").is_none_or(|on| on != "0");
    let mut target = Terminal::new(DEFAULT_COLUMNS);
    target.colour = if plain || set("NO_COLOR").is_some() || !(is_forced || is_able) {
        Colour::None
    } else if set("COLORTERM").is_some_and(|all| all == "truecolor" || all == "24bit")
        || term.ends_with("-direct")
    {
        Colour::True
    } else if term.contains("256color") {
        Colour::Many
    } else {
        Colour::Sixteen
    };
    // The first variable that is set decides.
    let charset = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let is_utf8 = |name: String| name.to_lowercase().replace('-', "").contains("utf8");
    target.unicode = charset.is_none_or(is_utf8);
    target.background = background(set("COLORFGBG").as_deref());
    target.links = is_terminal && !plain && has_links(&term, set);
    // Frames are only drawn on terminals.
    target.plain = plain || !(is_terminal || is_forced);
    // Half blocks need UTF-8 and at least 256 colours.
    let has_colours = matches!(target.colour, Colour::Many | Colour::True);
    target.pictures = cfg!(feature = "images") && is_terminal && target.unicode && has_colours;
    target.output_command = Some("footlight outputs show".to_owned());
    target
}

/// Parses `COLORFGBG`: `15;0` is white on black, the last number is the background.
fn background(colours: Option<&str>) -> Background {
    let last = colours.and_then(|colours| colours.rsplit(';').next()?.parse::<u8>().ok());
    match last {
        Some(7 | 9..=15) => Background::Light,
        _ => Background::Dark,
    }
}

/// Reports whether the terminal is known to support hyperlinks (OSC 8). Others may print them as text.
fn has_links(term: &str, set: impl Fn(&str) -> Option<String>) -> bool {
    if set("TMUX").is_some() || term.starts_with("screen") || term.starts_with("tmux") {
        return false;
    }
    let at_least = |name: &str, least: u32| {
        let version = set(name).and_then(|version| version.parse::<u32>().ok());
        version.is_some_and(|version| version >= least)
    };
    let programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "rio"];
    matches!(
        term,
        "xterm-kitty" | "xterm-ghostty" | "alacritty" | "foot" | "wezterm"
    ) || at_least("VTE_VERSION", 5000)
        || at_least("KONSOLE_VERSION", 201_200)
        || set("WT_SESSION").is_some()
        || set("TERM_PROGRAM").is_some_and(|name| programs.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capabilities(is_terminal: bool, plain: bool, set: &[(&str, &str)]) -> Terminal {
        target(is_terminal, plain, |name| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn colours_follow_the_environment() {
        let many = ("TERM", "xterm-256color");
        for (is_terminal, plain, set, expected) in [
            (true, false, vec![many], Colour::Many),
            (true, false, vec![], Colour::Sixteen),
            (
                true,
                false,
                vec![many, ("COLORTERM", "truecolor")],
                Colour::True,
            ),
            (true, false, vec![("TERM", "dumb")], Colour::None),
            (true, false, vec![many, ("NO_COLOR", "1")], Colour::None),
            (true, false, vec![many, ("NO_COLOR", "")], Colour::Many),
            (true, false, vec![many, ("CLICOLOR", "0")], Colour::None),
            (true, true, vec![many], Colour::None),
            (false, false, vec![many], Colour::None),
            (
                false,
                false,
                vec![many, ("CLICOLOR_FORCE", "1")],
                Colour::Many,
            ),
            (
                false,
                false,
                vec![many, ("CLICOLOR_FORCE", "0")],
                Colour::None,
            ),
            (
                false,
                false,
                vec![("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
                Colour::None,
            ),
        ] {
            assert_eq!(
                capabilities(is_terminal, plain, &set).colour,
                expected,
                "{set:?}"
            );
        }
    }

    #[test]
    fn the_background_is_dark_by_default() {
        let of = |value: &str| capabilities(true, false, &[("COLORFGBG", value)]).background;
        assert_eq!(["15;0", "", "7;8", "x"].map(of), [Background::Dark; 4]);
        assert_eq!(["0;15", "0;default;7"].map(of), [Background::Light; 2]);
    }

    #[test]
    fn links_are_for_terminals_known_to_support_them() {
        for (set, expected) in [
            (vec![("TERM", "xterm-256color")], false),
            (vec![("TERM", "xterm-kitty")], true),
            (vec![("VTE_VERSION", "6800")], true),
            (vec![("VTE_VERSION", "4900")], false),
            (vec![("TERM_PROGRAM", "WezTerm")], true),
            (vec![("TERM_PROGRAM", "WezTerm"), ("TMUX", "x")], false),
        ] {
            assert_eq!(capabilities(true, false, &set).links, expected, "{set:?}");
            assert!(
                !capabilities(false, false, &set).links && !capabilities(true, true, &set).links
            );
        }
    }

    #[test]
    fn pictures_need_utf8_and_256_colours() {
        let many = ("TERM", "xterm-256color");
        for (is_terminal, plain, set, expected) in [
            (true, false, vec![many], true),
            (true, false, vec![("COLORTERM", "truecolor")], true),
            (true, false, vec![("TERM", "xterm")], false),
            (true, false, vec![many, ("NO_COLOR", "1")], false),
            (true, false, vec![many, ("LC_ALL", "C")], false),
            (true, true, vec![many], false),
            (false, false, vec![many, ("CLICOLOR_FORCE", "1")], false),
        ] {
            let terminal = capabilities(is_terminal, plain, &set);
            let expected = expected && cfg!(feature = "images");
            assert_eq!(terminal.pictures, expected, "{set:?}");
        }
    }

    #[test]
    fn without_utf8_there_are_letters_alone() {
        for (set, expected) in [
            (vec![], true),
            (vec![("LANG", "en_GB.UTF-8")], true),
            (vec![("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")], false),
            (vec![("LC_CTYPE", "C.utf8"), ("LANG", "C")], true),
        ] {
            assert_eq!(capabilities(true, false, &set).unicode, expected, "{set:?}");
        }
    }
}
