//! `search` and `list`.

use super::*;

fn query(pattern: &str) -> search::Query {
    search::Query {
        pattern: pattern.to_owned(),
        folder: String::new(),
        globs: Vec::new(),
        case_sensitive: false,
        each_line: false,
        hidden: false,
    }
}

fn sample() -> Sample {
    Sample::new([
        ("Cargo.toml", "[dependencies]\nwasmtime = \"48\"\n"),
        (
            "src/a.rs",
            "use wasmtime::Engine;\n\n// Wasmtime is fast.\n",
        ),
        ("src/b.rs", "fn main() {}\n"),
        (".git/config", "wasmtime"),
        (
            "target/CACHEDIR.TAG",
            "Signature: 8a477f597d28d172789f06886806bc55",
        ),
        ("target/debug/a.d", "wasmtime"),
        ("web/node_modules/x.js", "wasmtime"),
        ("logo.png", "\0wasmtime"),
    ])
}

fn files(table: &Table) -> Vec<&str> {
    let rows = table.data.rows.iter();
    rows.filter_map(|row| row["file"].as_str()).collect()
}

#[test]
fn files_that_mention_a_word_are_found_with_their_first_line() {
    let sample = sample();
    let stage = testing::stage();
    let table = search::run(&stage, &sample.folder(), &query("wasmtime")).expect("a table");
    assert_eq!(files(&table), ["Cargo.toml", "src/a.rs"]);
    let row = &table.data.rows[1];
    assert_eq!((&row["matches"], &row["line"]), (&2.into(), &1.into()));
    assert_eq!(row["text"], "use wasmtime::Engine;");
    assert_eq!(
        for_model(table),
        "`wasmtime` is in 2 of 4 files, in 3 lines; 1 binary skipped; 3 hidden or generated folders skipped\n\
         Cargo.toml (1), first in line 2: wasmtime = \"48\"\n\
         src/a.rs (2), first in line 1: use wasmtime::Engine;"
    );
    assert_eq!(stage.progress_reports(), ["0 files searched"]);
}

#[test]
fn options_narrow_and_widen_a_search() {
    let sample = sample();
    let found = |query: search::Query| {
        let stage = testing::stage();
        let table = search::run(&stage, &sample.folder(), &query).expect("a table");
        files(&table).join(" ")
    };
    let globs = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect();
    assert_eq!(
        found(search::Query {
            globs: globs(&["*.rs"]),
            ..query("wasmtime")
        }),
        "src/a.rs"
    );
    assert_eq!(
        found(search::Query {
            folder: "src".into(),
            each_line: true,
            ..query("wasmtime")
        }),
        "src/a.rs src/a.rs"
    );
    assert_eq!(
        found(search::Query {
            case_sensitive: true,
            each_line: true,
            ..query("Wasmtime")
        }),
        "src/a.rs"
    );
    assert_eq!(
        found(search::Query {
            folder: "src/b.rs".into(),
            ..query("fn")
        }),
        "src/b.rs"
    );
    assert_eq!(
        found(search::Query {
            hidden: true,
            ..query("wasmtime")
        }),
        ".git/config Cargo.toml src/a.rs target/debug/a.d web/node_modules/x.js"
    );
    assert_eq!(found(query(r"^use\s+\w+::")), "src/a.rs");
    assert_eq!(found(query("nowhere")), "");
}

/// A folder in which only `a`, and the file `web/target`, are neither hidden nor made by a tool.
fn cluttered() -> Sample {
    Sample::new([
        ("a", "needle"),
        ("web/target", "needle"),
        (".env", "needle"),
        (".cache/b", "needle"),
        ("target/c", "needle"),
        ("crates/x/target/d", "needle"),
        ("web/node_modules/e", "needle"),
        ("tagged/.f", "needle"),
        ("tagged/CACHEDIR.TAG", ""),
    ])
}

#[test]
fn build_output_and_hidden_files_are_skipped_and_counted() {
    let sample = cluttered();
    let stage = testing::stage();
    let table = search::run(&stage, &sample.folder(), &query("needle")).expect("a table");
    assert_eq!(files(&table), ["a", "web/target"]);
    let said = for_model(table);
    assert_eq!(
        said.lines().next(),
        Some(
            "`needle` is in 2 of 2 files, in 2 lines; 5 hidden or generated folders skipped; 1 hidden file skipped"
        )
    );
}

#[test]
fn build_output_and_hidden_files_are_searched_if_that_is_wanted() {
    let sample = cluttered();
    let found = |query| {
        let stage = testing::stage();
        let table = search::run(&stage, &sample.folder(), &query).expect("a table");
        for_model(table).lines().next().map(str::to_owned)
    };
    let hidden = search::Query {
        hidden: true,
        ..query("needle")
    };
    assert_eq!(
        found(hidden).expect("a summary"),
        "`needle` is in 8 of 9 files, in 8 lines"
    );
    // A folder that is named is searched, whatever its name.
    let named = search::Query {
        folder: "crates/x/target".into(),
        ..query("needle")
    };
    assert_eq!(
        found(named).expect("a summary"),
        "`needle` is in 1 of 1 files, in 1 line"
    );
}

