//! Bounds the regular expressions in the schemas of an untrusted plugin.
//!
//! A short pattern can compile to a large automaton: `a{1000}{1000}` has a million states. A pattern
//! takes time and memory in proportion to its states when it is compiled, and in proportion to its
//! states times the text when it is matched. States are therefore counted before anything is compiled.

use serde_json::Value;

/// How many states a pattern can have, about as many as `^.{1,1500}$`.
pub(super) const MAX_STATES: u64 = 20_000;

/// How many states all patterns of a plugin can have together.
const MAX_TOTAL_STATES: u64 = 100_000;

/// The size of the largest compiled pattern in bytes. A second bound, for what the count of states
/// underestimates.
pub(super) const MAX_COMPILED: usize = 2 << 20;

/// The size of the cache with which a pattern is matched, in bytes.
pub(super) const MAX_CACHE: usize = 1 << 20;

/// The states of a character class that can match most of Unicode, encoded as UTF-8.
const WIDE_CLASS: u64 = 12;

/// The states of a property of Unicode, such as `\p{L}`.
const UNICODE_CLASS: u64 = 1_000;

/// How many states the patterns of a plugin can still have.
pub(super) struct PatternBudget(u64);

impl Default for PatternBudget {
    fn default() -> Self {
        Self(MAX_TOTAL_STATES)
    }
}

impl PatternBudget {
    /// Checks the patterns of a schema.
    pub(super) fn check(&mut self, schema: &Value) -> Result<(), String> {
        let mut left = vec![schema];
        while let Some(value) = left.pop() {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(pattern)) = members.get("pattern") {
                        self.spend(pattern)?;
                    }
                    if let Some(Value::Object(patterns)) = members.get("patternProperties") {
                        patterns
                            .keys()
                            .try_for_each(|pattern| self.spend(pattern))?;
                    }
                    left.extend(members.values());
                }
                Value::Array(items) => left.extend(items),
                _ => {}
            }
        }
        Ok(())
    }

    fn spend(&mut self, pattern: &str) -> Result<(), String> {
        let states = states(pattern);
        if states > MAX_STATES {
            let shown: String = pattern
                .chars()
                .take(60)
                .flat_map(char::escape_debug)
                .collect();
            return Err(format!(
                "has the pattern `{shown}`, of about {states} states; the most is {MAX_STATES}: use `maxLength` instead of large counts"
            ));
        }
        self.0 = self.0.checked_sub(states).ok_or_else(|| {
            format!(
                "has patterns that come to more than {MAX_TOTAL_STATES} states with those of the plugin's other schemas"
            )
        })?;
        Ok(())
    }
}

/// Returns about how many states a pattern has once its repetitions are written out. Text that is not
/// a valid pattern also gets a number: compiling it fails.
pub(super) fn states(pattern: &str) -> u64 {
    let mut groups: Vec<Sequence> = Vec::new();
    let mut now = Sequence::default();
    let mut rest = pattern.chars();
    while let Some(next) = rest.next() {
        match next {
            '\\' => now.push(escape(&mut rest)),
            '[' => now.push(class(&mut rest)),
            '(' => groups.push(std::mem::take(&mut now)),
            ')' => {
                let group = now.total().saturating_add(2);
                now = groups.pop().unwrap_or_default();
                now.push(group);
            }
            '.' => now.push(WIDE_CLASS),
            '*' | '+' | '?' => now.last = now.last.saturating_add(2),
            '{' => match repetition(rest.as_str()) {
                Some((count, length)) => {
                    now.last = now.last.saturating_mul(count.max(1));
                    rest = rest.as_str()[length..].chars();
                }
                None => now.push(1),
            },
            other => now.push(other.len_utf8() as u64),
        }
    }
    // Groups that are never closed.
    let open = groups.iter().map(Sequence::total);
    open.fold(now.total(), u64::saturating_add)
}

/// The states of a sequence, and those of its last part, to which a repetition applies.
#[derive(Default)]
struct Sequence {
    before: u64,
    last: u64,
}

impl Sequence {
    fn push(&mut self, states: u64) {
        self.before = self.total();
        self.last = states;
    }

