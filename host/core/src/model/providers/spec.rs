//! What a person types to name a model: `openai:gpt-6-sol`, `chat:qwen3@http://127.0.0.1:8080/v1`.
//!
//! Invariant: a provider's own key goes to the provider's own address alone. Where a person names
//! another address, only the key that is meant for such addresses goes there.

use super::key::Key;
use super::profile;
use super::profile::{KeyPlace, Profile};
use crate::model::{ModelError, ModelErrorKind};
use reqwest::Url;

/// A model and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// As it was typed.
    pub text: String,
    /// Who serves it.
    pub profile: Profile,
    /// What they call it.
    pub model: String,
    pub(crate) base: Url,
}

impl Spec {
    /// Reads `<profile>:<model>` or `<profile>:<model>@<url>`.
    ///
    /// # Errors
    /// When the profile is not known, or the address is missing or cannot be used.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let profile = Profile::named(name).ok_or_else(|| {
            let known: Vec<_> = profile::all().iter().map(|p| p.name.as_str()).collect();
            wrong(format!(
                "no provider is called `{name}`: use one of {}, or `offline`",
                known.join(", ")
            ))
        })?;
        // Names of models may hold an `@` of their own.
        let at = rest.find("@http://").or_else(|| rest.find("@https://"));
        let (model, url) = match at {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        if model.is_empty() || model.chars().any(|c| c.is_control() || c.is_whitespace()) {
            let example = profile.model.as_deref().unwrap_or("<model>");
            return Err(wrong(format!(
                "`{text}` names no model: write `{name}:{example}`"
            )));
        }
        let url = url.or(profile.base.as_deref()).ok_or_else(|| {
            wrong(format!(
                "`{text}` names no address: write `{name}:{model}@http://host:port/v1`"
            ))
        })?;
        Ok(Self {
            text: text.to_owned(),
            profile: profile.clone(),
            model: model.to_owned(),
            base: address(url)?,
        })
    }

    /// Finds the key that may go to this address.
    ///
    /// # Errors
    /// When the provider wants a key and there is none, or it cannot be sent there safely.
    pub(crate) fn key(
        &self,
        of: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Key>, ModelError> {
        let Some(place) = self.place() else {
            return Ok(None);
        };
        let found = place.env.iter().find_map(|name| Some((name, of(name)?)));
        let Some((name, text)) = found.filter(|(_, text)| !text.trim().is_empty()) else {
            return if self.is_home() && self.base.scheme() == "https" {
                Err(ModelError {
                    kind: ModelErrorKind::Key,
                    message: format!(
                        "there is no key for `{}`: set `{}`, or use `--model offline`",
                        self.profile.name, place.env[0]
                    ),
                })
            } else {
                Ok(None)
            };
        };
        let key = Key::new(&text).map_err(|bad| ModelError {
            kind: ModelErrorKind::Key,
            message: format!("`{name}` cannot be used: {bad}"),
        })?;
        if self.base.scheme() != "https" && !is_loopback(&self.base) {
            return Err(wrong(format!(
                "the key in `{name}` would cross the network in the clear: use https, or unset it"
            )));
        }
        Ok(Some(key))
    }

    fn place(&self) -> Option<&KeyPlace> {
        if self.is_home() {
            return self.profile.key.as_ref();
        }
        let elsewhere = Profile::named("chat").expect("it is embedded");
        elsewhere.key.as_ref()
    }

    /// Whether the address is the provider's own.
    fn is_home(&self) -> bool {
        let home = self
            .profile
            .base
            .as_deref()
            .and_then(|base| Url::parse(base).ok());
        home.is_some_and(|home| home.origin() == self.base.origin())
    }
}