#[test]
fn a_list_says_what_it_skipped() {
    let sample = cluttered();
    let query = list::Query {
        folder: String::new(),
        depth: 1,
        globs: Vec::new(),
        hidden: false,
    };
    let list = list::run(&testing::stage(), &sample.folder(), &query).expect("a list");
    let outcome = list.into_outcome().expect("JSON");
    let more: Value = serde_json::from_str(&outcome.more.unwrap_or_default()).expect("hints");
    let skipped = "2 hidden or generated folders skipped; 1 hidden file skipped";
    assert_eq!(more["model"]["skipped"], skipped);
    assert_eq!(more["model"]["entries"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        outcome.summary,
        Some(format!("Listed 4 entries in .; {skipped}"))
    );
}

#[test]
fn a_search_that_is_cut_says_what_is_missing() {
    let many = (0..250).map(|n| format!("match {n}\n")).collect::<String>();
    let sample = Sample::new([("many", many), ("large", "match\n".repeat(800_000))]);
    let stage = testing::stage();
    let lines = search::Query {
        each_line: true,
        ..query("match")
    };
    let table = search::run(&stage, &sample.folder(), &lines).expect("a table");
    assert_eq!(table.len(), 200);
    let said = for_model(table);
    let head = said.lines().next().expect("a line");
    assert_eq!(
        head,
        "`match` is in 1 of 2 files, in 250 lines; 200 of 250 are listed; 1 larger than 4 MiB skipped"
    );
}

#[test]
fn long_lines_are_shortened() {
    let sample = Sample::new([("a", format!("{}needle", "ä".repeat(100_000)))]);
    let stage = testing::stage();
    let table = search::run(&stage, &sample.folder(), &query("needle")).expect("a table");
    let text = table.data.rows[0]["text"].as_str().expect("text");
    assert_eq!(text.chars().count(), 160);
}

#[test]
fn a_search_that_is_malformed_or_cancelled_ends_with_a_failure() {
    let sample = sample();
    let search = |query| search::run(&testing::stage(), &sample.folder(), &query);
    invalid_input(search(query("(")));
    invalid_input(search(search::Query {
        folder: "gone".into(),
        ..query("a")
    }));
    invalid_input(search(search::Query {
        globs: vec!["[".into()],
        ..query("a")
    }));
    let cancelled = search::run(&testing::stage().cancelled(), &sample.folder(), &query("a"));
    let failure = cancelled.map(drop).expect_err("cancelled");
    assert_eq!(failure.code(), FailureCode::Cancelled);
}

#[cfg(unix)]
#[test]
fn links_are_listed_and_not_followed() {
    let sample = sample();
    let outside = Sample::new([("secret", "wasmtime")]);
    std::os::unix::fs::symlink(outside.path(), sample.path().join("out")).expect("a link");
    std::os::unix::fs::symlink(".", sample.path().join("loop")).expect("a link");
    let stage = testing::stage();
    let table = search::run(&stage, &sample.folder(), &query("wasmtime")).expect("a table");
    assert_eq!(files(&table), ["Cargo.toml", "src/a.rs"]);
    let listed = listed(&sample, 9, &[]);
    assert!(
        listed.contains("loop@ ") && listed.contains("out@ "),
        "{listed}"
    );
}

/// A list as one line: `/` marks a folder and `@` a link.
fn listed(sample: &Sample, depth: usize, globs: &[&str]) -> String {
    let query = list::Query {
        folder: String::new(),
        depth,
        globs: globs.iter().map(|glob| (*glob).to_owned()).collect(),
        hidden: false,
    };
    let list = list::run(&testing::stage(), &sample.folder(), &query).expect("a list");
    let entries = list.data.entries.iter().map(|entry| {
        let mark = match entry.entry_type.as_str() {
            "directory" => "/",
            "symlink" => "@",
            _ => "",
        };
        format!("{}{mark} ", entry.name)
    });
    entries.collect()
}

#[test]
fn folders_are_listed_to_the_depth_that_is_wanted() {
    let sample = sample();
    assert_eq!(listed(&sample, 1, &[]), "Cargo.toml logo.png src/ web/ ");
    assert_eq!(
        listed(&sample, 2, &[]),
        "Cargo.toml logo.png src/ src/a.rs src/b.rs web/ "
    );
    assert_eq!(listed(&sample, 9, &["*.rs"]), "src/a.rs src/b.rs ");
}

#[test]
fn a_list_has_sizes_and_names_relative_to_its_folder() {
    let sample = sample();
    let query = list::Query {
        folder: "src".into(),
        depth: 1,
        globs: Vec::new(),
        hidden: false,
    };
    let list = list::run(&testing::stage(), &sample.folder(), &query).expect("a list");
    assert_eq!(list.data.path, "src");
    assert_eq!(list.data.entries[1].name, "b.rs");
    assert_eq!(list.data.entries[1].size, Some(13));
    assert!(!list.data.truncated);
}

#[test]
fn a_list_that_is_too_long_is_cut_and_says_so() {
    let sample = sample();
    for n in 0..1_001 {
        sample.write(&format!("many/{n}"), "");
    }
    let query = list::Query {
        folder: "many".into(),
        depth: 1,
        globs: Vec::new(),
        hidden: false,
    };
    let list = list::run(&testing::stage(), &sample.folder(), &query).expect("a list");
    assert!(list.data.truncated);
    assert_eq!(list.data.entries.len(), 1_000);
}
