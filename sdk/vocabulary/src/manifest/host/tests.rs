//! Tables of hosts that match, that only look as if they did, and that are no hosts.

use super::*;
use proptest::prelude::*;

fn pattern(text: &str) -> HostPattern {
    HostPattern::parse(text).expect("the table writes valid patterns")
}

#[test]
fn exact_host_matches_itself_in_any_case_and_nothing_else() {
    let api = pattern("api.github.com");
    for host in ["api.github.com", "API.GitHub.com"] {
        assert!(api.matches(host), "{host}");
    }
    for host in [
        "",
        ".",
        "github.com",
        "x.api.github.com",
        "evilapi.github.com",
        "api.github.com.evil.io",
        "api.github.com.",
        ".api.github.com",
        "api..github.com",
        "api.github.co",
        "api.github.comm",
        "api-github.com",
        "apixgithub.com",
        "api.github.com:443",
        "api.github.com/",
        "api.github.com@evil.io",
        "evil.io#api.github.com",
        "evil.io\\api.github.com",
        "api.github.com\0",
        "api.github.com\n",
        " api.github.com",
        "api%2egithub.com",
        "api。github.com",
        "api．github.com",
        "аpi.github.com",
        "api.gith\u{200d}ub.com",
        "api.githu\u{212a}.com",
        "*.github.com",
    ] {
        assert!(!api.matches(host), "{host:?}");
    }
}

#[test]
fn suffix_matches_at_any_depth_below_it_but_not_itself() {
    let under = pattern("*.example.com");
    for host in [
        "a.example.com",
        "A.B.Example.COM",
        "xn--bcher-kva.example.com",
    ] {
        assert!(under.matches(host), "{host}");
    }
    for host in [
        "example.com",
        ".example.com",
        "..example.com",
        "a..example.com",
        ".a.example.com",
        "evilexample.com",
        "evil-example.com",
        "a.example.com.",
        "a.example.com.evil.io",
        "example.com.evil.io",
        "a.example.comm",
        "a.example.co",
        "-.example.com",
        "a_b.example.com",
        "*.example.com",
        "1.2.3.4",
        "[::1]",
        "com",
    ] {
        assert!(!under.matches(host), "{host:?}");
    }
    let long = format!("{}.example.com", "a".repeat(64));
    assert!(!under.matches(&long));
}

#[test]
fn address_is_matched_in_its_one_plain_spelling() {
    let loopback = pattern("127.0.0.1");
    assert!(loopback.matches("127.0.0.1"));
    for host in [
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.0.0.01",
        "127.0.0.1.",
        "[::ffff:127.0.0.1]",
        "::ffff:127.0.0.1",
        "[127.0.0.1]",
        "localhost",
        "127.0.0.1.example.com",
    ] {
        assert!(!loopback.matches(host), "{host:?}");
    }
    let six = pattern("[::1]");
    assert!(six.matches("[::1]") && six.matches("[0:0:0:0:0:0:0:1]"));
    for host in [
        "::1",
        "[::1",
        "[::1]]",
        "[::1%eth0]",
        "[::]",
        "[::ffff:0.0.0.1]",
    ] {
        assert!(!six.matches(host), "{host:?}");
    }
    assert!(pattern("localhost").matches("LOCALHOST"));
    assert!(!pattern("localhost").matches("localhost."));
    assert!(!pattern("localhost").matches("a.localhost"));
}

#[test]
fn pattern_is_written_back_as_it_was_read() {
    for text in [
        "api.example.com",
        "*.example.com",
        "localhost",
        "10.0.0.7",
        "[fe80::1]",
    ] {
        assert_eq!(pattern(text).to_string(), text);
    }
}

#[test]
fn invalid_hosts_are_refused() {
    for text in [
        "",
        "*",
        "*.",
        "*.com",
        "*.localhost",
        "*.*.com",
        "*.*.example.com",
        "a.*.com",
        "api.*",
        "*api.example.com",
        "*example.com",
        "*.example.com.",
        "*..com",
        "*.1.2",
        "*.0.0.1",
        "intranet",
        "Api.example.com",
        "https://api.example.com",
        "api.example.com/v1",
        "api.example.com?x",
        "user@api.example.com",
        "api.example.com.",
        "api..example.com",
        ".example.com",
        "api example.com",
        "api_v1.example.com",
        "-a.example.com",
        "a-.example.com",
        "bücher.example",
        "127.1",
        "2130706433",
        "0x7f000001",
        "a.0x7f",
        "a.0x",
        "1.2.3.4.5",
        "256.0.0.1",
        "01.2.3.4",
        "::1",
        "[::1",
        "[fe80::1%25eth0]",
        "[::ffff:10.0.0.1]",
        "[1.2.3.4]",
        "0.0.0.0",
        "[::]",
        "255.255.255.255",
        "224.0.0.1",
        "[ff02::1]",
        "api.example.com\n",
    ] {
        let error = HostPattern::parse(text).expect_err(text).to_string();
        assert!(!error.contains(char::is_control), "{error:?}");
    }
    let long = vec!["abcdefg"; 40].join(".");
    assert!(HostPattern::parse(&long).is_err());
}

proptest! {
    #[test]
    fn no_text_makes_reading_or_matching_panic(pattern in ".{0,40}", host in ".{0,40}") {
        if let Ok(pattern) = HostPattern::parse(&pattern) {
            let _ = pattern.matches(&host);
            prop_assert_eq!(HostPattern::parse(&pattern.to_string()), Ok(pattern));
        }
    }

    #[test]
    fn suffix_never_matches_a_host_that_is_not_under_it(
        host in "[a-cA-C.*\\-\\[\\]:0x@é]{0,12}(\\.?[xe]?(example\\.com|a\\.b))?[.a@:]?"
    ) {
        for suffix in ["example.com", "a.b"] {
            let matches = pattern(&format!("*.{suffix}")).matches(&host);
            let lower = host.to_ascii_lowercase();
            prop_assert!(!matches || lower.ends_with(&format!(".{suffix}")), "{host:?}");
            prop_assert!(!matches || lower.len() > suffix.len() + 1, "{host:?}");
        }
    }

    #[test]
    fn labels_before_a_suffix_match(labels in "([a-z0-9]([a-z0-9-]{0,5}[a-z0-9])?\\.){1,4}") {
        let host = format!("{labels}example.com");
        prop_assert!(pattern("*.example.com").matches(&host));
        prop_assert!(pattern(&host).matches(&host));
    }
}

#[test]
fn a_suffix_under_which_anybody_can_have_a_name_is_refused() {
    for suffix in [
        "github.io",
        "co.uk",
        "herokuapp.com",
        "s3.amazonaws.com",
        "web.app",
        "pages.dev",
        "vercel.app",
        "blogspot.com",
        "cloudfront.net",
        "com.au",
        "workers.dev",
    ] {
        assert!(
            HostPattern::parse(&format!("*.{suffix}")).is_err(),
            "{suffix}"
        );
        assert!(
            HostPattern::parse(&format!("me.{suffix}")).is_ok(),
            "{suffix}"
        );
        assert!(
            HostPattern::parse(&format!("*.me.{suffix}")).is_ok(),
            "{suffix}"
        );
    }
}

#[test]
fn a_suffix_does_not_match_names_of_other_owners_below_it() {
    let amazon = pattern("*.amazonaws.com");
    assert!(amazon.matches("ec2.eu-west-1.amazonaws.com"));
    assert!(!amazon.matches("bucket.s3.amazonaws.com"));
    assert!(pattern("*.example.test").matches("a.example.test"));
}
