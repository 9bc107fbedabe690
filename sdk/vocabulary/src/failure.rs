//! Codes of failed calls, for programs: exit codes, renderers and the session loop match on the
//! code, never on the sentence beside it.

use crate::word::words;

words! {
    /// Why a call failed.
    #[non_exhaustive]
    pub enum FailureCode {
        /// The input is wrong; the call may succeed with another input.
        InvalidInput = "invalid-input",
        /// A person or the policy refused the call; repeating it does not help.
        Denied = "denied",
        /// Something the tool depends on cannot be reached; the same call may succeed later.
        Unavailable = "unavailable",
        /// A person cancelled the call.
        Cancelled = "cancelled",
        /// The host stopped while the call ran; the call may have taken effect.
        Interrupted = "interrupted",
        /// The call, its turn or its session reached a limit.
        Limit = "limit",
        /// The call needs a person, and nobody can be asked.
        NoPerson = "no-person",
        /// None of the other codes fits.
        Other = "other",
    } else Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_word_is_a_case_of_its_own() {
        for word in FailureCode::KNOWN {
            let code = FailureCode::from(*word);
            assert!(code.is_known(), "{word}");
            assert_eq!(code.as_str(), *word);
            assert_eq!(word.parse(), Ok(code));
        }
        assert_eq!(FailureCode::from("other"), FailureCode::Other);
        assert_eq!(FailureCode::NoPerson.to_string(), "no-person");
    }

    #[test]
    fn unknown_word_survives_a_round_trip_and_is_not_taken_for_other() {
        let code: FailureCode = serde_json::from_str(r#""quota-exceeded""#).expect("a word");
        assert_eq!(code, FailureCode::Unknown("quota-exceeded".to_owned()));
        assert_eq!(
            serde_json::to_string(&code).expect("serialises"),
            r#""quota-exceeded""#
        );
    }
}
