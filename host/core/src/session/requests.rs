//! The requests of a turn to a person: when they are new, pending and settled.

use super::Update;
use super::driver::Driver;
use crate::call::stage::now;
use crate::observer::Observed;
use crate::store::{Reply, RequestRow, StoreError, StoreFuture};
use crate::sync::lock;
use footlight_vocabulary::item::{CallId, Timestamp};
use std::time::Duration;

impl Driver {
    /// Reports whether a request that is about to be stored is new: not the same one that an
    /// interrupted run has stored under this id. Only observers want to know.
    pub(super) async fn is_new(&self, request: &RequestRow) -> Result<bool, StoreError> {
        if self.session.host.0.observers.is_empty() {
            return Ok(true);
        }
        let known = self.session.store.request(&request.id).await?;
        Ok(known.is_none_or(|known| {
            let is_withdrawn = matches!(known.reply, Some(Reply::Withdrawn { .. }));
            // A verdict is bound; a question is what it says.
            let is_same = known.binding == request.binding
                && (known.binding.is_some() || known.body == request.body);
            is_withdrawn || !is_same
        }))
    }

    /// Tells followers and observers that a stored request is pending.
    pub(super) fn announce_request(&self, request: RequestRow, is_new: bool) {
        let observers = &self.session.host.0.observers;
        observers.observe(&Observed::RequestOpened {
            person: &self.settings.person,
            request: &request,
            is_new,
        });
        self.session.notify(Update::Pending(Box::new(request)));
    }

    /// Returns the stored request and its reply if it was settled, and tells followers and observers.
    pub(super) async fn take_reply(
        &self,
        request: &RequestRow,
    ) -> Result<Option<(RequestRow, Reply)>, StoreError> {
        let Some(mut stored) = self.session.store.request(&request.id).await? else {
            return Ok(None);
        };
        let Some(reply) = stored.reply.take() else {
            return Ok(None);
        };
        self.observe_settled(request, &reply);
        let settled = Update::Settled(request.id.clone(), reply.clone());
        self.session.notify(settled);
        Ok(Some((stored, reply)))
    }

    /// Forgets the pending requests of calls that have ended, which the store has withdrawn.
    pub(super) fn forget_requests(&self, calls: &[CallId]) {
        let is_of = |request: &mut RequestRow| calls.contains(&request.call);
        let withdrawn = {
            let pending = &mut lock(&self.session.followers).pending;
            pending.extract_if(.., is_of).collect::<Vec<_>>()
        };
        self.observe_withdrawn(&withdrawn);
    }

    /// Tells observers that the store has withdrawn open requests.
    pub(super) fn observe_withdrawn<'a>(&self, requests: impl IntoIterator<Item = &'a RequestRow>) {
        for request in requests {
            self.observe_settled(request, &Reply::Withdrawn { at: now() });
        }
    }

    fn observe_settled(&self, request: &RequestRow, reply: &Reply) {
        let observers = &self.session.host.0.observers;
        observers.observe(&Observed::RequestSettled {
            person: &self.settings.person,
            request,
            reply,
        });
    }

    /// Returns when a request that is made now expires.
    pub(super) fn request_expiry(&self) -> Option<Timestamp> {
        let reply_timeout = self.settings.reply_timeout?;
        let millis = i64::try_from(reply_timeout.as_millis()).unwrap_or(i64::MAX);
        Some(Timestamp::from_millis(
            now().millis().saturating_add(millis),
        ))
    }

    /// Waits until a request may have been settled, and settles those that have expired.
    pub(super) async fn settled_or_expired(
        &self,
        changed: StoreFuture<'_, ()>,
        open: &[RequestRow],
    ) -> Result<(), StoreError> {
        let first = open.iter().filter_map(|request| request.expires).min();
        let Some(first) = first else {
            return changed.await;
        };
        let left = u64::try_from(first.millis() - now().millis()).unwrap_or(0);
        tokio::select! {
            changed = changed => return changed,
            () = tokio::time::sleep(Duration::from_millis(left)) => {}
        }
        for request in open.iter().filter(|request| request.expires <= Some(now())) {
            let expired = Reply::Expired { at: now() };
            self.session.store.settle(&request.id, expired).await?;
        }
        Ok(())
    }
}
