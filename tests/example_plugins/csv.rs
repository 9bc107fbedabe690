//! `csv` on a file that is larger than its memory.

use super::{call_in, host, model_text};
use footlight::vocabulary::item::Verdict;
use footlight_tests::plugins;
use serde_json::json;
use std::io::Write;

/// More than the 64 MiB of memory that a call has.
const ROWS: u64 = 1_200_000;

fn sample() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let file = std::fs::File::create(folder.path().join("big.csv")).expect("a file");
    let mut file = std::io::BufWriter::new(file);
    writeln!(file, "id,city,price,note").expect("written");
    for n in 0..ROWS {
        let city = ["Oslo", "Rome", "Lima"][(n % 3) as usize];
        let note = "a remark of some length that nobody will ever read";
        writeln!(file, "{n},{city},{}.5,\"{note}\"", n % 100).expect("written");
    }
    file.flush().expect("written");
    folder
}

#[tokio::test]
async fn a_file_larger_than_the_memory_is_grouped_and_sorted() {
    let (host, folder) = (host(plugins::CSV, true).await, sample());
    let size = std::fs::metadata(folder.path().join("big.csv"))
        .expect("a file")
        .len();
    assert!(size > 64 << 20, "{size}");
    let input = json!({ "path": "big.csv", "by": "city", "measure": "sum", "of": "price" });
    let ended = call_in(&host, folder.path(), Verdict::Deny, "csv.group", input).await;
    let said = model_text(&ended);
    assert!(
        said.starts_with("sum of price by city: 3 groups, 1200000 rows of big.csv\n"),
        "{said}"
    );
    assert!(
        said.contains("\nOslo\t400000\t20000000\t50\t0.5\t99.5"),
        "{said}"
    );
    let types: Vec<&str> = ended
        .items
        .iter()
        .map(|item| item.content.type_name())
        .collect();
    assert_eq!(types, ["tool", "widget"]);
    let input = json!({ "path": "big.csv", "by": "id", "limit": 2, "columns": ["id"] });
    let ended = call_in(&host, folder.path(), Verdict::Deny, "csv.sort", input).await;
    assert!(model_text(&ended).ends_with("\nid\n1199999\n1199998\n"));
}
