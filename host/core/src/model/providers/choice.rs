//! Which model is used, and why.
//!
//! A pure function: flag, then configuration, then a key in the environment, then `offline`. What
//! was chosen without being asked for is said with the way to decline.
//!
//! A server found on loopback is never chosen here: sending what a person says to whatever listens
//! on a port would surprise them. `--model local` asks for that.

use std::fmt;

/// What the choice is made from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs<'a> {
    /// `--model`.
    pub flag: Option<&'a str>,
    /// `model` in `footlight.toml`.
    pub config: Option<&'a str>,
    /// Keys that are set, in the order in which they count.
    pub keys: &'a [Keyed],
}

/// A key that is set in the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed {
    /// The variable that holds it.
    pub env: String,
    /// The model it stands for: `openai:gpt-6-sol`.
    pub model: String,
}

/// A model, and why it was chosen. Its `Display` is the sentence for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The model, as a person would type it.
    pub model: String,
    /// Why it is this one.
    pub why: Why,
}

/// Why a model was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The person asked for it.
    Flag,
    /// The configuration names it.
    Config,
    /// This variable of the environment holds a key.
    Key(String),
    /// Nothing else was said.
    Nothing,
}

/// Chooses a model.
#[must_use]
pub fn choose(inputs: Inputs<'_>) -> Choice {
    let named = |model: Option<&str>| {
        model
            .map(str::trim)
            .filter(|m| !m.is_empty())
            .map(str::to_owned)
    };
    let (model, why) = if let Some(model) = named(inputs.flag) {
        (model, Why::Flag)
    } else if let Some(model) = named(inputs.config) {
        (model, Why::Config)
    } else if let Some(key) = inputs.keys.first() {
        (key.model.clone(), Why::Key(key.env.clone()))
    } else {
        ("offline".to_owned(), Why::Nothing)
    };
    Choice { model, why }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = &self.model;
        match &self.why {
            Why::Flag => write!(f, "using `{model}`, as `--model` says"),
            Why::Config => write!(
                f,
                "using `{model}`, as `footlight.toml` says; `--model` overrides it"
            ),
            Why::Key(env) => write!(
                f,
                "using `{model}` because `{env}` is set: what you type is sent there; \
                 decline with `--model offline`, or `model = \"offline\"` in `footlight.toml`"
            ),
            Why::Nothing => write!(
                f,
                "using `{model}`, which is no language model; choose one with `--model`"
            ),
        }
    }
}

/// The keys that are set, of the providers whose profiles name a model.
#[cfg(feature = "models")]
pub fn keys(is_set: impl Fn(&str) -> bool) -> Vec<Keyed> {
    // The order of the profiles is that of the alphabet: it only has to be always the same.
    let named = super::profile::all().iter().filter_map(|profile| {
        let model = profile.model.as_ref()?;
        let env = profile.key.as_ref()?.env.iter().find(|env| is_set(env))?;
        Some(Keyed {
            env: env.clone(),
            model: format!("{}:{model}", profile.name),
        })
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> Vec<Keyed> {
        let keyed = |env: &str, model: &str| Keyed {
            env: env.to_owned(),
            model: model.to_owned(),
        };
        vec![keyed("A_KEY", "a:1"), keyed("B_KEY", "b:1")]
    }

    #[test]
    fn the_flag_beats_the_configuration_beats_a_key_beats_nothing() {
        let set = set();
        let choose = |flag, config, keys| choose(Inputs { flag, config, keys });
        let table = [
            (choose(Some("f"), Some("c"), &set), "f", Why::Flag),
            (choose(None, Some("c"), &set), "c", Why::Config),
            (
                choose(Some(" "), None, &set),
                "a:1",
                Why::Key("A_KEY".to_owned()),
            ),
            (choose(None, Some(""), &[]), "offline", Why::Nothing),
        ];
        for (choice, model, why) in table {
            assert_eq!((choice.model.as_str(), choice.why), (model, why));
        }
    }

    #[test]
    fn a_model_nobody_asked_for_is_said_with_the_way_to_decline() {
        let choice = choose(Inputs {
            keys: &set(),
            ..Inputs::default()
        });
        let said = choice.to_string();
        for word in ["a:1", "A_KEY", "--model offline"] {
            assert!(said.contains(word), "{said}");
        }
    }

    #[cfg(feature = "models")]
    #[test]
    fn only_keys_that_are_set_count_and_each_names_a_model() {
        assert_eq!(keys(|_| false), []);
        let found = keys(|env| env == "GOOGLE_API_KEY" || env == "OPENAI_API_KEY");
        let envs: Vec<_> = found.iter().map(|key| key.env.as_str()).collect();
        assert_eq!(envs, ["GOOGLE_API_KEY", "OPENAI_API_KEY"]);
        for key in found {
            super::super::spec::Spec::parse(&key.model).expect("a profile names its model");
        }
    }
}
