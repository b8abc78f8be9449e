"""Services: a second person approves a proposed version from an instant on; a version is withdrawn before effect."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.accounts.separation import require_other_person
from rounds.ledger import append, make_entry
from rounds.rulebook.entry_kinds import APPROVED, WITHDRAWN
from rounds.rulebook.errors import (
    EdgesNotConfirmed,
    EffectiveTimeTaken,
    EvidenceNeeded,
    InForceAlready,
    MayNotApprove,
    MayNotWithdraw,
    NotAwaitingApproval,
)
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.permissions import MAY_APPROVE
from rounds.rulebook.selectors import pack_of, versions_of
from rounds.rulebook.states import RuleVersionState
from rounds.rulebook.versions.approval_gate import edge_rows_to_confirm


def expected_effective_at(version: RuleVersion) -> datetime | None:
    """The effective time given in the ruling or printed in the document; None for an undated document."""
    return version.wanted_at if version.is_ruling else pack_of(version).effective_at


@transaction.atomic
def approve_version(
    *,
    version: RuleVersion,
    effective_at: datetime,
    time_zone: str,
    evidence: str,
    edge_reason: str,
    actor: User,
    now: datetime,
) -> RuleVersion:
    """Approves a proposed version. `effective_at` may be in the past: rounds already played are then audited again."""
    if not actor.has_role_in_database(*MAY_APPROVE, casino=version.casino):
        raise MayNotApprove
    version = _lock_version(version)
    if not version.may_become(RuleVersionState.APPROVED, now):
        raise NotAwaitingApproval
    require_other_person(actor, proposed=version.proposed_by_id)
    if effective_at != expected_effective_at(version) and not evidence:
        raise EvidenceNeeded
    confirmed = [row.as_json() for row in edge_rows_to_confirm(pack_of(version), version.readings)]
    if confirmed and not edge_reason:
        raise EdgesNotConfirmed
    rivals = RuleVersion.objects.approved().filter(casino=version.casino, rules=version.rules)
    if rivals.filter(effective_at=effective_at).exists():
        raise EffectiveTimeTaken
    version.effective_at, version.time_zone, version.evidence = effective_at, time_zone, evidence
    version.edges_confirmed, version.edge_reason = confirmed, edge_reason if confirmed else ""
    version.approved_by, version.approved_at = actor, now
    [receipt] = append(version.casino.slug, [make_entry(APPROVED, version.approval_entry_body())], now)
    version.approved_index = receipt.index
    version.save()
    return version


@transaction.atomic
def withdraw_version(*, version: RuleVersion, reason: str, actor: User, now: datetime) -> RuleVersion:
    """Withdraws a version before it takes effect. A proposal: by its proposer or by government; an approved version: by
    government only."""
    version = _lock_version(version)
    is_own = version.proposed_by == actor and version.approved_at is None
    if not is_own and not actor.has_role_in_database(*MAY_APPROVE, casino=version.casino):
        raise MayNotWithdraw
    if version.withdrawn_at is not None:
        raise NotAwaitingApproval
    if not version.may_become(RuleVersionState.WITHDRAWN, now):
        raise InForceAlready
    version.withdrawal_reason, version.withdrawn_by, version.withdrawn_at = reason, actor, now
    [receipt] = append(version.casino.slug, [make_entry(WITHDRAWN, version.withdrawal_entry_body())], now)
    version.withdrawn_index = receipt.index
    version.save()
    return version


def _lock_version(version: RuleVersion) -> RuleVersion:
    """Locks the casino's rulebook until the transaction ends, then reloads the version."""
    version.casino.lock()
    return versions_of(version.casino).get(pk=version.pk)