    fn total(&self) -> u64 {
        self.before.saturating_add(self.last)
    }
}

/// Reads what follows a backslash.
fn escape(rest: &mut std::str::Chars<'_>) -> u64 {
    match rest.next() {
        Some('p' | 'P') => {
            if rest.as_str().starts_with('{') {
                rest.by_ref().find(|next| *next == '}');
            } else {
                rest.next();
            }
            UNICODE_CLASS
        }
        Some('W' | 'D' | 'S' | 'w' | 's') => WIDE_CLASS,
        _ => 4,
    }
}

/// Reads a character class after its `[`.
fn class(rest: &mut std::str::Chars<'_>) -> u64 {
    let mut states: u64 = if rest.as_str().starts_with('^') {
        WIDE_CLASS
    } else {
        1
    };
    while let Some(next) = rest.next() {
        states = states.saturating_add(match next {
            ']' => break,
            '\\' => escape(rest),
            // Characters of several bytes, and ranges up to them, become several states.
            other => 2 * (other.len_utf8() as u64 - 1),
        });
    }
    states
}

/// Reads `3}`, `3,}` or `3,5}`. Returns the largest count, and the length.
fn repetition(text: &str) -> Option<(u64, usize)> {
    let (counts, _) = text.split_once('}')?;
    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
    let is_count = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if least.is_empty() || !is_count(least) || !is_count(most) {
        return None;
    }
    // A count beyond the numbers is as good as without end.
    let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
    let count = if most.is_empty() {
        number(least).saturating_add(1)
    } else {
        number(least).max(number(most))
    };
    Some((count, counts.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonschema::PatternOptions;
    use serde_json::json;

    fn compiles_within(pattern: &str, bytes: usize) -> bool {
        let options = PatternOptions::regex().size_limit(bytes);
        let schema = json!({ "pattern": pattern });
        let built = jsonschema::options()
            .with_pattern_options(options)
            .build(&schema);
        built.is_ok()
    }

    #[test]
    fn usual_patterns_are_accepted_and_large_ones_refused() {
        let email = r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";
        let uuid = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
        let usual = [
            "",
            "^a$",
            "^[A-Z]{2}[0-9]{6}$",
            email,
            uuid,
            "^.{1,1000}$",
            r"^\d{4}-\d{2}-\d{2}$",
            r"^\p{L}+$",
            "^(?:a|b){2,}$",
            r"\S",
            "{",
            "a{b}",
            "x{,3}",
            "((((",
            "[",
            "]",
            "[^]]",
        ];
        for pattern in usual {
            assert!(PatternBudget::default().spend(pattern).is_ok(), "{pattern}");
        }
        let large = [
            "a{100000}",
            "(a{500}){500}",
            "((a{100}){100}){100}",
            "(a{99}b{99}){999}",
            ".{5000}",
            r"\p{L}{100}",
            "[^a]{9999}",
            "(((a{200}){200}",
            "a{99999999999999999999}",
            &"(ab|cd)".repeat(9_000),
        ];
        for pattern in large {
            assert!(
                PatternBudget::default().spend(pattern).is_err(),
                "{pattern}"
            );
        }
    }

    #[test]
    fn what_is_counted_as_small_compiles_small() {
        for pattern in [
            "a{20000}",
            "(ab){5000}",
            "[a-z]{9000}",
            ".{1500}",
            "[^a]{1500}",
            r"\W{1500}",
            r"\d{4000}",
            "(?:a?){2000}",
            "(a|b|c|d){1500}",
            r"\p{L}{18}",
            "[é-ü]{1500}",
        ] {
            assert!(
                states(pattern) <= MAX_STATES,
                "{pattern}: {}",
                states(pattern)
            );
            assert!(compiles_within(pattern, MAX_COMPILED), "{pattern}");
        }
    }

    #[test]
    fn patterns_of_a_plugin_share_a_budget() {
        let schema = json!({ "properties": { "a": { "pattern": "a{15000}" } }, "patternProperties": { "b{9000}": {} } });
        let mut budget = PatternBudget::default();
        let accepted = (0..9).take_while(|_| budget.check(&schema).is_ok()).count();
        assert_eq!(accepted, 4);
    }
}
