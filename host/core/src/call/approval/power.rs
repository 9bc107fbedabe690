//! Powers of one call: folders are bound before the guest starts, and each request to a host is
//! decided when the guest makes it.

use super::{ApprovalDenied, ApprovalGate, DenialReason};
use crate::call::fault::Fault;
use crate::call::stage::Stage;
use crate::policy::{
    AskReason, Decision, DenyReason, FolderBinding, NetRequest, Operation, PowerHolder, Powers,
    Request, bound_folder,
};
use crate::power::folder::{BoundFolder, FolderTable};
use crate::sandbox::waiting_guests::Admission;
use crate::sync::lock;
use footlight_vocabulary::item::{Denial, Power, PowerUse, Receipt};
use footlight_vocabulary::manifest::{Folder, Mode, NetRule, Secret};

/// A request that may be sent.
pub(crate) struct Authorized {
    /// The secrets that the host adds to it.
    pub(crate) secrets: Vec<Secret>,
    /// Whether manifest and person named this very address, or this machine.
    pub(crate) literal: bool,
}

/// A use of a power that is denied.
#[derive(Debug, Clone)]
pub(crate) struct PowerDenied {
    pub(crate) why: Denial,
    /// One sentence for the plugin.
    pub(crate) message: String,
}

impl ApprovalGate {
    /// Returns the powers that the call holds before it runs.
    pub(super) fn powers(&self, stage: &Stage) -> Powers {
        let context = &*self.0;
        // Most plugins declare no powers.
        let manifest = &*stage.manifest;
        if manifest.net.is_empty() && manifest.fs.is_empty() {
            return Powers::default();
        }
        let holder = PowerHolder {
            manifest,
            digest: &context.digest,
            session: &context.session,
            person: &context.person,
            read_only: context.read_only,
            folders: context.folders.get().map_or(&[], Vec::as_slice),
        };
        holder.powers(&self.rules(), &lock(&context.policy.grants))
    }

    pub(super) fn bound_folder(
        &self,
        stage: &Stage,
        request: &Request<'_>,
    ) -> Option<FolderBinding> {
        if !matches!(request.operation, Operation::Folder { .. }) {
            return None;
        }
        let (rules, grants) = (self.rules(), lock(&self.0.policy.grants));
        bound_folder(&stage.manifest, &rules, &grants, request)
    }

    /// Binds the folders of the manifest, asking for those that nobody has bound yet. An optional
    /// folder that is denied is left out; any other denial is one of the call.
    pub(crate) async fn bind_folders(
        &self,
        stage: &Stage,
        table: &FolderTable,
    ) -> Result<Vec<BoundFolder>, ApprovalDenied> {
        let mut bound = Vec::new();
        for declared in &stage.manifest.fs {
            match self.bind_folder(stage, table, declared).await {
                Ok(folder) => {
                    stage.note_power();
                    bound.push(folder);
                }
                Err(denied) => {
                    let denial = denied.denial();
                    let denial = PowerUse::new(Power::Folder, &declared.path)
                        .access(declared.mode.as_str())
                        .denied(denial);
                    stage.record_use(denial);
                    if !declared.optional || denied.ends_the_call() {
                        return Err(denied);
                    }
                }
            }
        }
        let writable =
            |folder: &BoundFolder| folder.mode == Mode::ReadWrite && folder.approval.is_none();
        let writable = bound.iter().map(writable).collect();
        // A call binds its folders once.
        let _ = self.0.folders.set(writable);
        Ok(bound)
    }

    async fn bind_folder(
        &self,
        stage: &Stage,
        table: &FolderTable,
        declared: &Folder,
    ) -> Result<BoundFolder, ApprovalDenied> {
        let offered = table.offered(&stage.person, &stage.manifest.id, &declared.path);
        let operation = Operation::Folder {
            path: &declared.path,
            mode: declared.mode,
            offered: offered.as_deref(),
        };
        let approved = self.resolve(stage, None, operation).await?;
        if let Some(receipt) = approved.receipt {
            stage.add_receipt(Receipt {
                power: Some(Power::Folder),
                subject: Some(declared.path.clone()),
                ..receipt
            });
        }
        let Some(binding) = approved.folder else {
            return Err(DenialReason::Host(Denial::NotGranted, "nobody named a folder").into());
        };
        let granted = match binding.writable {
            true => declared.mode,
            false => Mode::ReadOnly,
        };
        let folder = table.open(&binding.path).await.map_err(|error| {
            // The model must not read a path of the machine.
            tracing::warn!(%error, "a folder cannot be bound");
            let words = "the folder that was granted cannot be opened";
            DenialReason::Host(Denial::Unavailable, words)
        })?;
        Ok(BoundFolder {
            guest_path: declared.path.clone(),
            folder,
            mode: match self.0.read_only {
                true => Mode::ReadOnly,
                false => granted,
            },
            approval: declared.approval.clone(),
            open_files: table.open_files(),
        })
    }

    /// Reports whether the tool says that it only reads.
    pub(crate) fn is_read_only(&self) -> bool {
        self.0.read_only
    }

    /// Reports whether an approval of an action is left.
    pub(crate) fn has_approval(&self, action: &str) -> bool {
        let verdicts = lock(&self.0.verdicts);
        verdicts.approved.get(action).is_some_and(|left| *left > 0)
    }

