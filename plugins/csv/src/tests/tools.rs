//! What the tools return.

use super::*;
use crate::tools::groups::{self, MAX_GROUPS, Measure};
use crate::tools::{Query, order, summary};

const SALES: &str =
    "city,price,note\nOslo,10,\nRome,2.5,late\nOslo,7,\nBergen,,late\nOslo,x,LATE\n";

fn query(conditions: &[&str], limit: usize) -> Query {
    Query {
        conditions: conditions.iter().map(|text| (*text).to_owned()).collect(),
        columns: Vec::new(),
        limit,
    }
}

fn filtered(conditions: &[&str]) -> Result<String> {
    let stage = testing::stage();
    let table = query(conditions, 10).filter(Sample::new(SALES).source(&stage))?;
    let rows = table.data.rows.iter();
    let rows = rows.map(|row| format!("{} {}", row["city"], row["price"]));
    Ok(rows.collect::<Vec<_>>().join(" ").replace('"', ""))
}

#[test]
fn a_summary_describes_every_column() {
    let stage = testing::stage();
    let table = summary::run(Sample::new(SALES).source(&stage)).expect("a table");
    let said = for_model(table);
    assert_eq!(
        said,
        "3 columns, 5 rows of t\n\
         city: text, 5 filled, 3 distinct, Bergen to Rome, such as Oslo, Rome, Bergen\n\
         price: text, 4 filled, 1 empty, 4 distinct, x to x, such as 10, 2.5, 7\n\
         note: text, 3 filled, 2 empty, 2 distinct, LATE to late, such as late, LATE\n"
    );
    let numbers = Sample::new("n,d\n1,2026-01-02\n4,2025-01-02\n2.5,\n");
    let table = summary::run(numbers.source(&stage)).expect("a table");
    assert_eq!(table.data.rows[0]["type"], "number");
    let range = ["min", "max", "mean"].map(|key| table.data.rows[0][key].clone());
    assert_eq!(range, ["1", "4", "2.5"]);
    assert_eq!(table.data.rows[1]["type"], "date");
    assert_eq!(table.data.rows[1]["min"], "2025-01-02");
    let empty = summary::run(Sample::new("a,b\n").source(&stage)).expect("a table");
    assert_eq!(empty.data.rows[1]["type"], "empty");
}

#[test]
fn conditions_select_rows() {
    for (condition, expected) in [
        ("price >= 7", "Oslo 10 Oslo 7"),
        ("price>7", "Oslo 10"),
        ("price < 7", "Rome 2.5"),
        ("price <= 2.50", "Rome 2.5"),
        ("PRICE = 10.0", "Oslo 10"),
        ("price == x", "Oslo x"),
        ("price is empty", "Bergen null"),
        ("city = oslo", "Oslo 10 Oslo 7 Oslo x"),
        ("city = \"Oslo\"", "Oslo 10 Oslo 7 Oslo x"),
        ("city != oslo", "Rome 2.5 Bergen null"),
        ("city contains ER", "Bergen null"),
        ("city < P", "Oslo 10 Oslo 7 Bergen null Oslo x"),
        ("note is not empty", "Rome 2.5 Bergen null Oslo x"),
        ("note contains late", "Rome 2.5 Bergen null Oslo x"),
    ] {
        assert_eq!(
            filtered(&[condition]).expect("rows"),
            expected,
            "{condition}"
        );
    }
    let both = filtered(&["city = Oslo", "price > 7"]);
    assert_eq!(both.expect("rows"), "Oslo 10");
    assert_eq!(filtered(&["city = Paris"]).expect("no rows"), "");
}

#[test]
fn a_condition_that_is_wrong_says_what_is_wrong() {
    let said = |condition: &str| invalid_input(filtered(&[condition]));
    assert_eq!(
        said("prise > 1"),
        "there is no column `prise`; the nearest is `price`"
    );
    for condition in ["price", "price like 1", "price is empty now"] {
        assert!(said(condition).starts_with("`price"), "{}", said(condition));
    }
    invalid_input(filtered(&[""]));
    invalid_input(filtered(&["city = a"; 11]));
}

