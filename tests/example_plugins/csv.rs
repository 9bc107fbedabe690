//! `csv` on a file that is larger than its memory.

use super::{call_in, host, model_text};
use footlight::vocabulary::item::Verdict;
use footlight_tests::plugins;
use serde_json::json;
use std::io::Write;

/// The size of the file, more than the memory that a call has.
const BYTES: u64 = 100_000_000;
const MEMORY: u64 = 64 << 20;

/// The bytes of each row but the last, and of the header.
const ROW: u64 = 80;
const HEADER: &str = "id,city,price,note\n";

/// How many rows there are.
const ROWS: u64 = (BYTES - HEADER.len() as u64) / ROW;

fn sample() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let file = std::fs::File::create(folder.path().join("big.csv")).expect("a file");
    let mut file = std::io::BufWriter::new(file);
    file.write_all(HEADER.as_bytes()).expect("written");
    for n in 0..ROWS {
        let city = ["Oslo", "Rome", "Lima"][(n % 3) as usize];
        let begin = format!("{n},{city},{}.5,\"", n % 100);
        // The last row fills the file up.
        let size = match n + 1 == ROWS {
            true => BYTES - HEADER.len() as u64 - (ROWS - 1) * ROW,
            false => ROW,
        };
        let note = size as usize - begin.len() - 2;
        writeln!(file, "{begin}{:.<note$}\"", "a remark").expect("written");
    }
    file.flush().expect("written");
    folder
}

#[tokio::test]
async fn a_hundred_megabytes_are_summarised_grouped_and_sorted_in_64_mebibytes() {
    let (host, folder) = (host(plugins::CSV, true).await, sample());
    let file = std::fs::metadata(folder.path().join("big.csv"));
    assert_eq!(file.expect("a file").len(), BYTES);
    // The host ends a call that needs more.
    let plugin = host.plugins().remove(0);
    assert_eq!(plugin.manifest().limits.memory, MEMORY);
    let input = json!({ "path": "big.csv", "by": "city", "measure": "sum", "of": "price" });
    let ended = call_in(&host, folder.path(), Verdict::Deny, "csv.group", input).await;
    let said = model_text(&ended);
    let begin = format!("sum of price by city: 3 groups, {ROWS} rows of big.csv\n");
    assert!(said.starts_with(&begin), "{said}");
    let (count, sum) = of_city(0);
    let oslo = format!("\nOslo\t{count}\t{sum}\t");
    assert!(said.contains(&oslo), "{oslo} {said}");
    let types: Vec<&str> = ended
        .items
        .iter()
        .map(|item| item.content.type_name())
        .collect();
    assert_eq!(types, ["tool", "widget"]);
    let input = json!({ "path": "big.csv", "by": "id", "limit": 2, "columns": ["id"] });
    let ended = call_in(&host, folder.path(), Verdict::Deny, "csv.sort", input).await;
    let end = format!("\nid\n{}\n{}\n", ROWS - 1, ROWS - 2);
    assert!(model_text(&ended).ends_with(&end), "{}", model_text(&ended));
    let input = json!({ "path": "big.csv" });
    let ended = call_in(&host, folder.path(), Verdict::Deny, "csv.summarise", input).await;
    let said = model_text(&ended);
    assert!(said.contains(&ROWS.to_string()), "{said}");
}

/// Returns how many rows a city has, and the sum of their prices.
fn of_city(city: u64) -> (u64, f64) {
    let prices = (city..ROWS).step_by(3).map(|n| (n % 100) as f64 + 0.5);
    let count = prices.clone().count() as u64;
    (count, prices.sum())
}
