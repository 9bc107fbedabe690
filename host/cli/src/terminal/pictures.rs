//! Draws pictures in a terminal as half blocks.
//!
//! A character shows two pixels: its foreground and its background colour. A picture is therefore
//! ordinary text that scrolls and is erased like any other, and needs nothing but colours from the
//! terminal. The graphics protocols of single terminals (kitty, iTerm2, sixel) are deliberately not
//! used, because their images do not move with the text.
//!
//! Invariant: only spaces in the area reserved for a picture are overwritten. The bytes come from
//! plugins, so decoding is bounded; a picture that cannot be decoded leaves its text alternative.

use footlight_render::filter;
use footlight_render::terminal::{Colour, Drawing, PictureArea, Terminal};
use footlight_render::view::{RasterFormat, View};
use image::{ImageFormat, ImageReader, Limits, RgbaImage};
use std::io::Cursor;
use unicode_width::UnicodeWidthStr;

/// The maximum width and height of a picture, in pixels.
const MAX_SIDE: u32 = 4096;
/// The maximum memory for decoding a picture, in bytes.
const MAX_MEMORY: u64 = 64 << 20;

/// The maximum number of pixels decoded for one drawing, over all its pictures.
const MAX_PIXELS: u64 = 16 << 20;

/// The alpha value from which a pixel counts as opaque.
const OPAQUE: u8 = 128;

/// Draws a view with its pictures.
pub(crate) fn draw(terminal: &Terminal, view: &View) -> Drawing {
    let mut drawing = terminal.draw(view);
    let rooms = std::mem::take(&mut drawing.pictures);
    if !rooms.is_empty() {
        drawing.text = filled(&drawing.text, &rooms, terminal.colour, MAX_PIXELS);
    }
    drawing
}

/// Draws as many pictures into the text as the pixel budget allows.
fn filled(text: &str, rooms: &[PictureArea], colour: Colour, mut pixels: u64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for room in rooms {
        let Some(picture) = decoded(room, &mut pixels) else {
            continue;
        };
        let below = lines.iter_mut().skip(room.line).take(room.rows);
        for (line, row) in below.zip(0..picture.height().div_ceil(2)) {
            let Some(start) = start(line, room) else {
                continue;
            };
            let end = start + picture.width() as usize;
            line.replace_range(start..end, &characters(&picture, row, colour));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Returns where the area of a picture starts in a line; `None` if it is not blank.
fn start(line: &str, room: &PictureArea) -> Option<usize> {
    let free = " ".repeat(room.columns);
    let spaces = line.match_indices(' ').map(|(at, _)| at);
    spaces
        .filter(|at| line[*at..].starts_with(&free))
        .find(|at| filter::clean(&line[..*at]).width() == room.column)
}

/// Decodes a picture and scales it to its area; `None` if it is damaged or too large.
fn decoded(room: &PictureArea, pixels: &mut u64) -> Option<RgbaImage> {
    let format = match room.format {
        RasterFormat::Png => ImageFormat::Png,
        RasterFormat::Jpeg => ImageFormat::Jpeg,
        RasterFormat::Gif => ImageFormat::Gif,
        RasterFormat::Webp => ImageFormat::WebP,
    };
    let reader = || {
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_MEMORY);
        let mut reader = ImageReader::with_format(Cursor::new(&*room.bytes), format);
        reader.limits(limits);
        reader
    };
    let (width, height) = reader().into_dimensions().ok()?;
    *pixels = pixels.checked_sub(u64::from(width) * u64::from(height))?;
    let picture = reader().decode().ok()?;
    let columns = u32::try_from(room.columns).ok()?;
    let halves = u32::try_from(room.rows).ok()?.checked_mul(2)?;
    Some(picture.thumbnail(columns, halves).into_rgba8())
}

/// Returns one row of characters.
fn characters(picture: &RgbaImage, row: u32, colour: Colour) -> String {
    let mut out = String::new();
    let mut last = (None, None);
    for column in 0..picture.width() {
        let seen = |y| {
            let pixel = picture.get_pixel_checked(column, y)?.0;
            let [red, green, blue, alpha] = pixel;
            (alpha >= OPAQUE).then_some([red, green, blue])
        };
        let (character, ink, behind) = match (seen(2 * row), seen(2 * row + 1)) {
            (None, None) => (' ', None, None),
            (Some(above), below) => ('▀', Some(above), below),
            (None, below) => ('▄', below, None),
        };
        if (ink, behind) != last {
            out.push_str("\u{1b}[0");
            for (which, rgb) in [(38, ink), (48, behind)] {
                if let Some(rgb) = rgb {
                    out.push_str(&sequence(which, rgb, colour));
                }
            }
            out.push('m');
            last = (ink, behind);
        }
        out.push(character);
    }
    out.push_str("\u{1b}[0m");
    out
}

fn sequence(which: u8, rgb: [u8; 3], colour: Colour) -> String {
    let [red, green, blue] = rgb;
    match colour {
        Colour::True => format!(";{which};2;{red};{green};{blue}"),
        _ => format!(";{which};5;{}", nearest(rgb)),
    }
}

/// Returns the nearest of the 240 fixed colours: a 6x6x6 cube and 24 greys.
fn nearest(rgb: [u8; 3]) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let away = |other: [u8; 3]| -> u32 {
        let each = rgb.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)));
        each.map(|distance| distance * distance).sum()
    };
    let [red, green, blue] = rgb.map(|value| match value {
        0..48 => 0,
        48..115 => 1,
        value => (value - 35) / 40,
    });
    let cube = [red, green, blue].map(|level| LEVELS[usize::from(level)]);
    let mean = rgb.iter().map(|value| u16::from(*value)).sum::<u16>() / 3;
    let step = u8::try_from(mean.saturating_sub(3) / 10).map_or(23, |step| step.min(23));
    match away([8 + 10 * step; 3]) < away(cube) {
        true => 232 + step,
        false => 16 + 36 * red + 6 * green + blue,
    }
}

#[cfg(test)]
mod tests;
