//! How files become rows.

use super::*;
use crate::rows::{Format, MAX_VALUE, Repairs, Row, Rows};
use std::io::BufReader;

/// The columns, the rows and what was repaired, of a file that arrives in pieces of this size.
pub(super) fn read(content: &[u8], piece: usize) -> (Vec<String>, Vec<Vec<String>>, Repairs) {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let input = BufReader::with_capacity(piece, content);
    let mut rows = Rows::new(Format::guess(content), input, content).expect("columns");
    let columns = rows.columns.clone();
    let (mut row, mut all) = (Row::default(), Vec::new());
    while rows.read(&mut row).expect("memory") {
        all.push(
            (0..columns.len())
                .map(|at| row.get(at).to_owned())
                .collect(),
        );
    }
    (columns, all, rows.repairs)
}

#[test]
fn values_are_read_as_written_whatever_the_quotes_and_line_endings() {
    for content in [
        "a,b\n1,2\n3,4\n",
        "a,b\r\n1,2\r\n3,4",
        "a,b\r1,2\r3,4\r",
        "\u{feff}a,b\n1,2\n\n\n3,4\n",
        "\u{feff}\"a\",\"b\"\n\"1\",2\n3,\"4\"",
        "a;b\n1;2\n3;4\n",
        "a\tb\n1\t2\n3\t4\n",
        "a|b\n1|2\n3|4\n",
        "\"a\",\"b\"\n1,2\n3,4\n",
        "{\"a\":1,\"b\":\"2\"}\n\n {\"b\":4,\"a\":3}\r\n",
    ] {
        let (columns, rows, repairs) = read(content.as_bytes(), 3);
        assert_eq!(columns, ["a", "b"], "{content:?}");
        assert_eq!(rows, [["1", "2"], ["3", "4"]], "{content:?}");
        assert_eq!(repairs, Repairs::default());
    }
    let (_, rows, _) = read(b"a,b\n\"x, \"\"y\"\"\nz\", w \n", 7);
    assert_eq!(rows, [["x, \"y\"\nz", " w "]]);
}

#[test]
fn rows_that_do_not_fit_the_columns_are_counted() {
    let (_, rows, repairs) = read(b"a,b,c\n1\n1,2,3,4\n1,2,3\n", 5);
    assert_eq!(rows, [["1", "", ""], ["1", "2", "3"], ["1", "2", "3"]]);
    assert_eq!((repairs.short, repairs.long), (1, 1));
    let (columns, rows, repairs) = read(b"{\"a\":1}\n{\"b\":[1,{\"c\":null}],\"a\":null}\n", 5);
    assert_eq!(columns, ["a", "b"]);
    assert_eq!(rows, [["1", ""], ["", "[1,{\"c\":null}]"]]);
    assert_eq!((repairs.short, repairs.long), (1, 0));
}

#[test]
fn columns_have_different_names() {
    let (columns, ..) = read(b"a,a,, a ,a (2)\n", 4);
    assert_eq!(columns, ["a", "a (2)", "column 3", "a (3)", "a (2) (2)"]);
}

#[test]
fn bytes_that_are_not_utf_8_are_replaced_also_between_values() {
    let (_, rows, repairs) = read(b"a,b\ncaf\xe9,1\n\xc3,\xa4\n", 2);
    assert_eq!(rows, [["caf\u{fffd}", "1"], ["\u{fffd}", "\u{fffd}"]]);
    assert_eq!(repairs.repaired, 2);
}

#[test]
fn huge_values_are_cut_and_the_rest_of_the_row_is_kept() {
    let huge = "x".repeat(10 * MAX_VALUE);
    let (_, rows, repairs) = read(format!("a,b\n{huge},1\n2,{huge}\n").as_bytes(), 999);
    assert_eq!((rows[0][0].len(), rows[0][1].as_str()), (MAX_VALUE, "1"));
    assert_eq!((rows[1][0].as_str(), rows[1][1].len()), ("2", MAX_VALUE));
    assert_eq!(repairs.cut, 2);
    let (_, rows, repairs) = read(format!("a,b\n1,\"never closed\n{huge}").as_bytes(), 999);
    assert_eq!(
        (rows.len(), rows[0][1].len(), repairs.cut),
        (1, MAX_VALUE, 1)
    );
}

#[test]
fn wide_files_are_refused_and_wide_rows_are_bounded() {
    let wide = |count: usize| vec!["1"; count].join(",");
    let stage = testing::stage();
    let sample = Sample::new(wide(1_001));
    let said = invalid_input(sample.open(&stage, "t").map(drop));
    assert_eq!(said, "`t`: the file has more than 1000 columns");
    let (_, rows, repairs) = read(format!("a,b\n{}\n3,4\n", wide(100_000)).as_bytes(), 999);
    assert_eq!(rows, [["1", "1"], ["3", "4"]]);
    assert_eq!(repairs.long, 1);
    let values = vec!["x".repeat(MAX_VALUE); 300].join(",");
    let names: Vec<String> = (0..300).map(|n| format!("c{n}")).collect();
    let content = format!("{}\n{values}\n", names.join(","));
    let (_, rows, repairs) = read(content.as_bytes(), 9_999);
    let kept: usize = rows[0].iter().map(String::len).sum();
    assert_eq!((kept, repairs.cut), (4 << 20, 1));
}

#[test]
fn lines_that_are_not_objects_are_left_out_and_counted() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(1 << 20));
    let content = format!("{{\"a\":1}}\n[1]\nnope\n{{\"a\":2}} x\n{long}\n{{\"a\":3}}");
    let (_, rows, repairs) = read(content.as_bytes(), 9_999);
    assert_eq!(rows, [["1"], ["3"]]);
    assert_eq!(repairs.malformed, 4);
    let deep = format!(
        "{{\"a\":1}}\n{{\"a\":{}1{}}}",
        "[".repeat(200),
        "]".repeat(200)
    );
    assert_eq!(read(deep.as_bytes(), 99).2.malformed, 1);
}

#[test]
fn members_beyond_the_first_lines_are_counted_and_ignored() {
    let mut content = "{\"a\":1}\n".repeat(1_000);
    content.push_str("{\"late\":1,\"a\":2}\n");
    let (columns, rows, repairs) = read(content.as_bytes(), 999);
    assert_eq!(columns, ["a"]);
    assert_eq!((rows.len(), repairs.long), (1_001, 1));
}

#[test]
fn files_without_columns_and_paths_outside_are_refused() {
    let stage = testing::stage();
    for content in ["", "\n\n", "\u{feff}", "{nope"] {
        let said = invalid_input(Sample::new(content).open(&stage, "t").map(drop));
        assert_eq!(said, "`t`: the file has no columns", "{content:?}");
    }
    let sample = Sample::new("a\n1\n");
    for path in ["..", "../t", "/etc/passwd", "a/../../t", "t\0"] {
        let said = invalid_input(sample.open(&stage, path).map(drop));
        assert!(said.contains("outside the folder"), "{said}");
    }
    let missing = invalid_input(sample.open(&stage, "gone.csv").map(drop));
    assert_eq!(missing, "there is no `gone.csv` in the folder");
    let folder = invalid_input(sample.open(&stage, ".").map(drop));
    assert_eq!(folder, "`.` is not a file");
}

#[test]
fn a_cancelled_call_stops_reading() {
    let sample = Sample::new("a\n1\n");
    let stage = testing::stage().cancelled();
    let mut source = sample.source(&stage);
    let failure = source.each(|_| Ok(())).expect_err("cancelled");
    assert_eq!(failure.code(), FailureCode::Cancelled);
}
