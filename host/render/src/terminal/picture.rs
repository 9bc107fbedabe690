//! Areas reserved for images, which the caller draws.
//!
//! Drawing is pure and emits only SGR and OSC 8; how an image reaches the terminal (kitty, iTerm2,
//! sixel, half blocks) is up to the caller. With [`Terminal::pictures`](super::Terminal), blank
//! rows follow the alternative text of an image, and the [`Drawing`](super::Drawing) lists their
//! positions.
//!
//! Invariant: only a [`Picture`] gets an area, because it is validated and small enough to be
//! decoded.

use super::Painter;
use super::line::{Line, Lines, width};
use crate::view::{Picture, RasterFormat};

/// The maximum size of an image, so that its surroundings stay visible.
const MAX_COLUMNS: u64 = 80;
const MAX_ROWS: u64 = 20;

/// The number of pixels per column; a row has twice as many.
const PIXELS: u64 = 8;

/// An area of a [`Drawing`](super::Drawing) that is reserved for an image.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PictureArea {
    /// The first line of the area, from 0.
    pub line: usize,
    /// The first column of the area, from 0.
    pub column: usize,
    /// The width in columns.
    pub columns: usize,
    /// The height in rows.
    pub rows: usize,
    /// The file format of the image.
    pub format: RasterFormat,
    /// The encoded image.
    pub bytes: Vec<u8>,
}

impl Painter<'_> {
    /// Returns blank lines for an image; none if the caller does not draw images.
    pub(super) fn area<'v>(self, picture: &'v Picture) -> Lines<'v> {
        let size = picture.size().filter(|_| self.terminal.pictures);
        let Some((columns, rows)) = size.and_then(|size| fit(size, self.width)) else {
            return Vec::new();
        };
        let mut line = Line::default();
        line.push_gap(columns, Some(picture));
        vec![line; rows]
    }
}

/// Computes the size of an image in columns and rows, preserving its aspect ratio.
fn fit((width, height): (u32, u32), area: usize) -> Option<(usize, usize)> {
    let (width, height) = (u64::from(width), u64::from(height));
    if width == 0 || height == 0 {
        return None;
    }
    let most = MAX_COLUMNS.min(area as u64).max(1);
    let columns = (width / PIXELS).clamp(1, most);
    let rows = (columns * height).div_ceil(2 * width).max(1);
    let (columns, rows) = match rows <= MAX_ROWS {
        true => (columns, rows),
        false => ((MAX_ROWS * 2 * width / height).clamp(1, most), MAX_ROWS),
    };
    Some((usize::try_from(columns).ok()?, usize::try_from(rows).ok()?))
}

/// Finds the reserved areas. If the lower rows were cut off, the area has the remaining height.
pub(super) fn areas(lines: &[Line<'_>]) -> Vec<PictureArea> {
    let mut areas_found: Vec<(&Picture, PictureArea)> = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let mut column = 0;
        for piece in line.pieces() {
            let columns = width(piece.text());
            let start = column;
            column += columns;
            let Some(picture) = piece.picture else {
                continue;
            };
            let continued = |(known, area): &&mut (&Picture, PictureArea)| {
                std::ptr::eq(*known, picture) && area.column == start && area.line + area.rows == n
            };
            if let Some((_, area)) = areas_found.iter_mut().find(continued) {
                area.rows += 1;
                continue;
            }
            let area = PictureArea {
                line: n,
                column: start,
                columns,
                rows: 1,
                format: picture.format(),
                bytes: picture.bytes(),
            };
            areas_found.push((picture, area));
        }
    }
    areas_found.into_iter().map(|(_, area)| area).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::{Drawing, Terminal};
    use crate::view::{Frame, Group, Image, Layout, Source, View};
    use base64::prelude::{BASE64_STANDARD, Engine};

    /// A GIF header of the given size, which is enough to detect the format.
    fn picture(width: u16, height: u16) -> Picture {
        let mut bytes = b"GIF89a".to_vec();
        bytes.extend(width.to_le_bytes());
        bytes.extend(height.to_le_bytes());
        Picture::from_base64(&BASE64_STANDARD.encode(&bytes)).expect("a picture")
    }

    fn image(width: u16, height: u16) -> View {
        View::Image(Image {
            alt: "a hill".into(),
            source: Source::Inline(picture(width, height)),
        })
    }

    fn with_pictures(width: usize) -> Terminal {
        Terminal {
            pictures: true,
            ..Terminal::new(width)
        }
    }

    fn positions(drawing: &Drawing) -> Vec<(usize, usize, usize, usize)> {
        let position = |area: &PictureArea| (area.line, area.column, area.columns, area.rows);
        drawing.pictures.iter().map(position).collect()
    }

    #[test]
    fn an_area_follows_the_alternative_text_also_inside_a_card() {
        let card = View::Group(Group::new(
            Layout::Card,
            vec![View::text("above"), image(160, 80)],
        ));
        let drawing = with_pictures(60).draw(&card);
        assert_eq!(positions(&drawing), [(3, 2, 20, 5)]);
        assert_eq!(drawing.pictures[0].bytes, picture(160, 80).bytes());
        let lines: Vec<_> = drawing.text.lines().collect();
        assert!(lines[2].contains("[image GIF 160x80"), "{}", drawing.text);
        assert!(lines[3..8].iter().all(|line| line.trim_end() == "│"));
        assert_eq!(drawing.rows(60), lines.len());
    }

    #[test]
    fn no_area_is_reserved_unless_the_caller_draws_pictures() {
        let drawing = Terminal::new(60).draw(&image(160, 80));
        assert_eq!((positions(&drawing).len(), drawing.rows(60)), (0, 1));
        let drawing = Terminal {
            plain: true,
            ..with_pictures(60)
        }
        .draw(&image(160, 80));
        assert_eq!(positions(&drawing), []);
    }

    #[test]
    fn an_area_keeps_the_aspect_ratio_and_a_maximum_size() {
        for (size, width, expected) in [
            ((160, 80), 100, (20, 5)),
            ((1, 1), 100, (1, 1)),
            ((8000, 100), 100, (80, 1)),
            ((8000, 4000), 50, (50, 13)),
            ((100, 8000), 100, (1, 20)),
            ((800, 800), 100, (40, 20)),
        ] {
            assert_eq!(fit(size, width), Some(expected), "{size:?}");
        }
        assert_eq!(fit((0, 5), 100), None);
    }

    #[test]
    fn two_pictures_side_by_side_have_separate_areas() {
        let row = View::Group(Group::new(Layout::Row, vec![image(80, 80), image(80, 160)]));
        let drawing = with_pictures(80).draw(&row);
        let positions = positions(&drawing);
        assert_eq!(positions.len(), 2);
        assert_eq!((positions[0].0, positions[0].1, positions[0].3), (1, 0, 5));
        assert_eq!((positions[1].0, positions[1].3), (1, 10));
        assert!(positions[1].1 >= 10);
    }

    #[test]
    fn an_area_that_is_cut_off_has_the_remaining_height() {
        let frame = View::Frame(Frame {
            caption: None,
            kind: "image".into(),
            collapsed: false,
            max_height: Some(4),
            priority: None,
            body: Box::new(image(160, 160)),
        });
        assert_eq!(positions(&with_pictures(80).draw(&frame)), [(1, 0, 20, 3)]);
    }
}