fn address(text: &str) -> Result<Url, ModelError> {
    let url = Url::parse(text).ok();
    let usable = |url: &Url| {
        let plain = url.username().is_empty() && url.password().is_none();
        plain && url.has_host() && url.query().is_none() && url.fragment().is_none()
    };
    url.filter(usable).ok_or_else(|| {
        // The text may hold a password, so it is not repeated.
        wrong(
            "the address cannot be used: write it as `https://host/path`, without a password"
                .to_owned(),
        )
    })
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host
            .parse::<std::net::Ipv4Addr>()
            .is_ok_and(|ip| ip.is_loopback()),
        None => false,
    }
}

fn wrong(message: String) -> ModelError {
    ModelError {
        kind: ModelErrorKind::Refused,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        Spec::parse(text).expect(text)
    }

    fn all_set(name: &str) -> Option<String> {
        Some(format!("key-of-{name}"))
    }

    fn key(text: &str) -> Option<String> {
        let key = spec(text).key(all_set).expect(text);
        key.map(|key| key.reveal().to_owned())
    }

    #[test]
    fn a_spec_names_provider_model_and_address() {
        let read = |text: &str| {
            let spec = spec(text);
            (spec.profile.name, spec.model, spec.base.to_string())
        };
        let expect = |name: &str, model: &str, base: &str| {
            (name.to_owned(), model.to_owned(), base.to_owned())
        };
        assert_eq!(
            read("openai:gpt-6-sol"),
            expect("openai", "gpt-6-sol", "https://api.openai.com/v1")
        );
        assert_eq!(
            read("openrouter:meta/llama:free"),
            expect(
                "openrouter",
                "meta/llama:free",
                "https://openrouter.ai/api/v1"
            )
        );
        assert_eq!(
            read("chat:a@2024@http://box:8000/v1"),
            expect("chat", "a@2024", "http://box:8000/v1")
        );
    }

    #[test]
    fn what_is_no_spec_is_refused_with_a_remedy() {
        for text in [
            "",
            "gpt-5",
            "openai",
            "openai:",
            "nobody:x",
            "chat:x",
            "chat:x@ftp://h",
            "chat:x y@http://h",
            "chat:x@http://me:hunter2@h/v1",
            "chat:x@http://",
            "chat:x@https://h/v1?k=1",
        ] {
            let error = Spec::parse(text).expect_err(text);
            assert!(!error.message.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_provider_s_key_goes_to_its_own_address_alone() {
        assert_eq!(key("openai:m").as_deref(), Some("key-of-OPENAI_API_KEY"));
        assert_eq!(
            key("openai:m@https://api.openai.com/v2").as_deref(),
            Some("key-of-OPENAI_API_KEY")
        );
        for elsewhere in [
            "openai:m@https://api.openai.com.evil.example/v1",
            "openai:m@https://api.openai.com:444/v1",
            "anthropic:m@http://127.0.0.1:9/v1",
            "chat:m@https://host/v1",
        ] {
            assert_eq!(
                key(elsewhere).as_deref(),
                Some("key-of-FOOTLIGHT_MODEL_KEY"),
                "{elsewhere}"
            );
        }
        assert_eq!(key("ollama:m"), None);
    }

    #[test]
    fn a_key_does_not_cross_the_network_in_the_clear() {
        let lan = spec("chat:m@http://192.0.2.7:8000/v1");
        let error = lan.key(all_set).expect_err("it is not loopback");
        assert!(!error.message.contains("key-of"), "{error}");
        assert_eq!(lan.key(|_| None), Ok(None));
        assert!(key("chat:m@http://127.9.9.9:1/v1").is_some());
        assert!(key("chat:m@http://[::1]:1/v1").is_some());
    }

    #[test]
    fn a_missing_key_is_said_where_one_is_needed() {
        let error = spec("anthropic:m").key(|_| None).expect_err("it needs one");
        assert_eq!(error.kind, ModelErrorKind::Key);
        assert!(error.message.contains("ANTHROPIC_API_KEY"), "{error}");
        assert_eq!(spec("vllm:m").key(|_| Some(" ".to_owned())), Ok(None));
    }
}
