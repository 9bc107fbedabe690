//! The live stream of a session, which goes on after a lost connection.
//!
//! A task reads the stream while this process prompts the person, so that a prompt ends when somebody
//! else answers. It stops reading when [`MAX_WAITING`] frames wait; the server then ends the stream, and
//! it continues where it stopped.

use super::client::{Client, MAX_ANSWER, ServerError, TRIES, pause};
use super::frame::{Frame, RequestOrigin};
use crate::terminal::keyboard::Dismissal;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{CallId, CallResult, Content, Item, RequestId, SessionId};
use reqwest::Response;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many frames wait to be read.
const MAX_WAITING: usize = 1_024;

/// What the stream brings.
pub(crate) enum Arrival {
    Frame(Frame),
    /// The connection was lost, and is tried again.
    Lost,
    /// The connection is there again. Text that was being streamed was missed in part.
    Found,
    /// The stream cannot be continued.
    Ended(ServerError),
}

/// The live stream of a session.
pub(crate) struct Events {
    arrivals: mpsc::Receiver<Arrival>,
    task: JoinHandle<()>,
    pub(crate) prompts: Prompts,
}

impl Events {
    /// Follows a session after an event.
    ///
    /// # Errors
    /// When the server cannot be reached, or does not know the session.
    pub(crate) async fn open(
        client: &Arc<Client>,
        session: &SessionId,
        after: u64,
    ) -> Result<Self, ServerError> {
        let response = client.events(session.as_str(), after).await?;
        let (sender, arrivals) = mpsc::channel(MAX_WAITING);
        let prompts = Prompts::default();
        let reader = Reader {
            client: Arc::clone(client),
            session: session.clone(),
            after,
            sender,
            prompts: prompts.clone(),
        };
        let task = tokio::spawn(reader.run(response));
        Ok(Self {
            arrivals,
            task,
            prompts,
        })
    }

