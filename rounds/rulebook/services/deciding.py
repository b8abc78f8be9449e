"""Deciding on a proposed version: a second person approves it from an instant on, or it is withdrawn before effect."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import User
from rounds.ledger.appending import append, record
from rounds.rulebook.errors import (
    EdgesNotConfirmed,
    EvidenceNeeded,
    InForceAlready,
    InstantTaken,
    MayNotApprove,
    MayNotWithdraw,
    NotWaiting,
    OwnProposal,
)
from rounds.rulebook.gate import rows_to_confirm
from rounds.rulebook.models import APPROVED, WITHDRAWN, RuleVersion
from rounds.rulebook.selectors import MAY_APPROVE, pack_of, versions_of
from rounds.rulebook.services.proposing import lock_rulebook
from rounds.rulebook.states import State


def expected_effective_at(version: RuleVersion) -> datetime | None:
    """The instant that the ruling or the document itself names; None for an undated document."""
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
    """An instant in the past is allowed, and shown as such: rounds already played are judged by it from now on."""
    if not actor.still_holds(*MAY_APPROVE, casino=version.casino):
        raise MayNotApprove
    version = _locked(version)
    if not version.may_become(State.APPROVED, now):
        raise NotWaiting
    if version.proposed_by == actor:
        raise OwnProposal
    if effective_at != expected_effective_at(version) and not evidence:
        raise EvidenceNeeded
    confirmed = [row.as_json() for row in rows_to_confirm(pack_of(version), version.readings)]
    if confirmed and not edge_reason:
        raise EdgesNotConfirmed
    rivals = RuleVersion.objects.approved().filter(casino=version.casino, rules=version.rules)
    if rivals.filter(effective_at=effective_at).exists():
        raise InstantTaken
    version.effective_at, version.time_zone, version.evidence = effective_at, time_zone, evidence
    version.edges_confirmed, version.edge_reason = confirmed, edge_reason if confirmed else ""
    version.approved_by, version.approved_at = actor, now
    [receipt] = append(version.casino.slug, [record(APPROVED, version.approval_record())], now)
    version.approved_index = receipt.index
    version.save()
    return version


@transaction.atomic
def withdraw_version(*, version: RuleVersion, reason: str, actor: User, now: datetime) -> RuleVersion:
    """By whoever proposed it or by government; once approved, by government alone and only before it takes effect."""
    version = _locked(version)
    is_own = version.proposed_by == actor and version.approved_at is None
    if not is_own and not actor.still_holds(*MAY_APPROVE, casino=version.casino):
        raise MayNotWithdraw
    if version.withdrawn_at is not None:
        raise NotWaiting
    if not version.may_become(State.WITHDRAWN, now):
        raise InForceAlready
    version.withdrawal_reason, version.withdrawn_by, version.withdrawn_at = reason, actor, now
    [receipt] = append(version.casino.slug, [record(WITHDRAWN, version.withdrawal_record())], now)
    version.withdrawn_index = receipt.index
    version.save()
    return version


def _locked(version: RuleVersion) -> RuleVersion:
    """As it stands now, with nobody else acting on this casino's rulebook until the transaction ends."""
    lock_rulebook(version.casino)
    return versions_of(version.casino).get(pk=version.pk)