#[test]
fn a_name_that_contains_an_operator_is_found() {
    let sample = Sample::new("a,a >= b\n1,5\n2,6\n");
    let stage = testing::stage();
    let table = query(&["a >= b = 6"], 9).filter(sample.source(&stage));
    assert_eq!(table.expect("rows").data.rows[0]["a"], 2);
}

#[test]
fn a_filter_says_how_many_rows_there_are() {
    let sample = Sample::new(format!("a\n{}", "1\n".repeat(50)));
    let stage = testing::stage();
    let table = query(&["a = 1"], 10).filter(sample.source(&stage));
    let table = table.expect("rows");
    assert_eq!(table.len(), 10);
    assert!(for_model(table).starts_with("50 of 50 rows of t, the first 10 are listed\na\n1\n"));
}

#[test]
fn rows_are_sorted_and_only_the_first_are_kept() {
    let stage = testing::stage();
    let sorted = |descending, limit| {
        let source = Sample::new(SALES).source(&stage);
        let table = order::run(&query(&[], limit), source, "Price", descending).expect("rows");
        let prices = table.data.rows.iter().map(|row| row["price"].to_string());
        prices.collect::<Vec<_>>().join(" ").replace('"', "")
    };
    assert_eq!(sorted(false, 9), "2.5 7 10 x null");
    assert_eq!(sorted(true, 9), "x 10 7 2.5 null");
    assert_eq!(sorted(true, 2), "x 10");
    assert_eq!(sorted(false, 1), "2.5");
    let source = Sample::new(SALES).source(&stage);
    let said = invalid_input(order::run(&query(&[], 1), source, "cost", true));
    assert!(said.starts_with("there is no column `cost`"), "{said}");
}

#[test]
fn values_keep_what_a_number_would_lose() {
    let stage = testing::stage();
    let sample = Sample::new("code,n\n007,1.50\n1e3,2\n");
    let table = query(&["n > 0"], 9).filter(sample.source(&stage));
    let rows = table.expect("rows").data.rows;
    assert_eq!(rows[0]["code"], "007");
    assert_eq!(rows[0]["n"], "1.50");
    assert_eq!(rows[1]["n"], 2);
}

fn grouped(stage: &Stage, measure: Measure, of: Option<&str>, limit: usize) -> Result<Table> {
    let source = Sample::new(SALES).source(stage);
    groups::run(stage, &query(&[], limit), source, "city", measure, of)
}

#[test]
fn groups_are_counted_and_measured_and_drawn() {
    let stage = testing::stage();
    let table = grouped(&stage, Measure::Sum, Some("price"), 9).expect("groups");
    assert_eq!(
        for_model(table),
        "sum of price by city: 3 groups, 5 rows of t\n\
         Oslo\t3\t17\t8.5\t7\t10\n\
         Rome\t1\t2.5\t2.5\t2.5\t2.5\n\
         Bergen\t1\t-\t-\t-\t-"
    );
    stage.assert_shown("csv-chart");
    let shown = stage.shown().remove(0);
    assert_eq!(shown.data["groups"][0]["name"], "Oslo");
    assert_eq!(shown.data["groups"][0]["value"], 17.0);
    assert!(shown.fallback.contains("Oslo"), "{}", shown.fallback);
    let counted = grouped(&stage, Measure::Count, None, 1).expect("groups");
    let said = for_model(counted);
    assert!(said.starts_with("rows by city: the first 1 of 3 groups, 5 rows of t"));
    invalid_input(grouped(&stage, Measure::Mean, None, 9));
    invalid_input(grouped(&stage, Measure::Mean, Some("weight"), 9));
}

