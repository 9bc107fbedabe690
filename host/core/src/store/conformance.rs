//! A test suite for implementations of [`Store`].
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use footlight::store::{MemoryStore, Store, conformance};
//! # async fn example() {
//! conformance::conformance(|| Arc::new(MemoryStore::new())).await;
//! # }
//! ```
//!
//! Each check gets an empty store and panics if the store misbehaves. None of them sleeps. The suite
//! as a whole needs a tokio runtime; a single [`Check`] runs on any.

mod content;
mod fixtures;
mod log;
mod ownership;
mod people;
mod requests;
mod sessions;
mod state;

pub(super) use fixtures::{answer, at, batch, call, output, request, row, session, text, turn};

use super::{Quota, Store};
use fixtures::{HOUR, commit, put_output, session_of};
use std::pin::Pin;
use std::sync::Arc;

/// One property that a store must have.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The property, as a sentence.
    pub name: &'static str,
    run: fn(Arc<dyn Store>) -> Run,
}

type Run = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Check {
    /// Runs the check on an empty store.
    ///
    /// # Panics
    /// If the store does not have the property.
    pub async fn run(&self, store: Arc<dyn Store>) {
        (self.run)(store).await;
    }
}

macro_rules! checks {
    ($($module:ident::$name:ident,)+) => {
        /// All checks.
        pub const CHECKS: &[Check] = &[$(Check {
            name: stringify!($name),
            run: |store| Box::pin($module::$name(store)),
        }),+];
    };
}

checks! {
    sessions::a_session_is_listed_and_opened_as_it_was_made,
    sessions::an_unknown_session_is_an_error_everywhere,
    sessions::the_sessions_used_last_come_first,
    sessions::rows_replace_those_with_the_same_key,
    sessions::a_deleted_session_leaves_nothing_and_harms_no_other,
    sessions::title_and_meta_can_change,
    log::seq_is_gap_free_and_every_session_has_its_own,
    log::the_log_is_read_in_parts,
    log::the_record_is_what_the_log_says,
    log::what_a_turn_replaced_or_removed_is_a_tombstone_after_it,
    log::a_batch_that_is_refused_leaves_nothing_behind,
    log::what_is_transient_or_cannot_be_read_again_is_refused,
    log::an_event_has_the_turn_of_its_batch_or_the_last_one,
    ownership::an_owner_excludes_others_until_it_releases_the_session,
    ownership::an_expired_lease_can_be_claimed_by_another_owner,
    ownership::an_old_lease_writes_nothing,
    ownership::an_owned_session_is_not_deleted,
    people::each_person_has_sessions_of_their_own,
    people::each_person_has_requests_of_their_own,
    people::a_tainted_session_stays_tainted_and_others_do_not_become_so,
    requests::the_first_reply_counts,
    requests::a_request_is_settled_without_a_lease_and_alone,
    requests::a_commit_does_not_reopen_what_is_settled,
    requests::a_secret_answer_is_never_kept,
    requests::a_late_reply_learns_that_the_request_has_expired,
    requests::a_sweep_settles_expired_requests,
    requests::a_dropped_call_withdraws_its_open_requests,
    requests::a_request_of_another_session_is_left_alone,
    requests::a_watcher_is_notified_of_changes,
    content::an_output_is_read_in_parts_and_as_often_as_wanted,
    content::an_output_is_only_for_its_session_and_until_it_expires,
    content::a_dropped_call_deletes_its_outputs_except_kept_ones,
    content::a_sweep_frees_what_has_expired,
    content::a_session_of_outputs_alone_goes_with_the_last_of_them,
    content::an_output_must_be_what_it_says,
    state::a_bucket_is_only_its_owners,
    state::a_value_is_replaced_if_it_is_as_expected,
    state::a_full_bucket_takes_no_more,
    state::the_state_of_a_session_goes_with_it,
    state::a_sweep_deletes_the_state_of_sessions_that_do_not_exist,
}

/// Runs all checks, each on a new store from `make`.
///
/// # Panics
/// If a check fails. The message names the check.
pub async fn conformance(make: impl Fn() -> Arc<dyn Store>) {
    for check in CHECKS {
        let name = check.name;
        let run = tokio::spawn((check.run)(make()));
        if let Err(error) = run.await {
            panic!("the store fails `{name}`: {error}");
        }
    }
}

/// Checks that a store keeps to its [`Quota`]: that of one output, of one session, and of all together.
///
/// # Panics
/// If the store takes more, or takes less.
pub async fn quota(make: impl FnOnce(Quota) -> Arc<dyn Store>) {
    let quota = Quota {
        output: 60,
        session: 100,
        total: 150,
    };
    content::a_quota_counts_what_has_not_expired(&*make(quota)).await;
}
