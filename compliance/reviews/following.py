"""Reviews are opened by following the log: one for each finding, lapsed when the audit takes the finding back."""

from collections.abc import Sequence
from datetime import timedelta

from compliance.accounts.models import Casino
from compliance.audit.codes import Severity
from compliance.audit.kinds import FINDING, SUPERSEDED
from compliance.audit.models import Finding
from compliance.reviews.causes import Cause, causes_of
from compliance.reviews.models import RANKS, SERVICE_HOURS, Arrangement, Review
from compliance.reviews.states import State
from rounds.ledger.following import Recorded, every_log, follow_to_the_end

CONSUMER = "reviews"
KINDS = frozenset({FINDING, SUPERSEDED})


def follow_findings(logs: Sequence[str] | None = None) -> int:
    """Take in whatever the audit found since; how many entries that were."""
    return follow_to_the_end(CONSUMER, every_log() if logs is None else logs, take_entries, kinds=KINDS)


def take_entries(entries: Sequence[Recorded]) -> None:
    log = entries[0].log
    opened = [entry.index for entry in entries if entry.kind == FINDING]
    _open(log, opened)
    gone = [int(entry.content()["finding"]) for entry in entries if entry.kind == SUPERSEDED]
    Review.objects.filter(finding__log=log, finding__entry_index__in=gone).exclude(state=State.LAPSED).update(
        state=State.LAPSED, claimed_by=None, claim_ends_at=None, reopens_at=None
    )


def _open(log: str, indexes: Sequence[int]) -> None:
    findings = list(Finding.objects.filter(log=log, entry_index__in=indexes).select_related("casino"))
    if not findings:
        return
    causes, hours = causes_of(log, findings), service_hours(findings[0].casino)
    Review.objects.bulk_create(
        (_review(finding, causes[finding.entry_index], hours) for finding in findings), ignore_conflicts=True
    )


def _review(finding: Finding, cause: Cause, hours: dict[str, int]) -> Review:
    return Review(
        finding=finding, casino=finding.casino, code=finding.code, severity=finding.severity,
        rank=RANKS[Severity(finding.severity)], table=finding.table, bet=cause.bet, dealer=cause.dealer,
        controller=cause.controller, opened_at=finding.found_at,
        due_at=finding.found_at + timedelta(hours=hours[finding.severity]),
        state=State.OPEN if finding.superseded_at is None else State.LAPSED,
    )  # fmt: skip


def arrangement_of(casino: Casino) -> Arrangement | None:
    return Arrangement.objects.filter(casino=casino).order_by("-made_at", "-pk").first()


def service_hours(casino: Casino) -> dict[str, int]:
    """Within how many hours a finding of each severity is to be decided here."""
    made = arrangement_of(casino)
    return {severity.value: hours for severity, hours in SERVICE_HOURS.items()} | (made.service_hours if made else {})
