//! Questions of a running call: the person is asked, and the record says what became of it.

use crate::call::pending::{NoReply, QuestionReply};
use crate::call::stage::Stage;
use crate::sandbox::waiting_guests::Waiting;
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::item::{AskState, PendingReason};
use footlight_vocabulary::question::Question;

/// What became of a question.
pub(crate) enum Asked {
    /// The person answered.
    Answer(Answer),
    /// The person skipped it.
    Skipped,
    /// Nobody can be asked.
    Nobody,
    /// Nobody answered in time.
    Expired,
    /// The call was cancelled.
    Cancelled,
    /// The call has asked too often, and nobody was asked.
    TooOften,
}

impl Asked {
    pub(crate) const TOO_OFTEN: &str = "this call has asked too often";
}

impl Stage {
    /// Asks the person and waits. A guest gives its computing slots to others meanwhile.
    pub(crate) async fn ask(&self, question: Question, guest: Option<Waiting<'_>>) -> Asked {
        if !self.attended {
            self.set_no_person();
            return Asked::Nobody;
        }
        let Some(id) = self.open_question(&question) else {
            return Asked::TooOften;
        };
        let (_guard, reply) = self.pending.insert_question(id.clone(), question);
        let reply = self.wait(PendingReason::Waiting, guest, reply).await;
        let (state, asked) = match reply {
            Some(Ok(QuestionReply::Answer(answer, by))) => {
                self.settle_ask(&id, AskState::Answered, Some(&answer), by);
                return Asked::Answer(answer);
            }
            Some(Ok(QuestionReply::Skip(by))) => {
                self.settle_ask(&id, AskState::Skipped, None, by);
                self.set_denied();
                return Asked::Skipped;
            }
            Some(Ok(QuestionReply::NoReply(NoReply::NoPerson))) => {
                self.set_no_person();
                (AskState::Expired, Asked::Nobody)
            }
            // The question expired, or the host is shutting down.
            Some(Ok(QuestionReply::NoReply(NoReply::Expired)) | Err(_)) => {
                self.set_no_person();
                (AskState::Expired, Asked::Expired)
            }
            None => (AskState::Cancelled, Asked::Cancelled),
        };
        self.settle_ask(&id, state, None, None);
        asked
    }
}