    /// Decides about one request to a host, including the secrets that it carries. Fails if the guest
    /// must be stopped.
    pub(crate) async fn authorize_request(
        &self,
        stage: &Stage,
        admission: &Admission,
        net: NetRequest<'_>,
    ) -> Result<Result<Authorized, PowerDenied>, Fault> {
        let context = &*self.0;
        let manifest = &*stage.manifest;
        let origin = net.origin();
        if lock(&context.verdicts).denied_hosts.contains(&origin) {
            return Ok(Err(PowerDenied {
                why: Denial::Person,
                message: "the person has denied this already".to_owned(),
            }));
        }
        let rule = manifest.net_rule(net.method, net.scheme, net.host, net.port);
        let secrets: Vec<Secret> = manifest
            .secrets_for(net.scheme, net.host, net.port)
            .cloned()
            .collect();
        let mut new_secrets = Vec::new();
        for secret in &secrets {
            match self.evaluate_secret(stage, secret, &net) {
                Decision::Allow { .. } => {}
                // A yes to the request covers it.
                Decision::Ask { .. }
                | Decision::Deny {
                    reason: DenyReason::NotGranted | DenyReason::NeverAsk | DenyReason::NoPerson,
                    ..
                } => new_secrets.push(secret.name.as_str()),
                Decision::Deny {
                    reason, message, ..
                } => {
                    let denied = ApprovalDenied::from(DenialReason::Policy(reason, message));
                    return Ok(Err(denied.into()));
                }
            }
        }
        // A secret is granted by its name, and a new build can send it elsewhere: to a host that is new the
        // person reads of every secret.
        if new_secrets.len() < secrets.len() && self.is_new_host(stage, &net) {
            new_secrets = secrets.iter().map(|secret| secret.name.as_str()).collect();
        }
        let action = rule.and_then(|rule| rule.approval.as_deref());
        // An approval that the guest has requested for this action admits one request.
        let has_credit = action.is_some_and(|action| self.spend_approval(action));
        let operation = Operation::Net(NetRequest {
            secrets: &new_secrets,
            read_only: context.read_only,
            action: action.filter(|_| !has_credit),
            ..net
        });
        let resolved = self.resolve(stage, Some(admission), operation).await;
        let receipt = match &resolved {
            Ok(approved) => &approved.receipt,
            Err(denied) => &denied.receipt,
        };
        if let Some(receipt) = receipt {
            stage.add_receipt(Receipt {
                power: Some(Power::Network),
                action: action.map(str::to_owned),
                subject: Some(net.authority()),
                ..receipt.clone()
            });
            stage.announce_effect().await;
        }
        match resolved {
            Ok(_) => {
                stage.note_power();
                Ok(Ok(Authorized {
                    secrets,
                    literal: rule.is_some_and(is_literal),
                }))
            }
            Err(denied) => {
                if let (true, Some(action)) = (has_credit, action) {
                    self.return_approval(action);
                }
                match denied.reason {
                    DenialReason::Stopped(fault) => Err(fault),
                    _ => Ok(Err(denied.into())),
                }
            }
        }
    }

    /// Reports whether a person would be asked because nobody has granted the host.
    fn is_new_host(&self, stage: &Stage, net: &NetRequest<'_>) -> bool {
        let request = self.request(stage, Operation::Net(*net));
        match self.evaluate(stage, &request) {
            Decision::Ask { request, .. } => request.reasons.contains(&AskReason::NotGranted),
            Decision::Allow { .. } | Decision::Deny { .. } => false,
        }
    }

    fn evaluate_secret(&self, stage: &Stage, secret: &Secret, net: &NetRequest<'_>) -> Decision {
        let operation = Operation::Secret {
            name: &secret.name,
            scheme: net.scheme,
            host: net.host,
            port: net.port,
        };
        self.evaluate(stage, &self.request(stage, operation))
    }

    /// Uses up one approval of an action, if there is one: a yes admits one request, or the changes of one
    /// call in one folder.
    pub(crate) fn spend_approval(&self, action: &str) -> bool {
        let verdicts = &mut *lock(&self.0.verdicts);
        match verdicts.approved.get_mut(action) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    fn return_approval(&self, action: &str) {
        if let Some(left) = lock(&self.0.verdicts).approved.get_mut(action) {
            *left += 1;
        }
    }
}

/// Reports whether a rule names one address, or this machine, and not a name that is looked up.
fn is_literal(rule: &NetRule) -> bool {
    rule.host.is_address() || rule.host.is_loopback()
}

impl ApprovalDenied {
    /// Returns the reason as it is recorded for a power.
    fn denial(&self) -> Denial {
        match &self.reason {
            DenialReason::Policy(reason, _) => match reason {
                DenyReason::Undeclared => Denial::Undeclared,
                DenyReason::NoPerson => Denial::NoPerson,
                DenyReason::Rule | DenyReason::Audience => Denial::Rule,
                DenyReason::ReadOnly => Denial::ReadOnly,
                DenyReason::NotGranted | DenyReason::NeverAsk => Denial::NotGranted,
            },
            DenialReason::Person(_) | DenialReason::Expired | DenialReason::Cancelled => {
                Denial::Person
            }
            DenialReason::Host(denial, _) => denial.clone(),
            DenialReason::Stopped(_) => Denial::Limit,
        }
    }

    fn ends_the_call(&self) -> bool {
        matches!(
            self.reason,
            DenialReason::Cancelled | DenialReason::Stopped(_)
        )
    }
}

impl From<ApprovalDenied> for PowerDenied {
    fn from(denied: ApprovalDenied) -> Self {
        Self {
            why: denied.denial(),
            message: denied.message(),
        }
    }
}
