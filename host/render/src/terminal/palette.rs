//! Maps styles to SGR for each level of colour support.
//!
//! With sixteen colours, the person's own theme suits the background. With more, each tone has a
//! shade for dark and one for light backgrounds.

use super::{Background, Colour, Terminal};
use crate::view::{Ansi, Style, Tone};
use anstyle::{Ansi256Color, AnsiColor, Color, Effects, RgbColor};

/// Returns the SGR style; `None` if there is nothing to set.
pub(super) fn of(style: Style, terminal: &Terminal) -> Option<anstyle::Style> {
    if terminal.colour == Colour::None || style == Style::default() {
        return None;
    }
    let mut effects = Effects::new();
    for (on, effect) in [
        (style.bold, Effects::BOLD),
        (style.italic, Effects::ITALIC),
        (style.underline, Effects::UNDERLINE),
        (style.strike, Effects::STRIKETHROUGH),
        (style.dim, Effects::DIMMED),
    ] {
        effects = effects.set(effect, on);
    }
    let sixteen = |ansi: Ansi| Some(Color::Ansi(Ansi256Color(ansi.number()).into_ansi()?));
    let tone = match style.tone {
        Tone::Plain if style.code => Tone::Accent,
        tone => tone,
    };
    let colour = style.color.and_then(sixteen);
    let colour = colour.or_else(|| shade(tone, terminal));
    if tone == Tone::Muted && terminal.colour == Colour::Sixteen && style.color.is_none() {
        effects |= Effects::DIMMED;
    }
    let background = style.background.and_then(sixteen);
    let style = anstyle::Style::new().effects(effects);
    Some(style.fg_color(colour).bg_color(background))
}

fn shade(tone: Tone, terminal: &Terminal) -> Option<Color> {
    // The ANSI colour; then the 256-colour and 24-part shades, each for dark and for light
    // backgrounds.
    let (own, many, all) = match tone {
        Tone::Plain => return None,
        Tone::Muted => (None, [245, 242], [0x8a8f98, 0x676c76]),
        Tone::Accent => (Some(AnsiColor::Cyan), [80, 24], [0x56c8d8, 0x007280]),
        Tone::Info => (Some(AnsiColor::Blue), [75, 26], [0x6cb0ff, 0x0b5cc4]),
        Tone::Success => (Some(AnsiColor::Green), [114, 28], [0x7ccf86, 0x1a7332]),
        Tone::Warning => (Some(AnsiColor::Yellow), [221, 130], [0xf0c65a, 0x8f5600]),
        Tone::Danger => (Some(AnsiColor::Red), [210, 160], [0xff8a84, 0xc0262d]),
        Tone::Discovery => (Some(AnsiColor::Magenta), [177, 91], [0xcf9cff, 0x792fc0]),
    };
    let which = match terminal.background {
        Background::Dark => 0,
        Background::Light => 1,
    };
    match terminal.colour {
        Colour::None => None,
        Colour::Sixteen => own.map(Color::Ansi),
        Colour::Many => Some(Color::Ansi256(Ansi256Color(many[which]))),
        Colour::True => {
            let [_, r, g, b] = u32::to_be_bytes(all[which]);
            Some(Color::Rgb(RgbColor(r, g, b)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG.
    fn luminance([r, g, b]: [u8; 3]) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    /// The colour cube and the greys, which every terminal displays alike.
    fn fixed(index: u8) -> [u8; 3] {
        let level = |n: u8| if n == 0 { 0 } else { 55 + n * 40 };
        match index {
            232.. => [8 + (index - 232) * 10; 3],
            _ => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(level),
        }
    }

    #[test]
    fn every_tone_is_readable_on_dark_and_on_light() {
        for (background, behind) in [
            (Background::Dark, [0x1e, 0x1e, 0x1e]),
            (Background::Light, [0xff, 0xff, 0xff]),
        ] {
            for colour in [Colour::Many, Colour::True] {
                let terminal = Terminal {
                    colour,
                    background,
                    ..Terminal::new(80)
                };
                for tone in Tone::ALL {
                    let shown = match shade(tone, &terminal) {
                        Some(Color::Rgb(RgbColor(r, g, b))) => [r, g, b],
                        Some(Color::Ansi256(Ansi256Color(index))) => fixed(index),
                        Some(Color::Ansi(_)) | None => continue,
                    };
                    let (a, b) = (luminance(shown) + 0.05, luminance(behind) + 0.05);
                    let contrast = a.max(b) / a.min(b);
                    assert!(
                        contrast >= 4.5,
                        "{tone:?} {colour:?} {background:?}: {contrast:.2}"
                    );
                }
            }
        }
    }
}
