//! The backend of a scripted stage, which behaves like a host as far as a test can observe.

use super::manifest::{Admitted, Destination};
use super::script::{Line, Reply};
use super::widget::{self, ShownHandle};
use super::{RequestedApproval, SentRequest, Stage, StoredOutput, World, folder};
use crate::backend::{Backend, BucketBackend, WriterBackend};
use crate::{
    Approval, ApprovalError, AskError, DisplayError, HttpError, Level, Output, OutputError,
    Request, Response, Result, Scope, StateError,
};
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::limits;
use footlight_vocabulary::manifest::Limits as ManifestLimits;
use footlight_vocabulary::question::Question;
use footlight_vocabulary::widget::WidgetParts;
use serde_json::Value;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

impl Backend for Stage {
    fn show(&self, widget: WidgetParts) -> Result<ShownHandle, DisplayError> {
        self.world.borrow().refuse_if_cancelled()?;
        widget::show(&self.world, widget)
    }

    fn ask(&self, prompt: &str, fields: &str) -> Result<String, AskError> {
        self.world.borrow().refuse_if_cancelled()?;
        let fields = serde_json::from_str(fields).map_err(invalid)?;
        let question = Question::parse(prompt, fields).map_err(invalid)?;
        if self.world.borrow().asked.len() >= limits::ASKS {
            let message = format!("a call can ask {} questions", limits::ASKS);
            return Err(AskError::Other(message));
        }
        self.world.borrow_mut().asked.push(question.clone());
        match self.play(Line::Ask(prompt.to_owned())) {
            Reply::Answer(given) => match question.check(given) {
                Ok(answer) => Ok(Value::Object(answer.values().clone()).to_string()),
                Err(error) => panic!("the scripted answer to {prompt:?} is not valid: {error}"),
            },
            Reply::Skip => Err(AskError::Skipped),
            _ => Err(AskError::Nobody(
                "no terminal or page is connected".to_owned(),
            )),
        }
    }

    fn request(&self, approval: &Approval, details: Option<&str>) -> Result<(), ApprovalError> {
        self.world.borrow().refuse_if_cancelled()?;
        let (action, line) = (&approval.action, Line::Approval(approval.action.clone()));
        // A scripted refusal tests what a host says to it.
        if !matches!(self.scripted(&line), Some(Reply::Undeclared)) {
            self.if_checked(|declared| declared.check_approval(action));
        }
        let details = limits::check_approval(&approval.subject, &approval.reason, details);
        let details = details.map_err(ApprovalError::Other)?;
        if self.world.borrow().requests.len() >= limits::APPROVALS {
            let why = "this call has requested approval too often".to_owned();
            return Err(ApprovalError::Denied(Some(why)));
        }
        self.world.borrow_mut().requests.push(RequestedApproval {
            action: action.clone(),
            subject: approval.subject.clone(),
            reason: approval.reason.clone(),
            details,
        });
        match self.play(line) {
            Reply::Deny(comment) => Err(ApprovalError::Denied(
                Some(comment).filter(|comment| !comment.is_empty()),
            )),
            Reply::Undeclared => Err(ApprovalError::Undeclared),
            _ => {
                let approved = &mut self.world.borrow_mut().approved;
                *approved.entry(action.clone()).or_default() += 1;
                Ok(())
            }
        }
    }

