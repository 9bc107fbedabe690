//! Chooses and opens the model: `--model`, `footlight.toml`, an API key in the environment, or
//! `offline`.
//!
//! Invariant: API keys are passed to the library. They are never printed, logged or stored.

use crate::config::Config;
use crate::data::{self, Data};
use crate::exit::ExitError;
use crate::remedy;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use footlight::model::{
    Finished, HttpModel, HttpOptions, KeyedModel, LocalServer, LogRequests, Model, Recorded,
    Request, Script, discover, keyed_models,
};
use footlight_offline::Offline;
use footlight_render::filter;
use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Runtime;

/// Flags that choose the model and log its requests.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ModelFlags {
    /// The model: offline, local, openai:MODEL, anthropic:MODEL, chat:MODEL@URL, script:FILE, …
    #[arg(long, value_name = "MODEL", help_heading = "Model")]
    pub(crate) model: Option<String>,
    /// Write every request to the model to this new file, as JSON lines
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub(crate) log_requests: Option<PathBuf>,
    /// Add to the file of --log-requests if it exists
    #[arg(long, requires = "log_requests", help_heading = "Model")]
    pub(crate) log_requests_append: bool,
    /// Record the model's responses to this new file, for `--model script:FILE`
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub(crate) record: Option<PathBuf>,
}

/// An opened model.
pub(crate) struct SelectedModel {
    pub(crate) model: Arc<dyn Model>,
    /// The value of `--model` that selects it.
    pub(crate) name: String,
    /// Whether it is `offline`, whose text is not an answer.
    pub(crate) is_offline: bool,
    files: ModelFiles,
}

/// The files that the flags name, which are opened once, whatever model is switched to.
#[derive(Clone, Default)]
struct ModelFiles {
    /// The log of the requests.
    log: Option<Arc<File>>,
    recording: Option<Recording>,
}

/// The responses of a model, to be written as a script.
#[derive(Clone)]
struct Recording {
    path: PathBuf,
    steps: Arc<Mutex<Vec<(Request, Finished)>>>,
}

/// Reports whether an environment variable is set and not empty.
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// A model, and why it was chosen. Its `Display` is the sentence for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The name of the model, as a person would type it.
    pub(crate) model: String,
    pub(crate) reason: ChoiceReason,
}

/// Why a model was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChoiceReason {
    /// The flag names it.
    Flag,
    /// The configuration names it.
    Config,
    /// This environment variable holds a key.
    Key(String),
    /// Nothing names a model.
    Default,
}

/// Chooses a model: the flag, then the configuration, then a key in the environment, then
/// `offline`.
///
/// A model server on this machine is never chosen by itself: sending a prompt to whatever listens
/// on a port would surprise the person. `--model local` asks for it.
pub(crate) fn choose(flag: Option<&str>, config: &Config) -> Choice {
    choose_from(flag, config.model.as_deref(), &keyed_models(is_set))
}

fn choose_from(flag: Option<&str>, config: Option<&str>, keyed: &[KeyedModel]) -> Choice {
    let named = |model: Option<&str>| {
        let model = model.map(str::trim).filter(|model| !model.is_empty());
        model.map(str::to_owned)
    };
    let (model, reason) = if let Some(model) = named(flag) {
        (model, ChoiceReason::Flag)
    } else if let Some(model) = named(config) {
        (model, ChoiceReason::Config)
    } else if let Some(keyed) = keyed.first() {
        (keyed.model.clone(), ChoiceReason::Key(keyed.env.clone()))
    } else {
        ("offline".to_owned(), ChoiceReason::Default)
    };
    Choice { model, reason }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = &self.model;
        match &self.reason {
            ChoiceReason::Flag => write!(f, "using `{model}`, as `--model` says"),
            ChoiceReason::Config => write!(
                f,
                "using `{model}`, as `footlight.toml` says; `--model` overrides it"
            ),
            ChoiceReason::Key(env) => write!(
                f,
                "using `{model}` because `{env}` is set: what you type is sent there; \
                 decline with `--model offline`, or `model = \"offline\"` in `footlight.toml`"
            ),
            ChoiceReason::Default => write!(
                f,
                "using `{model}`, which is no language model; choose one with `--model`"
            ),
        }
    }
}

