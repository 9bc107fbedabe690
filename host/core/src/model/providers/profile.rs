//! What differs between providers that speak the same wire, as data.
//!
//! The profiles are `profiles.toml`, read once. A wire asks a profile for a quirk by what the
//! quirk *is*, never for a provider's name.

use crate::model::wire::Wire;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// What a spec begins with: `openai`.
    #[serde(skip)]
    pub name: String,
    /// What it speaks.
    pub wire: Wire,
    /// Where it is. Absent: the spec has to say.
    pub base: Option<String>,
    /// Where its key comes from and goes to.
    pub key: Option<KeyPlace>,
    /// Headers of every request.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The model asked for when a key alone chose the provider.
    pub model: Option<String>,
    /// How many tokens its models read at least.
    pub window: Option<u64>,
    /// How many tokens an answer may have, where the wire wants to be told.
    pub output: Option<u64>,
    /// Seconds until the first byte; local servers load their model first.
    pub first_byte: Option<u64>,
    /// What it does its own way.
    #[serde(default)]
    pub quirks: Quirks,
}

/// Where a key comes from and goes to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyPlace {
    /// The environment variables that may hold it; the first that is set counts.
    pub env: Vec<String>,
    /// The header it goes into.
    pub header: String,
    /// What stands before it there.
    #[serde(default)]
    pub prefix: String,
}

/// What a provider does its own way.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Quirks {
    /// It takes pictures. If not, a line of text stands for each.
    pub images: bool,
    /// It counts tokens in a stream when asked to (`stream_options`).
    pub stream_usage: bool,
    /// It takes `prompt_cache_key`.
    pub cache_key: bool,
    /// Its models may print a call as text, which is then taken for the call.
    pub leaked_calls: bool,
    /// Its calls carry `extra_content` that must come back with them.
    pub signatures: bool,
    /// The signature for a call that another model made.
    pub foreign_signature: Option<String>,
    /// It wants the tool's name in a tool's message.
    pub tool_names: bool,
    /// The field of reasoning that it wants back.
    pub echo: Option<Echo>,
    /// Beginnings of names of models that do not reason, and refuse to be asked for it.
    pub plain: Vec<String>,
}

impl Default for Quirks {
    fn default() -> Self {
        Self {
            images: true,
            stream_usage: true,
            cache_key: false,
            leaked_calls: false,
            signatures: false,
            foreign_signature: None,
            tool_names: false,
            echo: None,
            plain: Vec::new(),
        }
    }
}

/// A field of an assistant's message that holds reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Echo {
    /// `reasoning_content`, a text.
    ReasoningContent,
    /// `reasoning`, a text.
    Reasoning,
    /// `reasoning_details`, an array.
    ReasoningDetails,
}

impl Profile {
    /// The profile of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        all().iter().find(|profile| profile.name == name)
    }

    /// Whether the model of that name may be asked to show its reasoning.
    #[must_use]
    pub fn reasons(&self, model: &str) -> bool {
        !self.quirks.plain.iter().any(|p| model.starts_with(p))
    }
}

/// All profiles, sorted by name.
#[must_use]
pub fn all() -> &'static [Profile] {
    static ALL: LazyLock<Vec<Profile>> = LazyLock::new(|| {
        parse(include_str!("profiles.toml")).expect("a test reads the same embedded file")
    });
    &ALL
}

/// Reads profiles from TOML, one table each.
///
/// # Errors
/// When it is no TOML, or a field is not known.
pub fn parse(text: &str) -> Result<Vec<Profile>, toml::de::Error> {
    let named: BTreeMap<String, Profile> = toml::from_str(text)?;
    Ok(named
        .into_iter()
        .map(|(name, profile)| Profile { name, ..profile })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_profiles_are_read_and_hang_together() {
        let names: Vec<_> = all().iter().map(|p| p.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "anthropic",
                "chat",
                "gemini",
                "llama.cpp",
                "lmstudio",
                "ollama",
                "openai",
                "openrouter",
                "vllm"
            ]
        );
        for profile in all() {
            let local = profile.base.as_deref().is_none_or(|base| {
                assert!(!base.ends_with('/'), "{base}");
                base.starts_with("http://127.0.0.1:")
            });
            let safe = profile
                .base
                .as_deref()
                .is_none_or(|base| base.starts_with("https://"));
            assert!(local || safe, "{}", profile.name);
            // Only the Messages wire wants a limit, and it must have one.
            assert_eq!(profile.output.is_some(), profile.wire == Wire::Anthropic);
        }
    }

    #[test]
    fn a_field_that_nobody_knows_is_refused() {
        assert!(parse("[x]\nwire = 'chat'\nbase-url = 'http://x'").is_err());
    }

    #[test]
    fn models_that_do_not_reason_are_known_by_how_their_names_begin() {
        let openai = Profile::named("openai").expect("it is embedded");
        assert!(openai.reasons("gpt-5.6-luna") && openai.reasons("o3"));
        assert!(!openai.reasons("gpt-4o-mini") && !openai.reasons("gpt-5-chat-latest"));
    }
}