    fn create(&self, output: &Output, meta: Option<&str>) -> Result<WriterHandle, OutputError> {
        self.world.borrow().refuse_if_cancelled()?;
        for (bytes, most) in [
            (
                output.title.len() + output.kind.len() + output.mime_type.len(),
                limits::OUTPUT_WORDS,
            ),
            (meta.map_or(0, str::len), limits::OUTPUT_META),
        ] {
            if bytes > most {
                return Err(OutputError::TooLarge(most as u64));
            }
        }
        self.world.borrow_mut().begun_outputs += 1;
        if self.world.borrow().begun_outputs > limits::OUTPUTS {
            return Err(OutputError::Full);
        }
        let output = StoredOutput {
            id: String::new(),
            title: output.title.clone(),
            kind: output.kind.clone(),
            mime_type: output.mime_type.clone(),
            content: Vec::new(),
        };
        Ok(WriterHandle {
            world: Rc::clone(&self.world),
            output: RefCell::new(output),
        })
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, OutputError> {
        let world = self.world.borrow();
        world.refuse_if_cancelled()?;
        let output = world.outputs.iter().find(|output| output.id == id);
        let content = &output.ok_or(OutputError::Expired)?.content;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(content
            .iter()
            .copied()
            .skip(offset)
            .take((length as usize).min(limits::OUTPUT_CHUNK))
            .collect())
    }

    fn bucket(&self, scope: Scope) -> BucketHandle {
        BucketHandle {
            world: Rc::clone(&self.world),
            scope,
        }
    }

    fn fetch(&self, request: Request) -> Result<Response, HttpError> {
        self.world.borrow().refuse_if_cancelled()?;
        let line = Line::Http(format!("{} {}", request.method, request.url));
        let world = self.world.borrow();
        if world.no_network && !world.script.has(&line) {
            let remedy = "no network is granted to this plugin".to_owned();
            return Err(HttpError::Denied(remedy));
        }
        drop(world);
        // A scripted failure can be the host's refusal.
        let fails = matches!(self.scripted(&line), Some(Reply::HttpError(_)));
        let secrets = if fails {
            Ok(Vec::new())
        } else {
            self.admit(&request)
        };
        self.world.borrow_mut().sent.push(SentRequest {
            method: request.method,
            url: request.url,
            headers: request.headers,
            body: request.body,
            secrets: secrets.clone().unwrap_or_default(),
        });
        secrets?;
        match self.play(line) {
            Reply::Response(response) => Ok(response),
            Reply::HttpError(error) => Err(error),
            _ => Err(HttpError::Other("the script has no response".to_owned())),
        }
    }

    fn report(&self, message: &str, done: Option<u64>, total: Option<u64>) {
        let report = match (done, total) {
            (Some(done), Some(total)) => format!("{message} ({done} of {total})"),
            _ => message.to_owned(),
        };
        if !self.is_cancelled() {
            self.world.borrow_mut().progress.push(report);
        }
    }

    fn write_log(&self, level: Level, message: &str) {
        let mut world = self.world.borrow_mut();
        world.logs.push((level, message.to_owned()));
    }

    fn settings(&self) -> String {
        self.world.borrow().settings.clone()
    }

    fn folder(&self, path: &str) -> PathBuf {
        folder::path(self, path)
    }
}

/// The answer of each interface to a cancelled call.
pub(super) trait CancelledError {
    fn cancelled() -> Self;
}

macro_rules! cancelled_errors {
    ($($error:ident => $answer:expr;)+) => {$(
        impl CancelledError for $error {
            fn cancelled() -> Self {
                $answer
            }
        }
    )+};
}

cancelled_errors! {
    DisplayError => DisplayError::Removed;
    AskError => AskError::Cancelled;
    ApprovalError => ApprovalError::Cancelled;
    OutputError => OutputError::Other("the call was cancelled".to_owned());
    StateError => StateError::Other("the call was cancelled".to_owned());
    HttpError => HttpError::Cancelled;
}

impl World {
    /// Fails once the call is cancelled: as in a host, nothing acts any more.
    pub(super) fn refuse_if_cancelled<E: CancelledError>(&self) -> Result<(), E> {
        match self.cancelled {
            true => Err(E::cancelled()),
            false => Ok(()),
        }
    }
}

impl Stage {
    fn play(&self, line: Line) -> Reply {
        self.world.borrow_mut().script.play(&line)
    }

    /// Returns the reply to a line, which stays in the script.
    fn scripted(&self, line: &Line) -> Option<Reply> {
        self.world.borrow().script.find(line).cloned()
    }

    /// Decides about a request as a host does, and returns the names of the secrets that it adds.
    fn admit(&self, request: &Request) -> Result<Vec<String>, HttpError> {
        if request.body.len() > limits::REQUEST_BODY {
            return Err(HttpError::TooLarge(limits::REQUEST_BODY as u64));
        }
        if self.world.borrow().sent.len() >= limits::REQUESTS as usize {
            let message = format!("a call can send {} requests", limits::REQUESTS);
            return Err(HttpError::Other(message));
        }
        let admitted = self.if_checked(|declared| {
            let to = Destination::parse(&request.method, &request.url);
            to.map(|to| declared.admit(&to)).map_err(HttpError::Other)
        });
        let Some(Admitted { approval, secrets }) = admitted.transpose()? else {
            return Ok(Vec::new());
        };
        let world = &mut *self.world.borrow_mut();
        if let Some(name) = secrets
            .iter()
            .find(|name| world.missing_secrets.contains(*name))
        {
            let message = format!("the secret `{name}` has no value; the person can set one");
            return Err(HttpError::Denied(message));
        }
        if let Some(action) = approval {
            let unused = world
                .approved
                .get_mut(&action)
                .filter(|unused| **unused > 0);
            let unused = unused.ok_or_else(|| {
                let message =
                    format!("the request needs an approval of `{action}`: request it first");
                HttpError::Denied(message)
            })?;
            *unused -= 1;
        }
        Ok(secrets)
    }
}

fn invalid(error: impl std::fmt::Display) -> AskError {
    AskError::Invalid(error.to_string())
}

/// A bucket of the scripted state.
pub(crate) struct BucketHandle {
    world: Rc<RefCell<World>>,
    scope: Scope,
}

impl BucketBackend for BucketHandle {
    fn get(&self, key: &str) -> Result<Option<String>, StateError> {
        let (world, key) = (self.world.borrow(), (self.scope, key.to_owned()));
        world.refuse_if_cancelled()?;
        Ok(world.state.get(&key).cloned())
    }