    pub(crate) async fn next(&mut self) -> Option<Arrival> {
        self.arrivals.recv().await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Reader {
    client: Arc<Client>,
    session: SessionId,
    /// The last stored event that was read.
    after: u64,
    sender: mpsc::Sender<Arrival>,
    prompts: Prompts,
}

impl Reader {
    async fn run(mut self, first: Response) {
        let mut connected = Some(first);
        let mut tries = 0;
        loop {
            let lost = match connected.take() {
                Some(response) => {
                    let is_known = tries > 0;
                    if is_known && self.sender.send(Arrival::Found).await.is_err() {
                        return;
                    }
                    match self.read(response, &mut tries).await {
                        Ok(()) => ServerError::Lost(self.client.url()),
                        Err(error) => error,
                    }
                }
                None => match self.client.events(self.session.as_str(), self.after).await {
                    Ok(response) => {
                        connected = Some(response);
                        continue;
                    }
                    Err(error) => error,
                },
            };
            if !lost.is_passing() || tries == TRIES {
                self.prompts.end();
                // Nobody may be there to read it.
                let _ = self.sender.send(Arrival::Ended(lost)).await;
                return;
            }
            if tries == 0 && self.sender.send(Arrival::Lost).await.is_err() {
                return;
            }
            tries += 1;
            tokio::time::sleep(pause(tries)).await;
        }
    }

    /// Reads one connection to its end. The first frame shows that it works.
    async fn read(&mut self, response: Response, tries: &mut u32) -> Result<(), ServerError> {
        let mut lines = Lines::new(response);
        while let Some(data) = lines.next_data(&self.client).await? {
            let frame: Frame =
                serde_json::from_slice(&data).map_err(|_| self.client.unreadable())?;
            *tries = 0;
            match &frame {
                Frame::Event(event) => self.after = event.seq.unwrap_or(self.after),
                Frame::Snapshot(record) => self.after = record.seq,
                _ => {}
            }
            self.prompts.see(&frame);
            if self.sender.send(Arrival::Frame(frame)).await.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The lines of server-sent events.
struct Lines {
    response: Response,
    buffer: Vec<u8>,
    /// How much of the buffer has no end of a line.
    searched: usize,
}

impl Lines {
    fn new(response: Response) -> Self {
        Self {
            response,
            buffer: Vec::new(),
            searched: 0,
        }
    }

    /// Returns the data of the next event; none at the end of the stream. The server writes each event's
    /// data as one line, since JSON needs no more.
    async fn next_data(&mut self, client: &Client) -> Result<Option<Vec<u8>>, ServerError> {
        loop {
            while let Some(line) = self.take_line() {
                if let Some(data) = line.strip_prefix(b"data: ") {
                    return Ok(Some(data.to_vec()));
                }
            }
            if self.buffer.len() > MAX_ANSWER {
                return Err(client.unreadable());
            }
            let piece = self.response.chunk().await;
            match piece.map_err(|_| ServerError::Lost(client.url()))? {
                Some(piece) => self.buffer.extend_from_slice(&piece),
                None => return Ok(None),
            }
        }
    }

    fn take_line(&mut self) -> Option<Vec<u8>> {
        let found = self.buffer[self.searched..]
            .iter()
            .position(|byte| *byte == b'\n');
        let Some(end) = found.map(|at| self.searched + at) else {
            self.searched = self.buffer.len();
            return None;
        };
        self.searched = 0;
        let mut line: Vec<u8> = self.buffer.drain(..=end).collect();
        line.pop();
        Some(line)
    }
}

/// Ends the prompt of a request that is settled elsewhere.
#[derive(Clone, Default)]
pub(crate) struct Prompts(Arc<Mutex<PromptState>>);

#[derive(Default)]
struct PromptState {
    settled: HashSet<RequestId>,
    /// The call of each request.
    calls: Vec<(RequestId, CallId)>,
    finished: HashSet<CallId>,
    is_over: bool,
    open: Option<(RequestId, Dismissal)>,
}

impl Prompts {
    fn state(&self) -> MutexGuard<'_, PromptState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches the prompt of a request, until [`close`](Self::close).
    pub(crate) fn open(&self, id: &RequestId, dismissal: &Dismissal) {
        dismissal.reset();
        let mut state = self.state();
        state.open = Some((id.clone(), dismissal.clone()));
        state.check();
    }

    pub(crate) fn close(&self) {
        self.state().open = None;
    }

    /// Reports whether a request is settled.
    pub(crate) fn is_settled(&self, id: &RequestId) -> bool {
        self.state().is_settled(id)
    }

    /// Learns from a frame what is settled.
    fn see(&self, frame: &Frame) {
        let mut state = self.state();
        match frame {
            Frame::RequestSettled(settled) => {
                state.settled.insert(settled.request_id.clone());
            }
            Frame::AskRequest { id, payload } => state.learn(id, &payload.extra),
            Frame::ApprovalRequest { id, payload } => state.learn(id, payload),
            Frame::Snapshot(record) => {
                let last = record.turns.last();
                state.is_over = last.is_some_and(|turn| turn.status.is_some());
                state
                    .finished
                    .extend(record.items.iter().filter_map(finished_call));
            }
            Frame::Event(event) => match &event.what {
                EventBody::TurnFinished { .. } => state.is_over = true,
                EventBody::TurnStarted { .. } => state.is_over = false,
                // Whoever was asked before a restart is not asked any more.
                EventBody::Put { item, .. } => state.finished.extend(finished_call(item)),
                _ => return,
            },
            _ => return,
        }
        state.check();
    }

    /// Ends every prompt, because nothing can be settled any more.
    fn end(&self) {
        let mut state = self.state();
        state.is_over = true;
        state.check();
    }
}

/// Returns the call that an item says has ended.
fn finished_call(item: &Item) -> Option<CallId> {
    match &item.content {
        Content::Tool(tool) if !matches!(tool.result, CallResult::Pending { .. }) => {
            Some(CallId::from(item.id.as_str()))
        }
        _ => None,
    }
}

impl PromptState {
    fn learn(&mut self, id: &RequestId, members: &serde_json::Map<String, serde_json::Value>) {
        if !self.calls.iter().any(|(known, _)| known == id) {
            self.calls
                .push((id.clone(), RequestOrigin::of(members).call));
        }
    }

    fn is_settled(&self, id: &RequestId) -> bool {
        let has_ended =
            |(request, call): &(RequestId, CallId)| request == id && self.finished.contains(call);
        self.is_over || self.settled.contains(id) || self.calls.iter().any(has_ended)
    }

    fn check(&self) {
        if let Some((id, dismissal)) = &self.open
            && self.is_settled(id)
        {
            dismissal.dismiss();
        }
    }
}
