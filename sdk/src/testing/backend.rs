//! The backend of a scripted stage, which behaves like a host as far as a test can observe.

use super::script::{Line, Reply};
use super::{RequestedApproval, ShownWidget, Stage, StoredOutput, World};
use crate::backend::{Backend, BucketBackend, ShownBackend, WriterBackend};
use crate::{
    Approval, ApprovalError, AskError, DisplayError, HttpError, Level, Output, OutputError,
    Request, Response, Result, Scope, StateError,
};
use footlight_vocabulary::question::Question;
use footlight_vocabulary::widget::{MAX_DATA, MAX_VIEW, WidgetParts};
use footlight_vocabulary::{component, json};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

impl Backend for Stage {
    fn show(&self, widget: WidgetParts) -> Result<ShownHandle, DisplayError> {
        self.world.borrow().refuse_if_cancelled()?;
        let shown = read_widget(widget)?;
        let mut world = self.world.borrow_mut();
        if world.shown.len() >= MAX_WIDGETS {
            return Err(DisplayError::TooMany(MAX_WIDGETS as u32));
        }
        world.shown.push(Some(shown));
        Ok(ShownHandle {
            world: Rc::clone(&self.world),
            index: world.shown.len() - 1,
        })
    }

    fn ask(&self, prompt: &str, fields: &str) -> Result<String, AskError> {
        self.world.borrow().refuse_if_cancelled()?;
        let fields = serde_json::from_str(fields).map_err(invalid)?;
        let question = Question::parse(prompt, fields).map_err(invalid)?;
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
        let details = details.map(|details| serde_json::from_str(details).unwrap_or_default());
        self.world.borrow_mut().requests.push(RequestedApproval {
            action: approval.action.clone(),
            subject: approval.subject.clone(),
            reason: approval.reason.clone(),
            details,
        });
        match self.play(Line::Approval(approval.action.clone())) {
            Reply::Deny(comment) => Err(ApprovalError::Denied(
                Some(comment).filter(|comment| !comment.is_empty()),
            )),
            _ => Ok(()),
        }
    }

    fn create(&self, output: &Output, _: Option<&str>) -> Result<WriterHandle, OutputError> {
        self.world.borrow().refuse_if_cancelled()?;
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
            .take(length as usize)
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
}

/// The answer of each interface to a cancelled call.
trait CancelledError {
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
    fn refuse_if_cancelled<E: CancelledError>(&self) -> Result<(), E> {
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
}

fn invalid(error: impl std::fmt::Display) -> AskError {
    AskError::Invalid(error.to_string())
}

/// The most widgets that a host shows in one call.
const MAX_WIDGETS: usize = 100;

/// Parses a widget with the checks that a host makes.
fn read_widget(widget: WidgetParts) -> Result<ShownWidget, DisplayError> {
    let read = |text: &str, bytes: usize| {
        if text.len() > bytes {
            return Err(DisplayError::TooLarge(bytes as u64));
        }
        let limits = json::Limits {
            bytes,
            ..json::Limits::default()
        };
        json::parse(text, limits).map_err(|error| DisplayError::Other(error.to_string()))
    };
    let data = read(&widget.data, MAX_DATA)?;
    let view = widget.view.as_deref().map(|view| read(view, MAX_VIEW));
    let view = view.transpose()?;
    if let Some(view) = &view {
        component::check(view).map_err(|problems| {
            DisplayError::Other(format!("the view is malformed: {problems}"))
        })?;
    }
    Ok(ShownWidget {
        widget: widget.widget,
        data,
        fallback: widget.fallback,
        view,
    })
}

/// The handle of a widget on a scripted stage.
pub(crate) struct ShownHandle {
    world: Rc<RefCell<World>>,
    index: usize,
}

impl ShownHandle {
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Option<ShownWidget>) -> T,
    ) -> Result<T, DisplayError> {
        self.world.borrow().refuse_if_cancelled()?;
        match self.world.borrow_mut().shown.get_mut(self.index) {
            Some(slot @ Some(_)) => Ok(change(slot)),
            _ => Err(DisplayError::Removed),
        }
    }
}

impl ShownBackend for ShownHandle {
    fn id(&self) -> String {
        format!("widget_{}", self.index)
    }

    fn update(&self, widget: WidgetParts) -> Result<(), DisplayError> {
        let shown = read_widget(widget)?;
        self.change(|slot| *slot = Some(shown))
    }

    fn append_text(&self, node: &str, text: &str) -> Result<(), DisplayError> {
        let found = self.change(|slot| {
            let view = slot.as_mut().and_then(|shown| shown.view.as_mut());
            view.and_then(|view| component::text_value_mut(view, node))
                .map(|value| value.push_str(text))
                .is_some()
        })?;
        let missing = || DisplayError::Other(format!("the view has no text with the id `{node}`"));
        found.then_some(()).ok_or_else(missing)
    }

    fn remove(&self) -> Result<(), DisplayError> {
        self.change(|slot| *slot = None)
    }
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

impl WriterBackend for WriterHandle {
    fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        self.world.borrow().refuse_if_cancelled()?;
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
