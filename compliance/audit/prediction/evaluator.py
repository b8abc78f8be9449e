"""The evaluator of the pre-check: presents predicted findings, and records that a person went on in spite of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar, cast

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from compliance.audit.catalogue import code_named
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.catalogue.play_codes import SETTLE_VOID_KEPT
from compliance.audit.context.finding_draft import FindingDraft, format_amount
from compliance.audit.entry_kinds import WARNING_CONFIRMED
from compliance.audit.models import BackgroundPrediction, ConfirmedWarning
from compliance.audit.prediction.background import find_prediction, recall_for, request_prediction
from compliance.audit.prediction.predict import MAX_AFFECTED, PlannedFindings, predict_findings
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.web.local_time import with_local_clocks
from compliance.core.web.ui.precheck import PredictedFinding, Prediction, Progress
from rounds.ledger import write_row, writing

# More findings with one code and clause are shown as one line.
MAX_ALIKE = 10
T = TypeVar("T")


class AuditEvaluator:
    def predict(self, perform: Callable[[], Any], request: HttpRequest) -> Prediction:
        person = cast(PersonRequest, request).user
        planned = predict_findings(perform, partial(recall_for, person))
        jobs = [_job_for(each, person) for each in planned if each.missing]
        running = [Progress(job.done, job.total, job.progress_href) for job in jobs if job.is_unfinished]
        shown = present_prediction(planned)
        failures = [f"They could not be evaluated beforehand. {job.failure}" for job in jobs if job.failure]
        return replace(
            shown,
            findings=[] if running else shown.findings,
            effects=[*shown.effects, *failures],
            running=running,
            is_result=any(len(each.affected) > MAX_AFFECTED for each in planned),
        )

    def record(self, perform: Callable[[], T], prediction: Prediction, reason: str, request: HttpRequest) -> T:
        with transaction.atomic(), writing.collect_receipts() as receipts:
            result = perform()
            for log in sorted({receipt.log for receipt in receipts}):
                indexes = [receipt.index for receipt in receipts if receipt.log == log]
                _record_confirmation(log, indexes, prediction, reason, request)
        return result


def _job_for(planned: PlannedFindings, person: User) -> BackgroundPrediction:
    """The job that evaluates what is missing. One that is done and does not suffice any more is done again."""
    job = find_prediction(person, planned.casino, planned.entries)
    return job if job and not job.is_done else request_prediction(person, planned, timezone.now())


def present_prediction(planned: Sequence[PlannedFindings]) -> Prediction:
    return Prediction(
        findings=[finding for each in planned for finding in _breaches(each)],
        effects=[text for each in planned for text in _effects(each)],
    )


def _record_confirmation(
    log: str, indexes: Sequence[int], prediction: Prediction, reason: str, request: HttpRequest
) -> None:
    casino = Casino.objects.filter(slug=log).first()
    if casino is None:
        return
    person, now = cast(PersonRequest, request).user, timezone.now()
    confirmed = ConfirmedWarning(
        casino=casino,
        entries=indexes,
        findings=[
            {"code": each.code, "clause": each.clause, "sentence": each.sentence} for each in prediction.findings
        ],
        doubts=list(prediction.doubts),
        reason=reason,
        by=person,
        by_name=person.name,
        at=now,
    )
    write_row(confirmed, kind=WARNING_CONFIRMED, log=log, now=now)


def _breaches(planned: PlannedFindings) -> Iterator[PredictedFinding]:
    """Findings about the act one by one. Many of one kind about stored entries are one line with their number, because
    nobody reads thousands of lines, and each is part of the entry that records the warning."""
    alike: dict[tuple[str, str], list[FindingDraft]] = defaultdict(list)
    for draft in planned.drafts:
        if _is_breach(draft, planned.planned):
            alike[draft.code, draft.clause].append(draft)
    for drafts in alike.values():
        if len(drafts) <= MAX_ALIKE:
            yield from (_present(draft, planned) for draft in drafts)
        else:
            yield _present_many(drafts, planned)


def _present_many(drafts: Sequence[FindingDraft], planned: PlannedFindings) -> PredictedFinding:
    each = [_present(draft, planned) for draft in drafts]
    required, found = (
        [amount for amount in amounts if amount is not None]
        for amounts in ([draft.required_cents for draft in drafts], [draft.found_cents for draft in drafts])
    )
    return replace(
        each[0],
        key=sha256("\n".join(sorted(one.key for one in each)).encode()).hexdigest(),
        sentence=f"{len(drafts):,} findings, the first of which is: {each[0].sentence}",
        shown=f"{len(drafts):,} findings, the first of which is: {each[0].shown}",
        amount=f"In all: due {format_amount(sum(required))}, recorded {format_amount(sum(found))}"
        if len(required) == len(found) == len(drafts)
        else "",
    )


def _is_breach(draft: FindingDraft, planned: frozenset[int]) -> bool:
    """Notes need no confirmation, nor what follows from a decision: a dispute upheld, or the stakes of a stored round
    that are to be handed back because the decision makes it void."""
    if draft.code == SETTLE_VOID_KEPT.name and draft.index not in planned:
        return False
    return _severity(draft) is not Severity.NOTE and not code_named(draft.code).is_outcome


def _severity(draft: FindingDraft) -> Severity:
    return draft.severity or code_named(draft.code).severity


def _present(draft: FindingDraft, planned: PlannedFindings) -> PredictedFinding:
    # Indexes of planned entries change when other entries are recorded before them.
    subject = "new" if draft.index in planned.planned else str(draft.index)
    amounts = (str(draft.required_cents), str(draft.found_cents))
    code = code_named(draft.code)
    return PredictedFinding(
        key=" ".join((draft.code, subject, draft.wager, draft.clause, *amounts)),
        code=draft.code,
        severity=_severity(draft).tag,
        sentence=draft.sentence,
        shown=with_local_clocks(draft.sentence, draft.at, planned.casino),
        clause=draft.clause,
        amount=_amount(draft),
        remedy=code.remedy or code.meaning,
        help_url=code.help_url,
    )


def _amount(draft: FindingDraft) -> str:
    if draft.required_cents is None and draft.found_cents is None:
        return ""
    return f"Due {format_amount(draft.required_cents)}, recorded {format_amount(draft.found_cents)}"


def _effects(planned: PlannedFindings) -> list[str]:
    if not planned.affected:
        return []
    if len(planned.affected) == 1:
        return [f"One round or record of {planned.casino.name} is audited again."]
    return [f"{len(planned.affected):,} rounds and records of {planned.casino.name} are audited again."]