impl SelectedModel {
    /// Opens the model that the flags, the configuration or the environment choose.
    pub(crate) fn open(
        flags: &ModelFlags,
        config: &Config,
        data: &Data,
        runtime: &Runtime,
        ui: &Ui,
    ) -> Result<Self> {
        let choice = choose(flags.model.as_deref(), config);
        let sentence = filter::line(&choice.to_string(), 400);
        if choice.reason != ChoiceReason::Flag && data.is_first_notice(&sentence) {
            ui.dim_note(&sentence);
        }
        let files = ModelFiles::default();
        match (&config.script, &choice.reason) {
            (Some(script), ChoiceReason::Config) => {
                let path = choice.model.trim_start_matches("script:");
                Self::wrapped(Script::parse(path, script)?, flags, files)
            }
            _ => Self::opened(&choice.model, flags, files, runtime),
        }
    }

    /// Opens a model by name.
    pub(crate) fn named(name: &str, flags: &ModelFlags, runtime: &Runtime) -> Result<Self> {
        Self::opened(name, flags, ModelFiles::default(), runtime)
    }

    /// Opens another model by name, whose requests and responses go where those of this one go.
    pub(crate) fn switched_to(
        &self,
        name: &str,
        flags: &ModelFlags,
        runtime: &Runtime,
    ) -> Result<Self> {
        Self::opened(name, flags, self.files.clone(), runtime)
    }

    fn opened(
        name: &str,
        flags: &ModelFlags,
        files: ModelFiles,
        runtime: &Runtime,
    ) -> Result<Self> {
        match name.split_once(':') {
            None if name == "offline" => Self::wrapped(Offline::default(), flags, files),
            Some(("script", path)) => {
                // The session may be resumed from another folder.
                let path = Path::new(path).canonicalize();
                let path = path.with_context(|| format!("cannot open the script of `{name}`"))?;
                Self::wrapped(Script::load(path)?, flags, files)
            }
            _ => {
                let spec = if name == "local" {
                    local(runtime)?
                } else {
                    name.to_owned()
                };
                let key = |name: &str| std::env::var(name).ok();
                let opened = HttpModel::open(&spec, key, HttpOptions::default());
                let opened =
                    opened.map_err(|error| ExitError::usage(remedy::describe(&error.into())))?;
                Self::wrapped(opened, flags, files)
            }
        }
    }

    fn wrapped(model: impl Model, flags: &ModelFlags, files: ModelFiles) -> Result<Self> {
        let name = model.name().to_owned();
        let files = files.with(flags)?;
        let model: Arc<dyn Model> = match (&files.log, &files.recording) {
            (None, None) => Arc::new(model),
            (Some(log), None) => Arc::new(LogRequests::new(model, Arc::clone(log))),
            (None, Some(recording)) => Arc::new(recording.of(model)),
            (Some(log), Some(recording)) => {
                Arc::new(LogRequests::new(recording.of(model), Arc::clone(log)))
            }
        };
        Ok(Self {
            is_offline: name == "offline",
            model,
            name,
            files,
        })
    }

    /// Returns the name, filtered for display.
    pub(crate) fn display_name(&self) -> String {
        filter::line(&self.name, 100)
    }

    /// Writes the recording, if there is one.
    pub(crate) fn save(&self) -> Result<()> {
        let recording = self.files.recording.as_ref();
        recording.map_or(Ok(()), Recording::save)
    }
}

impl ModelFiles {
    /// Opens the files that are not open yet. Both are opened before the first request, so that a path
    /// that cannot be written fails early.
    fn with(mut self, flags: &ModelFlags) -> Result<Self> {
        if let (None, Some(path)) = (&self.log, &flags.log_requests) {
            let opened = match flags.log_requests_append {
                true => append(path),
                false => create(path, "; add to it with `--log-requests-append`,"),
            };
            self.log = Some(Arc::new(opened?));
        }
        if let (None, Some(path)) = (&self.recording, &flags.record) {
            create(path, ";")?;
            self.recording = Some(Recording {
                path: path.clone(),
                steps: Arc::default(),
            });
        }
        Ok(self)
    }
}