    fn set(&self, key: &str, value: Option<&str>) -> Result<(), StateError> {
        self.world.borrow().refuse_if_cancelled()?;
        self.check_room(key, value)?;
        let key = (self.scope, key.to_owned());
        let state = &mut self.world.borrow_mut().state;
        match value {
            Some(value) => state.insert(key, value.to_owned()),
            None => state.remove(&key),
        };
        Ok(())
    }

    fn swap(&self, key: &str, old: Option<&str>, new: Option<&str>) -> Result<bool, StateError> {
        // As in the host, values are compared as JSON, and text that is not JSON equals only itself.
        let same = |a: &str, b: &str| {
            let read = |json: &str| serde_json::from_str::<Value>(json).ok();
            a == b || read(a).is_some_and(|a| Some(a) == read(b))
        };
        let matches = match (self.get(key)?.as_deref(), old) {
            (None, None) => true,
            (Some(held), Some(old)) => same(held, old),
            _ => false,
        };
        if matches {
            self.set(key, new)?;
        }
        Ok(matches)
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, StateError> {
        let world = self.world.borrow();
        world.refuse_if_cancelled()?;
        let is_listed = |key: &&(Scope, String)| key.0 == self.scope && key.1.starts_with(prefix);
        let keys = world.state.keys().filter(is_listed);
        Ok(keys.map(|(_, key)| key.clone()).collect())
    }
}

/// An output being written on a scripted stage.
pub(crate) struct WriterHandle {
    world: Rc<RefCell<World>>,
    output: RefCell<StoredOutput>,
}

impl BucketHandle {
    /// Checks that a value is valid, and that the bucket has room for it.
    fn check_room(&self, key: &str, value: Option<&str>) -> Result<(), StateError> {
        let Some(value) = value else { return Ok(()) };
        for (bytes, most) in [
            (key.len(), limits::STATE_KEY),
            (value.len(), limits::STATE_VALUE),
        ] {
            if bytes > most {
                return Err(StateError::TooLarge(most as u64));
            }
        }
        let form = Limits {
            bytes: limits::STATE_VALUE,
            depth: 64,
        };
        json::parse(value, form)
            .map_err(|error| StateError::Other(format!("the value: {error}")))?;
        let world = self.world.borrow();
        let others = world.state.iter();
        let others = others.filter(|((scope, other), _)| *scope == self.scope && other != key);
        let (count, bytes) = others.fold((1, key.len() + value.len()), |(count, bytes), entry| {
            (count + 1, bytes + entry.0.1.len() + entry.1.len())
        });
        match count > limits::STATE_KEYS || bytes > limits::STATE_TOTAL {
            true => Err(StateError::Full),
            false => Ok(()),
        }
    }
}

impl WriterBackend for WriterHandle {
    fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        self.world.borrow().refuse_if_cancelled()?;
        if bytes.len() > limits::OUTPUT_CHUNK {
            return Err(OutputError::TooLarge(limits::OUTPUT_CHUNK as u64));
        }
        let world = &mut *self.world.borrow_mut();
        let manifest = world
            .declared
            .as_ref()
            .and_then(|declared| declared.manifest.as_ref());
        let most = manifest
            .map_or(ManifestLimits::DEFAULT, |manifest| manifest.limits)
            .output;
        world.output_bytes += bytes.len() as u64;
        if world.output_bytes > most {
            return Err(OutputError::Full);
        }
        self.output.borrow_mut().content.extend_from_slice(bytes);
        Ok(())
    }

    fn finish(self) -> Result<String, OutputError> {
        let mut world = self.world.borrow_mut();
        world.refuse_if_cancelled()?;
        let mut output = self.output.into_inner();
        output.id = format!("out_0_{:06}", world.outputs.len());
        let id = output.id.clone();
        world.outputs.push(output);
        Ok(id)
    }
}
