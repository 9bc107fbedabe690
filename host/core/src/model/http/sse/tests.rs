//! What the standard says, what the limits hold, and another reader as an oracle.

use super::*;
use eventsource_stream::Eventsource as _;
use futures_util::{StreamExt as _, stream};
use proptest::prelude::*;

fn all(bytes: &[u8]) -> Vec<(String, String)> {
    read([bytes])
}

fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<(String, String)> {
    let mut sse = Sse::default();
    let mut events = Vec::new();
    for piece in pieces {
        events.extend(sse.push(piece).expect("it is short"));
    }
    events.into_iter().map(|e| (e.name, e.data)).collect()
}

fn event(name: &str, data: &str) -> (String, String) {
    (name.to_owned(), data.to_owned())
}

#[test]
fn lines_may_end_in_cr_lf_or_both() {
    let expected = vec![event("message", "a\nb"), event("x", "c")];
    for end in ["\n", "\r", "\r\n"] {
        let text = "data: a\ndata:b\n\nevent: x\ndata: c\n\n".replace('\n', end);
        assert_eq!(all(text.as_bytes()), expected, "{end:?}");
    }
}

#[test]
fn a_bom_comments_unknown_fields_and_empty_events_are_skipped() {
    let text = "\u{feff}: hello\ndata: a\nid: 7\nretry: 1\nwhat\n\n\n\nevent: lonely\n\ndata\n\n";
    assert_eq!(
        all(text.as_bytes()),
        [event("message", "a"), event("message", "")]
    );
}

#[test]
fn an_event_without_its_blank_line_is_not_there_yet() {
    assert_eq!(all(b"data: a\n"), []);
}

#[test]
fn a_split_anywhere_gives_the_same_events() {
    let text = "\u{feff}event: x\r\ndata: grüße\r\rdata: 1\r\n\ndata: 2\n:c\r\ndata:  3\r\n\r\n";
    let bytes = text.as_bytes();
    let whole = all(bytes);
    assert_eq!(whole.len(), 3);
    for split in 0..=bytes.len() {
        assert_eq!(read([&bytes[..split], &bytes[split..]]), whole, "{split}");
    }
    assert_eq!(read(bytes.chunks(1)), whole);
}

#[test]
fn a_line_may_be_as_long_as_said_and_no_longer() {
    let line = |long: usize| [b"data:".as_slice(), &vec![b'x'; long - 5], b"\n\n"].concat();
    assert_eq!(all(&line(LINE)).len(), 1);
    assert_eq!(Sse::default().push(&line(LINE + 1)), Err(SseError));
    // Also when it never ends.
    let mut sse = Sse::default();
    let endless = (0..=LINE / 4096).find_map(|_| sse.push(&[b'x'; 4096]).err());
    assert_eq!(endless, Some(SseError));
}

#[test]
fn an_event_may_be_as_long_as_said_and_no_longer() {
    let line = [b"data:".as_slice(), &vec![b'x'; LINE - 6], b"\n"].concat();
    let mut sse = Sse::default();
    let full = (0..32).find_map(|_| sse.push(&line).err());
    assert_eq!(full, Some(SseError));
    assert!(sse.data.len() <= EVENT);
}

/// Lines that look like a stream, and some that do not.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z ü:]{0,12}".prop_map(|text| format!("data: {text}")),
        1 => "[a-z]{0,4}".prop_map(|text| format!("data:{text}")),
        1 => "[a-z]{1,6}".prop_map(|name| format!("event: {name}")),
        1 => Just(": a comment".to_owned()),
        1 => Just("id: 7".to_owned()),
        3 => Just(String::new()),
    ]
}

fn oracle(text: &str) -> Vec<(String, String)> {
    let bytes = text.as_bytes().to_vec();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime starts");
    runtime.block_on(async {
        stream::iter([Ok::<_, std::io::Error>(bytes)])
            .eventsource()
            .map(|event| event.expect("it is a stream"))
            .map(|event| (event.event, event.data))
            .collect()
            .await
    })
}

proptest! {
    #[test]
    fn another_reader_sees_the_same_events(
        lines in proptest::collection::vec(line(), 0..24),
        end in prop_oneof![Just("\n"), Just("\r\n")],
        size in 1..40usize,
    ) {
        let text: String = lines.iter().flat_map(|line| [line, end]).collect();
        let ours = read(text.as_bytes().chunks(size));
        prop_assert_eq!(ours, oracle(&text));
    }

    #[test]
    fn any_bytes_in_any_pieces_give_the_same_events(
        bytes in proptest::collection::vec(prop_oneof![
            Just(b'\n'), Just(b'\r'), Just(b':'), Just(b' '), Just(b'd'), any::<u8>(),
        ], 0..300),
        size in 1..20usize,
    ) {
        prop_assert_eq!(read(bytes.chunks(size)), all(&bytes));
    }
}