#[test]
fn groups_have_numbers_where_they_are_exact() {
    let stage = testing::stage();
    let table = grouped(&stage, Measure::Sum, Some("price"), 9).expect("groups");
    let rows = &table.data.rows;
    assert_eq!(
        Value::from(rows[0].clone()),
        json!({ "city": "Oslo", "rows": 3, "sum": 17, "mean": 8.5, "min": 7, "max": 10 })
    );
    assert_eq!(rows[2]["sum"], Value::Null);
    let types = table.data.columns.iter().map(|column| &column.column_type);
    let types: Vec<bool> = types.map(Option::is_some).collect();
    assert_eq!(types, [false, true, true, true, true, true]);

    let grouped = |content: &str| {
        let source = Sample::new(content).source(&stage);
        let of = Some("n");
        let table = groups::run(&stage, &query(&[], 9), source, "year", Measure::Sum, of);
        let rows = table.expect("groups").data.rows;
        let values = rows.iter().map(|row| json!([row["year"], row["sum"]]));
        Value::from_iter(values)
    };
    assert_eq!(
        grouped("year,n\n2026,9\n2025,2\n,1\n"),
        json!([[2026, 9], [2025, 2], ["(empty)", 1]])
    );
    // A number that is exact neither as JSON nor as the name of a group stays text.
    assert_eq!(
        grouped("year,n\n007,9007199254740993\n8,1\n"),
        json!([["007", "9.007199254740992e15"], ["8", 1]])
    );
    assert_eq!(
        grouped("year,n\n1.50,3\n8,1\n"),
        json!([["1.50", 3], [8, 1]])
    );
}

#[test]
fn too_many_groups_are_an_error_that_says_so() {
    let rows: String = (0..=MAX_GROUPS).map(|n| format!("{n}\n")).collect();
    let sample = Sample::new(format!("id\n{rows}"));
    let stage = testing::stage();
    let source = sample.source(&stage);
    let grouped = groups::run(&stage, &query(&[], 9), source, "id", Measure::Count, None);
    assert_eq!(
        invalid_input(grouped),
        "`id` has more than 50000 different values: group by another column"
    );
    assert!(stage.shown().is_empty());
}

#[test]
fn wide_and_long_results_are_bounded() {
    let names: Vec<String> = (0..40).map(|n| format!("c{n}")).collect();
    let row = vec!["y".repeat(500); 40].join(",");
    let rows = format!("{row}\n").repeat(200);
    let sample = Sample::new(format!("{}\n{rows}", names.join(",")));
    let stage = testing::stage();
    let table = query(&["c0 contains y"], 200).filter(sample.source(&stage));
    let table = table.expect("rows");
    assert_eq!(table.data.columns.len(), 30);
    let said = for_model(table);
    assert!(said.len() < 140_000);
    let head = said.lines().next().expect("a line");
    assert_eq!(head, "200 of 200 rows of t; 10 more columns; 33 are listed");
}

#[test]
fn columns_are_chosen_by_name() {
    let stage = testing::stage();
    let query = Query {
        columns: vec!["PRICE".into(), "city".into(), "price".into()],
        ..query(&["price = 10"], 9)
    };
    let table = query.filter(Sample::new(SALES).source(&stage));
    assert!(for_model(table.expect("rows")).ends_with("\nprice\tcity\n10\tOslo\n"));
}

#[test]
fn the_tools_read_from_the_granted_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (tool, input) in [
        ("summarise", r#"{"path":"no-such-file"}"#),
        (
            "filter",
            r#"{"path":"no-such-file","conditions":["a = 1"]}"#,
        ),
        ("sort", r#"{"path":"no-such-file","by":"a"}"#),
        (
            "group",
            r#"{"path":"no-such-file","by":"a","measure":"sum","of":"b"}"#,
        ),
    ] {
        let stage = testing::stage().with_folder("/data", folder.path());
        let run = testing::run::<crate::FootlightPlugin>(&stage, tool, input);
        assert_eq!(
            invalid_input(run),
            "there is no `no-such-file` in the folder"
        );
    }
}
