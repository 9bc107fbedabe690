//! Where a picture lands on a screen, and what is left of one that cannot be shown.

use super::*;
use crate::terminal::ui::{ItemKey, OutStream, Ui};
use footlight_render::view::{Group, Image, Layout, Picture, Source};
use footlight_vocabulary::item::Position;
use image::Rgba;
use proptest::prelude::*;
use vt100::Color;

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const CLEAR: [u8; 4] = [0, 0, 0, 0];

/// A picture that is one colour above and another below.
fn encoded(
    format: ImageFormat,
    width: u32,
    height: u32,
    above: [u8; 4],
    below: [u8; 4],
) -> Vec<u8> {
    let picture = RgbaImage::from_fn(width, height, |_, y| {
        Rgba(if y < height / 2 { above } else { below })
    });
    let mut bytes = Cursor::new(Vec::new());
    match format {
        ImageFormat::Jpeg => image::DynamicImage::from(picture)
            .into_rgb8()
            .write_to(&mut bytes, format),
        _ => picture.write_to(&mut bytes, format),
    }
    .expect("is encoded");
    bytes.into_inner()
}

fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(ImageFormat::Png, width, height, RED, BLUE)
}

/// A picture with words below it in a card.
fn card(bytes: &[u8]) -> View {
    let base64 = footlight_vocabulary::kinds::Image::bytes(bytes, "image/png", "");
    let base64 = base64.data.base64.expect("was given");
    let picture = View::Image(Image {
        alt: "a hill".into(),
        source: Source::Inline(Picture::from_base64(&base64).expect("a picture")),
    });
    View::Group(Group::new(
        Layout::Card,
        vec![picture, View::text("under it")],
    ))
}

fn seeing(columns: usize, colour: Colour) -> Terminal {
    let mut terminal = Terminal::new(columns);
    terminal.colour = colour;
    terminal.pictures = true;
    terminal
}

/// A screen of 40 columns and 16 rows that shows all colours.
fn screen(act: impl FnOnce(&Ui)) -> vt100::Parser {
    let (mut ui, sheet) = Ui::on_screen(|| (40, 16));
    ui.show_true_colour();
    act(&ui);
    let size = |n: u16| std::num::NonZero::new(n).expect("is not 0");
    let mut parser = vt100::Parser::new(size(16), size(40), 0);
    parser.process(sheet.text().replace('\n', "\r\n").as_bytes());
    parser
}

fn put(ui: &Ui, id: &str, n: u32, view: View) {
    let position = Position {
        n,
        ..Position::default()
    };
    let id = id.into();
    ui.draw_item(OutStream::Stdout, &ItemKey { id, position }, view)
        .expect("prints");
}

/// What stands in a row, and the ink and what is behind it in each of its cells that has a colour of
/// the picture.
fn row(parser: &vt100::Parser, row: u16) -> (String, Vec<(u16, Color, Color)>) {
    let screen = parser.screen();
    let text = screen.rows(0, 40).nth(row.into()).expect("a row");
    let of_picture = |colour| matches!(colour, Color::Rgb(255, 0, 0) | Color::Rgb(0, 0, 255));
    let cells = (0..40).filter_map(|column| {
        let cell = screen.cell(row, column).expect("a cell");
        let (ink, behind) = (cell.fgcolor(), cell.bgcolor());
        (of_picture(ink) || of_picture(behind)).then_some((column, ink, behind))
    });
    (text.trim_end().to_owned(), cells.collect())
}

const RED_CELL: (Color, Color) = (Color::Rgb(255, 0, 0), Color::Rgb(255, 0, 0));
const BLUE_CELL: (Color, Color) = (Color::Rgb(0, 0, 255), Color::Rgb(0, 0, 255));

/// Whether exactly these columns of the picture are seen in a row.
fn assert_row(parser: &vt100::Parser, n: u16, columns: std::ops::Range<u16>, cell: (Color, Color)) {
    let (text, cells) = row(parser, n);
    let expected: Vec<_> = columns.map(|column| (column, cell.0, cell.1)).collect();
    assert_eq!(cells, expected, "row {n}: {text}");
}

#[test]
fn a_picture_is_drawn_only_in_its_area() {
    let parser = screen(|ui| {
        ui.note("above");
        put(ui, "a", 1, card(&png(80, 64)));
        ui.note("below");
    });
    let texts: Vec<String> = (0..16).map(|n| row(&parser, n).0).collect();
    let blocks = format!("│ {}", "▀".repeat(10));
    assert_eq!((&*texts[0], &*texts[1]), ("above", "╭─"));
    assert!(texts[2].starts_with("│ [image PNG 80x64"), "{texts:#?}");
    assert_eq!(
        texts[3..7],
        std::array::from_fn::<_, 4, _>(|_| blocks.clone())
    );
    assert_eq!(texts[7..10], ["│ under it", "╰─", "below"]);
    for (n, cell) in [(3, RED_CELL), (4, RED_CELL), (5, BLUE_CELL), (6, BLUE_CELL)] {
        assert_row(&parser, n, 2..12, cell);
    }
    for n in (0..3).chain(7..16) {
        assert_eq!(row(&parser, n).1, [], "row {n}");
    }
    assert_eq!(parser.screen().cursor_position(), (10, 0));
}

