"""The evaluator of the pre-check: presents predicted findings, and records that a person went on in spite of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from compliance.audit.catalogue import code_named
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.catalogue.play_codes import SETTLE_VOID_KEPT
from compliance.audit.context.finding_draft import FindingDraft, format_amount
from compliance.audit.entry_kinds import WARNING_CONFIRMED
from compliance.audit.models import ConfirmedWarning
from compliance.audit.prediction.predict import PlannedFindings, predict_findings
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.web.ui.precheck import PredictedFinding, Prediction
from rounds.ledger import write_row, writing

T = TypeVar("T")


class AuditEvaluator:
    def predict(self, perform: Callable[[], Any]) -> Prediction:
        return present_prediction(predict_findings(perform))

    def record(self, perform: Callable[[], T], prediction: Prediction, reason: str, request: HttpRequest) -> T:
        with transaction.atomic(), writing.collect_receipts() as receipts:
            result = perform()
            for log in sorted({receipt.log for receipt in receipts}):
                indexes = [receipt.index for receipt in receipts if receipt.log == log]
                _record_confirmation(log, indexes, prediction, reason, request)
        return result


def present_prediction(planned: Sequence[PlannedFindings]) -> Prediction:
    findings = [
        _present(draft, each.planned) for each in planned for draft in each.drafts if _is_breach(draft, each.planned)
    ]
    return Prediction(findings, effects=[text for each in planned for text in _effects(each)])


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
        reason=reason,
        by=person,
        by_name=person.name,
        at=now,
    )
    write_row(confirmed, kind=WARNING_CONFIRMED, log=log, now=now)


def _is_breach(draft: FindingDraft, planned: frozenset[int]) -> bool:
    """Notes need no confirmation, nor what follows from a decision: a dispute upheld, or the stakes of a stored round
    that are to be handed back because the decision makes it void."""
    if draft.code == SETTLE_VOID_KEPT.name and draft.index not in planned:
        return False
    return _severity(draft) is not Severity.NOTE and not code_named(draft.code).is_outcome


def _severity(draft: FindingDraft) -> Severity:
    return draft.severity or code_named(draft.code).severity


def _present(draft: FindingDraft, planned: frozenset[int]) -> PredictedFinding:
    # Indexes of planned entries change when other entries are recorded before them.
    subject = "new" if draft.index in planned else str(draft.index)
    amounts = (str(draft.required_cents), str(draft.found_cents))
    code = code_named(draft.code)
    return PredictedFinding(
        key=" ".join((draft.code, subject, draft.wager, draft.clause, *amounts)),
        code=draft.code,
        severity=_severity(draft).tag,
        sentence=draft.sentence,
        clause=draft.clause,
        amount=_amount(draft),
        remedy=code.remedy or code.meaning,
        help_url=f"{reverse('web:help-page', args=['findings'])}#{draft.code}",
    )


def _amount(draft: FindingDraft) -> str:
    if draft.required_cents is None and draft.found_cents is None:
        return ""
    return f"Due {format_amount(draft.required_cents)}, recorded {format_amount(draft.found_cents)}"


def _effects(planned: PlannedFindings) -> list[str]:
    if not planned.affected:
        return []
    text = f"Rounds and records of {planned.casino.name} that are audited again: {planned.affected:,}."
    return [text if planned.is_complete else f"{text} They are too many to be evaluated beforehand."]