impl Recording {
    fn of<M: Model>(&self, model: M) -> Recorded<M> {
        let steps = Arc::clone(&self.steps);
        Recorded::new(model, move |request: &Request, finished: &Finished| {
            let mut steps = steps.lock().unwrap_or_else(PoisonError::into_inner);
            steps.push((request.clone(), finished.clone()));
        })
    }

    fn save(&self) -> Result<()> {
        let steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let script = Script::write(steps.iter().map(|(request, finished)| (request, finished)));
        // This process has created the file.
        let file = data::open_private(&self.path, |options| {
            options.write(true).create(true).truncate(true)
        });
        file.and_then(|mut file| file.write_all(script.as_bytes()))
            .with_context(|| format!("cannot write `{}`", data::display_path(&self.path)))
    }
}

/// Creates a private file: conversations are not for other users. One that has content is never
/// overwritten; `remedy` stands before the advice to name another one.
fn create(path: &Path, remedy: &str) -> Result<File> {
    let is_taken = |there: &fs::Metadata| there.is_file() && there.len() > 0;
    if fs::metadata(path).is_ok_and(|there| is_taken(&there)) {
        let name = data::display_path(path);
        return Err(ExitError::usage(format!(
            "`{name}` already exists{remedy} name another file, or delete it"
        )));
    }
    append(path)
}

/// Opens a file to write at its end, or creates it for its owner alone.
fn append(path: &Path) -> Result<File> {
    let file = data::open_private(path, |options| options.append(true).create(true));
    file.with_context(|| format!("cannot write `{}`", data::display_path(path)))
}

/// Returns a model of a server on this machine.
fn local(runtime: &Runtime) -> Result<String> {
    let servers = runtime.block_on(discover());
    servers.iter().find_map(LocalServer::spec).ok_or_else(|| {
        anyhow!(
            "no model server on this machine; start one, such as `ollama serve`, or use `--model offline`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_are_filtered_for_display() {
        let flags = ModelFlags::default();
        let mut chosen = SelectedModel::wrapped(Offline::default(), &flags, ModelFiles::default())
            .expect("is there");
        chosen.name = format!("script:a\u{1b}[2Jb\n{}", "c".repeat(200));
        let shown = chosen.display_name();
        assert!(shown.starts_with("script:ab ccc"), "{shown:?}");
        assert_eq!(shown.chars().count(), 100);
    }

    fn keyed() -> Vec<KeyedModel> {
        let keyed = keyed_models(|env| env == "ANTHROPIC_API_KEY" || env == "OPENAI_API_KEY");
        assert_eq!(keyed.len(), 2);
        keyed
    }

    #[test]
    fn the_flag_beats_the_configuration_beats_a_key_beats_offline() {
        let keyed = keyed();
        let (model, env) = (keyed[0].model.as_str(), keyed[0].env.clone());
        for (choice, model, reason) in [
            (
                choose_from(Some("f"), Some("c"), &keyed),
                "f",
                ChoiceReason::Flag,
            ),
            (
                choose_from(None, Some("c"), &keyed),
                "c",
                ChoiceReason::Config,
            ),
            (
                choose_from(Some(" "), None, &keyed),
                model,
                ChoiceReason::Key(env),
            ),
            (
                choose_from(None, Some(""), &[]),
                "offline",
                ChoiceReason::Default,
            ),
        ] {
            assert_eq!((choice.model.as_str(), choice.reason), (model, reason));
        }
    }

    #[test]
    fn a_model_that_a_key_chose_is_named_with_the_way_to_decline() {
        let keyed = keyed();
        let sentence = choose_from(None, None, &keyed).to_string();
        for word in [
            keyed[0].model.as_str(),
            keyed[0].env.as_str(),
            "--model offline",
        ] {
            assert!(sentence.contains(word), "{sentence}");
        }
    }
}
