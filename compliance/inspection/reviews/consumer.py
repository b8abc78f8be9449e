"""Consumer of findings: opens a review for each, and marks it lapsed when the audit supersedes the finding."""

from collections.abc import Sequence
from datetime import timedelta

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.entry_kinds import FINDING, SUPERSEDED
from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino
from compliance.inspection.reviews.finding_causes import Cause, causes_of
from compliance.inspection.reviews.models import DEFAULT_SERVICE_HOURS, SEVERITY_RANKS, Review, ReviewPolicy
from compliance.inspection.reviews.states import ReviewState
from rounds.ledger import LogEntry, consume_all, every_log

CONSUMER = "reviews"
KINDS = frozenset({FINDING, SUPERSEDED})


def consume_findings(logs: Sequence[str] | None = None) -> int:
    """Consumes new findings; returns the number of entries."""
    return consume_all(CONSUMER, every_log() if logs is None else logs, handle_entries, kinds=KINDS)


def handle_entries(entries: Sequence[LogEntry]) -> None:
    log = entries[0].log
    opened = [entry.index for entry in entries if entry.kind == FINDING]
    _open_reviews(log, opened)
    gone = [int(entry.content()["finding"]) for entry in entries if entry.kind == SUPERSEDED]
    Review.objects.filter(finding__log=log, finding__entry_index__in=gone).exclude(state=ReviewState.LAPSED).update(
        state=ReviewState.LAPSED, claimed_by=None, claim_ends_at=None, reopens_at=None
    )


def _open_reviews(log: str, indexes: Sequence[int]) -> None:
    findings = list(Finding.objects.filter(log=log, entry_index__in=indexes).select_related("casino"))
    if not findings:
        return
    causes, hours = causes_of(log, findings), service_hours(findings[0].casino)
    Review.objects.bulk_create(
        (_build_review(finding, causes[finding.entry_index], hours) for finding in findings), ignore_conflicts=True
    )


def _build_review(finding: Finding, cause: Cause, hours: dict[str, int]) -> Review:
    return Review(
        finding=finding,
        casino=finding.casino,
        code=finding.code,
        severity=finding.severity,
        rank=SEVERITY_RANKS[Severity(finding.severity)],
        table=finding.table,
        bet=cause.bet,
        dealer=cause.dealer,
        controller=cause.controller,
        opened_at=finding.found_at,
        due_at=finding.found_at + timedelta(hours=hours[finding.severity]),
        state=ReviewState.OPEN if finding.superseded_at is None else ReviewState.LAPSED,
    )


def policy_of(casino: Casino) -> ReviewPolicy | None:
    return ReviewPolicy.objects.filter(casino=casino).order_by("-made_at", "-pk").first()


def service_hours(casino: Casino) -> dict[str, int]:
    """Hours within which a finding of each severity must be decided at this casino."""
    made = policy_of(casino)
    return {severity.value: hours for severity, hours in DEFAULT_SERVICE_HOURS.items()} | (
        made.service_hours if made else {}
    )
