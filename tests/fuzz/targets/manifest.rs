//! Any text: a manifest is parsed, or refused at a place that exists, and a parsed one keeps
//! what its types promise.

#![no_main]

use footlight_vocabulary::manifest::{Limits, Manifest, Scheme, is_action, is_id};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let manifest = match Manifest::parse(text) {
        Ok(manifest) => manifest,
        Err(error) => {
            assert!((1..=text.split('\n').count()).contains(&error.line));
            assert!(error.column >= 1);
            assert!(!error.message.contains(char::is_control), "{error:?}");
            return;
        }
    };
    assert!(is_id(&manifest.id));
    for secret in &manifest.secrets {
        assert!(secret.host.is_exact());
        assert!(secret.scheme == Scheme::Https || secret.host.is_loopback());
        let host = secret.host.to_string();
        let mut rules = manifest.net.iter();
        assert!(rules.any(
            |rule| rule.host == secret.host && rule.matches(secret.scheme, &host, secret.port)
        ));
    }
    for rule in &manifest.net {
        assert!(!rule.methods.is_empty());
        if let Some(action) = &rule.approval {
            assert!(is_action(action) && manifest.approval(action).is_some());
        }
    }
    let (floor, limits, most) = (Limits::FLOOR, manifest.limits, Limits::CEILING);
    assert!((floor.memory..=most.memory).contains(&limits.memory));
    assert!((floor.active_time..=most.active_time).contains(&limits.active_time));
    assert!((floor.wall_time..=most.wall_time).contains(&limits.wall_time));
    assert!((floor.output..=most.output).contains(&limits.output));
    for power in manifest.powers() {
        assert!(!power.contains(char::is_control), "{power:?}");
    }
    assert_eq!(
        Manifest::parse(text).as_ref(),
        Ok(&manifest),
        "parsing is a function"
    );
});
