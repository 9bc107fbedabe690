//! Attacks by manifests, by declared memories, and by bytes that are not a component.

use super::liars::add;
use super::{Attack, Attacker, Ends};

const MANIFEST: &str =
    "[plugin]\nid = \"attacker\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"Attacks\"\n";

/// Adds the attacks by manifest and by declared memory.
pub(super) fn envelope(attacks: &mut Vec<Attack>) {
    manifests(attacks);
    memories(attacks);
}

/// Adds attacks by the manifest, which is read before any code runs.
fn manifests(attacks: &mut Vec<Attack>) {
    let refused = Ends::Refused(&["manifest"]);
    let one = || MANIFEST.as_bytes().to_vec();
    let other = || MANIFEST.replace("attacker", "weather").into_bytes();
    let large = format!("{MANIFEST}# {}\n", "a".repeat(64 << 10)).into_bytes();
    let newer = MANIFEST
        .replace("api = \"0.1\"", "api = \"0.9\"")
        .into_bytes();
    let unknown = format!("{MANIFEST}trusted = true\n").into_bytes();
    let hostile = MANIFEST
        .replace("Attacks", "\\u001b]52;c;\\u0007\\u202e")
        .into_bytes();
    let manifests = [
        ("no manifest", vec![], vec![], Ends::Fine),
        ("a manifest at the top", vec![one()], vec![], Ends::Fine),
        ("a manifest inside", vec![], vec![one()], Ends::Fine),
        (
            "two manifests at the top",
            vec![one(), other()],
            vec![],
            refused,
        ),
        (
            "two manifests inside",
            vec![],
            vec![one(), other()],
            refused,
        ),
        (
            "a manifest at the top and another inside",
            vec![one()],
            vec![other()],
            refused,
        ),
        (
            "a broken manifest",
            vec![b"[plugin\nid = ".to_vec()],
            vec![],
            refused,
        ),
        ("an empty manifest", vec![Vec::new()], vec![], refused),
        (
            "a manifest that is not UTF-8",
            vec![vec![0xff, 0xfe, 0]],
            vec![],
            refused,
        ),
        (
            "a manifest of 64 KiB and more",
            vec![large],
            vec![],
            refused,
        ),
        (
            "a manifest of another contract",
            vec![newer],
            vec![],
            Ends::Refused(&["0.9"]),
        ),
        (
            "a manifest with an unknown key",
            vec![unknown],
            vec![],
            refused,
        ),
        (
            "a manifest with hostile words",
            vec![hostile],
            vec![],
            Ends::Either,
        ),
    ];
    for (name, manifests, inner_manifests, ends) in manifests {
        let attacker = Attacker {
            manifests,
            inner_manifests,
            ..Attacker::default()
        };
        add(attacks, name, ends, attacker);
    }
}

/// Adds attacks by many memories: a limit for each memory would be multiplied.
fn memories(attacks: &mut Vec<Attack>) {
    let sizes = [
        ("64 memories of 64 MiB", (64, 1024)),
        ("5 memories of 64 MiB", (5, 1024)),
        ("900 memories of 64 KiB", (900, 1)),
    ];
    for (name, memories) in sizes {
        let attacker = Attacker {
            memories,
            ..Attacker::default()
        };
        add(attacks, name, Ends::Load(&["memory"]), attacker);
    }
}

/// Returns bytes that are not a component.
pub(crate) fn no_components() -> Vec<Attack> {
    let whole = Attacker::default().component();
    let mut flipped = whole.clone();
    // The layer field distinguishes components from modules; no other value is valid.
    flipped[6] = 0xff;
    let bytes = [
        ("nothing", Vec::new()),
        ("the magic number alone", b"\0asm".to_vec()),
        (
            "a page of the web",
            b"<!doctype html><title>404</title>".to_vec(),
        ),
        ("a native program", b"\x7fELF\x02\x01\x01\0".repeat(64)),
        ("text of a component", b"(component)".to_vec()),
        ("half a component", whole[..whole.len() / 2].to_vec()),
        (
            "a component and then some",
            [whole.as_slice(), b"PK\x03\x04"].concat(),
        ),
        ("a component of another layer", flipped),
        (
            "noise",
            (0..100_000_u32)
                .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
                .collect(),
        ),
    ];
    bytes
        .into_iter()
        .map(|(name, component)| Attack {
            name: name.to_owned(),
            component,
            ends: Ends::Refused(&["component"]),
        })
        .collect()
}
