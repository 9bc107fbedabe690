//! The style sheet for the output of [`html`](crate::html).
//!
//! Every colour is a CSS variable with a value for light and one for dark themes. The reader's
//! system chooses the theme, unless the root element has the attribute `data-theme`.
//!
//! Invariant: text has a contrast of at least 4.5 to 1 with its background, and graphics such as
//! chart lines and field borders of at least 3 to 1, in both themes. Tests compute the contrast.

use std::fmt::Write;
use std::sync::LazyLock;

/// A colour of the theme; its variable is `--fl-<name>`.
struct ThemeColour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

static COLOURS: LazyLock<Vec<ThemeColour>> = LazyLock::new(|| {
    let colour = |line: &'static str| {
        let mut words = line.split_whitespace();
        Some(ThemeColour {
            name: words.next()?,
            light: words.next()?,
            dark: words.next()?,
        })
    };
    let lines = include_str!("colours.txt").lines();
    let lines = lines.filter(|line| !line.starts_with("//"));
    lines.filter_map(colour).collect()
});

/// The rules, which refer to colours only by variable.
const RULES: &str = include_str!("style.css");

/// Returns the declarations of all colours of a theme.
fn variables(value: fn(&ThemeColour) -> &'static str) -> String {
    COLOURS.iter().fold(String::new(), |mut all, colour| {
        // Writing to a string cannot fail.
        let _ = write!(all, "--fl-{}:{};", colour.name, value(colour));
        all
    })
}

/// Returns rules for a page that shows both themes at once: elements of the classes `fl-light` and
/// `fl-dark` have the colours of that theme, whatever the page has.
pub fn themes() -> &'static str {
    static THEMES: LazyLock<String> = LazyLock::new(|| {
        let light = variables(|colour| colour.light);
        let dark = variables(|colour| colour.dark);
        format!(
            ".fl-light{{color-scheme:light;{light}}}\n.fl-dark{{color-scheme:dark;{dark}}}\n\
             .fl-light,.fl-dark{{background:var(--fl-bg);color:var(--fl-text)}}\n"
        )
    });
    &THEMES
}

/// Returns the whole style sheet.
pub fn sheet() -> &'static str {
    static SHEET: LazyLock<String> = LazyLock::new(|| {
        let light = variables(|colour| colour.light);
        let dark = variables(|colour| colour.dark);
        let ansi = |n| {
            let color = format!("var(--fl-c{n})");
            format!(".fl-fg{n}{{color:{color}}}.fl-bg{n}{{border-bottom:2px solid {color}}}\n")
        };
        let numbered = |rule: fn(usize) -> String, count| (0..count).map(rule).collect::<String>();
        format!(
            ":root{{color-scheme:light;{light}}}\n\
             :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n\
             @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n\
             {RULES}{}{}",
            numbered(ansi, 16),
            numbered(|n| format!(".fl-s{n}{{--fl-series:var(--fl-s{n})}}\n"), 12),
        )
    });
    &SHEET
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(hex: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let byte = u8::from_str_radix(&hex[at..at + 2], 16).expect("six hex digits");
            let part = f64::from(byte) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    /// The contrast ratio of WCAG 2.2, from 1 to 21.
    fn contrast(a: &str, b: &str) -> f64 {
        let light = |hex| {
            let [r, g, b] = channels(hex);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn named(name: &str) -> &'static ThemeColour {
        COLOURS
            .iter()
            .find(|colour| colour.name == name)
            .expect(name)
    }

    #[test]
    fn contrast_follows_wcag() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 0.01);
        assert!((contrast("#777777", "#ffffff") - 4.48).abs() < 0.01);
    }

    #[test]
    fn text_can_be_read_in_both_themes() {
        let seen_only = [
            "bg",
            "surface",
            "rule",
            "edge",
            "added",
            "removed",
            "on-accent",
        ];
        let read = COLOURS.iter().filter(|colour| {
            let series = colour.name.starts_with('s') && colour.name[1..].parse::<u8>().is_ok();
            !seen_only.contains(&colour.name) && !series
        });
        for colour in read {
            for ground in ["bg", "surface"].map(named) {
                for (a, b) in [(colour.light, ground.light), (colour.dark, ground.dark)] {
                    let ratio = contrast(a, b);
                    assert!(
                        ratio >= 4.5,
                        "{} on {}: {ratio:.2}",
                        colour.name,
                        ground.name
                    );
                }
            }
        }
        for (text, ground) in [
            ("text", "added"),
            ("text", "removed"),
            ("muted", "added"),
            ("muted", "removed"),
            ("success", "added"),
            ("danger", "removed"),
            ("on-accent", "accent"),
        ] {
            let (text, ground) = (named(text), named(ground));
            for (a, b) in [(text.light, ground.light), (text.dark, ground.dark)] {
                let ratio = contrast(a, b);
                assert!(ratio >= 4.5, "{} on {}: {ratio:.2}", text.name, ground.name);
            }
        }
    }

    #[test]
    fn graphics_have_enough_contrast_in_both_themes() {
        let series = (0..12)
            .map(|n| format!("s{n}"))
            .chain(["edge".to_owned(), "accent".to_owned()]);
        for name in series {
            let colour = named(&name);
            for ground in ["bg", "surface"].map(named) {
                for (a, b) in [(colour.light, ground.light), (colour.dark, ground.dark)] {
                    let ratio = contrast(a, b);
                    assert!(ratio >= 3.0, "{name} on {}: {ratio:.2}", ground.name);
                }
            }
        }
    }

    #[test]
    fn the_rules_use_only_defined_colours_and_load_nothing() {
        for part in RULES.split("var(--fl-").skip(1) {
            let name = part.split([')', ',']).next().expect("a name");
            assert!(
                name == "series" || COLOURS.iter().any(|colour| colour.name == name),
                "{name}"
            );
        }
        for unwanted in ["url(", "@import", "expression", "</"] {
            assert!(!sheet().contains(unwanted), "{unwanted}");
        }
        assert!(!RULES.contains('#'), "a colour without a name");
    }
}