#[test]
fn a_picture_moves_with_its_lines_when_something_above_it_changes() {
    let parser = screen(|ui| {
        put(ui, "a", 1, View::text("one"));
        put(ui, "b", 2, card(&png(80, 32)));
        ui.note("below");
        put(ui, "a", 1, View::text("one\ntwo\nthree"));
    });
    let first = (0..16).find(|n| row(&parser, *n).0.contains("[image"));
    let first = first.expect("its words are there");
    assert!(first >= 2, "{}", parser.screen().contents());
    assert_row(&parser, first + 1, 2..12, RED_CELL);
    assert_row(&parser, first + 2, 2..12, BLUE_CELL);
    let seen = (0..16).filter(|n| !row(&parser, *n).1.is_empty()).count();
    assert_eq!(seen, 2);
}

#[test]
fn a_picture_scrolled_half_off_the_screen_overwrites_nothing_else() {
    let parser = screen(|ui| {
        put(ui, "a", 1, card(&png(80, 64)));
        for n in 0..12 {
            ui.note(&format!("line {n}"));
        }
    });
    let contents = parser.screen().contents();
    assert!(!contents.contains("[image"), "{contents}");
    assert!(contents.trim_end().ends_with("line 11"), "{contents}");
    // The last row of four is still there, at the top.
    assert_row(&parser, 0, 2..12, BLUE_CELL);
    assert!((1..16).all(|n| row(&parser, n).1.is_empty()), "{contents}");
}

#[test]
fn every_format_is_shown() {
    for format in [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::WebP,
    ] {
        let bytes = encoded(format, 16, 16, RED, BLUE);
        let drawing = draw(&seeing(40, Colour::Many), &card(&bytes));
        assert!(drawing.text.contains('▀'), "{format:?}: {}", drawing.text);
        assert_eq!(drawing.pictures, []);
    }
}

#[test]
fn transparent_pixels_stay_blank() {
    for (above, below, expected) in [(RED, CLEAR, '▀'), (CLEAR, RED, '▄'), (CLEAR, CLEAR, ' ')]
    {
        let picture = encoded(ImageFormat::Png, 8, 16, above, below);
        let text = draw(&seeing(40, Colour::True), &card(&picture)).text;
        let blocks: String = text.chars().filter(|c| "▀▄".contains(*c)).collect();
        assert_eq!(blocks, expected.to_string().trim(), "{text}");
        assert!(!text.contains(";48;2;"), "{text:?}");
    }
}

#[test]
fn a_terminal_of_256_colours_gets_the_nearest() {
    for (rgb, expected) in [
        ([0, 0, 0], 16),
        ([255, 255, 255], 231),
        ([255, 0, 0], 196),
        ([0, 0, 255], 21),
        ([95, 135, 175], 67),
        ([128, 128, 128], 244),
        ([8, 8, 8], 232),
        ([238, 238, 238], 255),
    ] {
        assert_eq!(nearest(rgb), expected, "{rgb:?}");
    }
}

#[test]
fn an_undecodable_picture_leaves_its_text_and_its_area() {
    let whole = png(80, 64);
    let wide = png(MAX_SIDE + 1, 1);
    let mut liar = whole.clone();
    // So the header says, and its checksum does not.
    liar[16..20].copy_from_slice(&5000u32.to_be_bytes());
    let terminal = seeing(40, Colour::True);
    for bytes in [&whole[..40], &wide, &liar] {
        let view = card(bytes);
        let blank = terminal.draw(&view);
        assert_eq!(blank.pictures.len(), 1, "{}", blank.text);
        assert_eq!(draw(&terminal, &view).text, blank.text);
    }
}

#[test]
fn pictures_beyond_the_pixel_budget_are_left_out() {
    let view = View::column(vec![card(&png(80, 64)), card(&png(80, 64))]);
    let drawing = seeing(40, Colour::True).draw(&view);
    let drawn = |pixels: u64| {
        let text = filled(&drawing.text, &drawing.pictures, Colour::True, pixels);
        text.lines().filter(|line| line.contains('▀')).count()
    };
    assert_eq!(
        [0, 80 * 64 - 1, 80 * 64, 2 * 80 * 64].map(drawn),
        [0, 0, 4, 8]
    );
}

#[test]
fn text_beside_a_picture_stays() {
    let row = View::Group(Group::new(
        Layout::Row,
        vec![
            View::text("日本 e\u{301}"),
            card(&png(80, 32)),
            card(&png(80, 64)),
        ],
    ));
    let terminal = seeing(80, Colour::True);
    let blank = terminal.draw(&row);
    assert_eq!(blank.pictures.len(), 2, "{}", blank.text);
    let shown = draw(&terminal, &row);
    let words = filter::clean(&shown.text).replace('▀', " ");
    assert_eq!(words, filter::clean(&blank.text));
    let blocks = shown.text.matches('▀').count();
    let room = |room: &PictureArea| room.columns * room.rows;
    assert_eq!(blocks, blank.pictures.iter().map(room).sum::<usize>());
}

proptest! {
    #[test]
    fn damaged_bytes_change_nothing_but_the_room(
        which in 0..4usize,
        at in 12..400usize,
        with: u8,
        length in 40..400usize,
    ) {
        let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];
        let mut bytes = encoded(formats[which], 24, 32, RED, CLEAR);
        bytes.truncate(length);
        if let Some(byte) = bytes.get_mut(at) {
            *byte = with;
        }
        let terminal = seeing(40, Colour::Many);
        // It may not even be a picture any more.
        let base64 = footlight_vocabulary::kinds::Image::bytes(&bytes, "", "").data.base64;
        if Picture::from_base64(&base64.expect("was given")).is_ok() {
            let view = card(&bytes);
            let words = filter::clean(&draw(&terminal, &view).text).replace(['▀', '▄'], " ");
            prop_assert_eq!(words, filter::clean(&terminal.draw(&view).text).into_owned());
        }
    }
}
