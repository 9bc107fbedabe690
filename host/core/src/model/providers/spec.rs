//! The text that names a model: `openai:gpt-6-sol`, `chat:qwen3@http://127.0.0.1:8080/v1`.
//!
//! Invariant: a provider's own key is sent to the provider's own address only. To any other address
//! goes the key that is meant for such addresses.

use super::key::Key;
use super::profile::{KeySource, Profile, profiles};
use crate::model::{ModelError, ModelErrorKind};
use reqwest::Url;

/// A model and its address.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spec {
    /// The text it was parsed from.
    pub(crate) text: String,
    pub(crate) profile: Profile,
    /// The provider's name of the model.
    pub(crate) model: String,
    pub(crate) base: Url,
}

impl Spec {
    /// Parses `<profile>:<model>` or `<profile>:<model>@<url>`.
    pub(crate) fn parse(text: &str) -> Result<Self, ModelError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let profile = Profile::named(name).ok_or_else(|| {
            let known: Vec<_> = profiles().iter().map(|p| p.name.as_str()).collect();
            let known = known.join(", ");
            invalid(format!(
                "no provider is called `{name}`; use one of {known}"
            ))
        })?;
        // The name of a model may contain an `@` too.
        let at = rest.find("@http://").or_else(|| rest.find("@https://"));
        let (model, url) = match at {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        if model.is_empty() || model.chars().any(|c| c.is_control() || c.is_whitespace()) {
            let example = profile.model.as_deref().unwrap_or("<model>");
            let message = format!("`{text}` names no model; write `{name}:{example}`");
            return Err(invalid(message));
        }
        let url = url.or(profile.base.as_deref()).ok_or_else(|| {
            invalid(format!(
                "`{text}` names no address; write `{name}:{model}@http://host:port/v1`"
            ))
        })?;
        Ok(Self {
            text: text.to_owned(),
            profile: profile.clone(),
            model: model.to_owned(),
            base: address(url)?,
        })
    }

    /// Looks up the key that may be sent to this address; `env` reads an environment variable.
    ///
    /// # Errors
    /// When the provider requires a key and there is none, or it cannot be sent safely.
    pub(crate) fn key(
        &self,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Key>, ModelError> {
        let Some(source) = self.key_source() else {
            return Ok(None);
        };
        let found = source.env.iter().find_map(|name| Some((name, env(name)?)));
        let Some((name, text)) = found.filter(|(_, text)| !text.trim().is_empty()) else {
            return if self.is_home() && self.base.scheme() == "https" {
                let (name, env) = (&self.profile.name, &source.env[0]);
                let message = format!("there is no key for `{name}`; set `{env}`");
                Err(ModelError::new(ModelErrorKind::Key, message))
            } else {
                Ok(None)
            };
        };
        let key = Key::new(&text).map_err(|error| {
            ModelError::new(ModelErrorKind::Key, format!("`{name}` cannot be used"))
                .with_source(error)
        })?;
        if self.base.scheme() != "https" && !is_loopback(&self.base) {
            return Err(invalid(format!(
                "the key in `{name}` would cross the network unencrypted; use https, or unset it"
            )));
        }
        Ok(Some(key))
    }

    fn key_source(&self) -> Option<&KeySource> {
        if self.is_home() {
            return self.profile.key.as_ref();
        }
        let elsewhere = Profile::named("chat").expect("it is embedded");
        elsewhere.key.as_ref()
    }

    /// Reports whether the address is the provider's own.
    fn is_home(&self) -> bool {
        let home = self.profile.base.as_deref().map(Url::parse);
        home.is_some_and(|home| home.is_ok_and(|home| home.origin() == self.base.origin()))
    }
}

fn address(text: &str) -> Result<Url, ModelError> {
    let url = Url::parse(text).ok();
    let usable = |url: &Url| {
        let plain = url.username().is_empty() && url.password().is_none();
        plain && url.has_host() && url.query().is_none() && url.fragment().is_none()
    };
    url.filter(usable).ok_or_else(|| {
        // The text may contain a password, so the message does not repeat it.
        invalid("the address cannot be used; write it as `https://host/path`, without a password")
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

fn invalid(message: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::InvalidSpec, message)
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
    fn an_invalid_spec_is_refused_with_a_remedy() {
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
