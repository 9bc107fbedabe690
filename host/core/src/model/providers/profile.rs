//! What differs between providers that speak the same wire format, as data.
//!
//! The profiles are `profiles.toml`, parsed once. Code asks a profile for a quirk by what the quirk
//! is, never for the name of a provider.

use crate::model::wire::Wire;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Profile {
    /// The name that a spec starts with: `openai`.
    #[serde(skip)]
    pub name: String,
    /// The wire format it speaks.
    pub wire: Wire,
    /// The base of its addresses; if absent, the spec has to name one.
    pub(crate) base: Option<String>,
    pub(crate) key: Option<KeySource>,
    /// The headers of every request.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    /// The model to use when only a key chose the provider.
    pub model: Option<String>,
    /// How many tokens its models read at least.
    pub window: Option<u64>,
    /// How many tokens an answer may have, for wire formats that require a limit.
    pub(crate) output: Option<u64>,
    /// The timeout of the first byte in seconds; local servers load their model first.
    pub(crate) first_byte: Option<u64>,
    #[serde(default)]
    pub(crate) quirks: Quirks,
}

/// Where a key comes from, and the header it is sent in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeySource {
    /// The environment variables that may hold it; the first one set is used.
    pub(crate) env: Vec<String>,
    pub(crate) header: String,
    /// The text before the key in the header.
    #[serde(default)]
    pub(crate) prefix: String,
}

/// How a provider differs from its wire format.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Quirks {
    /// It accepts images. If not, a line of text replaces each.
    pub(crate) images: bool,
    /// It counts tokens in a stream when asked to (`stream_options`).
    pub(crate) stream_usage: bool,
    /// It accepts `prompt_cache_key`.
    pub(crate) cache_key: bool,
    /// Its models may print a call as text, which is then parsed as a call.
    pub(crate) leaked_calls: bool,
    /// Its calls carry `extra_content` that must be sent back with them.
    pub(crate) signatures: bool,
    /// The signature for a call that another model made.
    pub(crate) foreign_signature: Option<String>,
    /// It requires the tool's name in a tool message.
    pub(crate) tool_names: bool,
    /// The field of reasoning that it wants back.
    pub(crate) echo: Option<Echo>,
    /// Prefixes of the names of models that do not reason, and refuse a request for reasoning.
    pub(crate) plain: Vec<String>,
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

/// The field of an assistant message that holds reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Echo {
    /// `reasoning_content`, a text.
    ReasoningContent,
    /// `reasoning`, a text.
    Reasoning,
    /// `reasoning_details`, an array.
    ReasoningDetails,
}

impl Profile {
    /// Returns the profile of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        profiles().iter().find(|profile| profile.name == name)
    }

    /// Returns the environment variables that may hold its key; empty if it takes none.
    #[must_use]
    pub fn key_variables(&self) -> &[String] {
        self.key.as_ref().map_or(&[], |key| &key.env)
    }

    /// Reports whether this model may be asked for its reasoning.
    pub(crate) fn reasons(&self, model: &str) -> bool {
        !self.quirks.plain.iter().any(|p| model.starts_with(p))
    }
}

/// Returns all profiles, sorted by name.
#[must_use]
pub fn profiles() -> &'static [Profile] {
    static ALL: LazyLock<Vec<Profile>> = LazyLock::new(|| {
        parse(include_str!("profiles.toml")).expect("a test parses the same embedded file")
    });
    &ALL
}

fn parse(text: &str) -> Result<Vec<Profile>, toml::de::Error> {
    let named: BTreeMap<String, Profile> = toml::from_str(text)?;
    let named = named.into_iter();
    Ok(named
        .map(|(name, profile)| Profile { name, ..profile })
        .collect())
}

/// A model whose provider's key is set in the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyedModel {
    /// The environment variable that holds the key.
    pub env: String,
    /// The model: `openai:gpt-6-sol`.
    pub model: String,
}

/// Lists the default models of the providers whose key is set, in the order of their names.
pub fn keyed_models(is_set: impl Fn(&str) -> bool) -> Vec<KeyedModel> {
    let keyed = profiles().iter().filter_map(|profile| {
        let model = profile.model.as_ref()?;
        let env = profile.key_variables().iter().find(|env| is_set(env))?;
        Some(KeyedModel {
            env: env.clone(),
            model: format!("{}:{model}", profile.name),
        })
    });
    keyed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_profiles_are_read_and_hang_together() {
        let names: Vec<_> = profiles().iter().map(|p| p.name.as_str()).collect();
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
        for profile in profiles() {
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

    #[test]
    fn only_keys_that_are_set_are_listed_each_with_a_model() {
        assert_eq!(keyed_models(|_| false), []);
        let keyed = keyed_models(|env| env == "GOOGLE_API_KEY" || env == "OPENAI_API_KEY");
        let envs: Vec<_> = keyed.iter().map(|key| key.env.as_str()).collect();
        assert_eq!(envs, ["GOOGLE_API_KEY", "OPENAI_API_KEY"]);
        for key in keyed {
            super::super::spec::Spec::parse(&key.model).expect("a profile names its model");
        }
    }
}
