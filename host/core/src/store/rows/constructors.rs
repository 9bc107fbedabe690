//! Constructors of rows, with what most rows have. Rows gain members, so that other crates cannot list them.

use super::{CallRow, CallState, SessionRow, Snapshot, StepRow, TurnRow};
use crate::host::LOCAL_PERSON;
use crate::model::Finished;
use footlight_vocabulary::event::Origin;
use footlight_vocabulary::item::{CallId, SessionId, Timestamp, TurnId};
use serde_json::{Map, Value};

impl SessionRow {
    /// Creates a session of the local person, without a title and without turns.
    #[must_use]
    pub fn new(id: SessionId, created: Timestamp) -> Self {
        Self {
            id,
            person: LOCAL_PERSON.to_owned(),
            created,
            updated: created,
            title: String::new(),
            turns: 0,
            meta: Map::new(),
            tainted: false,
        }
    }
}

impl TurnRow {
    /// Creates a running turn that no press started.
    pub fn new(
        n: u32,
        id: TurnId,
        prompt: impl Into<String>,
        origin: Origin,
        start: Timestamp,
    ) -> Self {
        Self {
            n,
            id,
            prompt: prompt.into(),
            origin,
            item: None,
            rev: None,
            path: None,
            asks_model: false,
            retries: None,
            retracted: false,
            start,
            status: None,
        }
    }

    /// Reports whether a step is the call of a press and not an answer of the model.
    pub(crate) fn is_press_step(&self, step: u32) -> bool {
        self.origin == Origin::Action && step == 1
    }
}

impl StepRow {
    /// Creates a step.
    pub fn new(turn: u32, step: u32, model: impl Into<String>, finished: Finished) -> Self {
        Self {
            turn,
            step,
            model: model.into(),
            finished,
        }
    }
}

impl CallRow {
    /// Creates a call that a model has requested, at its place: turn, step and number.
    pub fn new(
        id: CallId,
        (turn, step, n): (u32, u32, u32),
        function: impl Into<String>,
        input: Value,
    ) -> Self {
        Self {
            id,
            turn,
            step,
            n,
            function: function.into(),
            input,
            state: CallState::Proposed,
            reply: None,
            model_text: None,
            digest: None,
            read_only: false,
        }
    }
}

impl Snapshot {
    /// Creates a session without contents.
    #[must_use]
    pub fn new(session: SessionRow) -> Self {
        Self {
            session,
            turns: Vec::new(),
            steps: Vec::new(),
            calls: Vec::new(),
            items: Vec::new(),
            pending: Vec::new(),
            summary: None,
            seq: 0,
        }
    }
}
