//! Measures reading a file in a guest beside reading it natively.

use crate::timing::{Samples, head, row};
use crate::{builder, call, runtime};
use footlight_tests::folders::{binding, rules};
use footlight_tests::plugins;
use serde_json::json;
use std::fs::File;
use std::hint::black_box;
use std::io::Read as _;
use std::path::Path;

const BYTES: usize = 10_000_000;

/// The size of the pieces in which the second half reads: that of a `BufReader`.
const PIECE: usize = 8 << 10;

/// Reads a file whole, and in pieces.
pub(crate) fn measure(cache: &Path) {
    let runtime = runtime();
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it exists");
    let path = root.join("large");
    std::fs::write(&path, vec![b'x'; BYTES]).expect("writes");
    let bound = rules(vec![binding("/data", &root, false)]);
    let host = builder(cache).attended(false).rules(bound);
    let host = host.build().expect("a host");
    let loaded = host.load(plugins::PROBE);
    runtime.block_on(loaded).expect("the plugin loads");
    let guest = |n: usize| {
        let steps = json!([{ "op": "std.length", "path": "/data/large", "n": n }]);
        let input = json!({ "steps": steps.to_string() });
        let ended = runtime.block_on(call(&host, "probe.peek", &input));
        let met = ended.result.expect("it reads").data["content"].clone();
        assert_eq!(met, json!([format!("ok: {BYTES}")]).to_string());
    };
    let native_pieces = || {
        let (mut file, mut piece) = (File::open(&path).expect("opens"), vec![0; PIECE]);
        while file.read(&mut piece).expect("reads") > 0 {
            black_box(&piece);
        }
    };
    let mut samples: [Samples; 4] = Default::default();
    for _ in 0..20 {
        samples[0].take(2, || drop(black_box(std::fs::read(&path).expect("reads"))));
        samples[1].take(2, || guest(0));
        samples[2].take(2, native_pieces);
        samples[3].take(2, || guest(PIECE));
    }
    let [whole, whole_guest, pieces, pieces_guest] = samples;
    head("a file of 10 MB");
    row("fs::read: native", &whole, None);
    row("fs::read: a call (target 4)", &whole_guest, Some(&whole));
    row("8 KiB at a time: native", &pieces, None);
    row("8 KiB at a time: a call", &pieces_guest, Some(&pieces));
}
