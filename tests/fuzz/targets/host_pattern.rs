//! A pattern and a host, one per line: an exact pattern matches only itself, a suffix only what
//! lies under it, and a pattern written out reads back the same.

#![no_main]

use footlight_vocabulary::manifest::HostPattern;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (pattern, host) = text.split_once('\n').unwrap_or((text, text));
    let Ok(parsed) = HostPattern::parse(pattern) else {
        return;
    };
    let written = parsed.to_string();
    assert_eq!(HostPattern::parse(&written).as_ref(), Ok(&parsed));
    assert_eq!(parsed.matches(&written), parsed.is_exact());
    if !parsed.matches(host) {
        return;
    }
    let host = host.to_ascii_lowercase();
    match written.strip_prefix('*') {
        Some(suffix) => {
            assert!(
                host.ends_with(suffix) && host.len() > suffix.len(),
                "{written} {host:?}"
            );
            assert!(
                !host.starts_with('.') && !host.contains(".."),
                "{written} {host:?}"
            );
        }
        None if parsed.is_address() => {}
        None => assert_eq!(host, written),
    }
});
