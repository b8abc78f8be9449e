"""Pre-check: predicts what the audit would find if an act were recorded, and asks the person to confirm it first.

The audit registers the evaluator, because this layer may not import it. Forms may add doubts about implausible input.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from django import forms
from django.http import HttpRequest
from django.utils.module_loading import import_string

from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import Tag

REASON_FIELD, CONFIRMED_FIELD = "confirm_reason", "confirmed_findings"
REASON_LENGTH = 300
T = TypeVar("T")


@dataclass(frozen=True)
class PredictedFinding:
    """A finding that the audit would record. `key` identifies it without times, which differ between two requests."""

    key: str
    code: str
    severity: Tag
    sentence: str
    clause: str = ""
    amount: str = ""
    remedy: str = ""
    help_url: str = ""


@dataclass(frozen=True)
class Prediction:
    """What the person is shown before an act is recorded. `doubts` are statements about implausible input; `effects`
    say what else follows, such as the number of rounds that are audited again."""

    findings: Sequence[PredictedFinding] = ()
    doubts: Sequence[str] = ()
    effects: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.findings or self.doubts)

    @property
    def digest(self) -> str:
        keys = [*sorted(each.key for each in self.findings), *self.doubts]
        return sha256("\n".join(keys).encode()).hexdigest()[:32]


class Evaluator(Protocol):
    def predict(self, perform: Callable[[], Any]) -> Prediction:
        """What the audit would find. Writes nothing. Raises the Refusal that `perform` raises."""

    def record(self, perform: Callable[[], T], prediction: Prediction, reason: str, request: HttpRequest) -> T:
        """Runs `perform`, and records in the same transaction that the person was warned, and why they went on."""


_paths: list[str] = []


def register_evaluator(path: str) -> None:
    """Registers the dotted path of an Evaluator class. It is imported when first needed, because it imports every
    check of the audit."""
    _paths[:] = [path]


@cache
def _evaluator() -> Evaluator | None:
    return import_string(_paths[0])() if _paths else None


class Unconfirmed(Refusal):
    """The audit would report the act, or its input is implausible, and the person has not confirmed it yet."""

    code = "unconfirmed"
    status = 409
    title = "Please check this before it is recorded"
    detail = "Nothing is recorded yet."
    remedy = "Read the warning. Correct what you entered, or confirm that it is right."


class ReasonMissing(Unconfirmed):
    code = "reason-missing"
    detail = "A reason is needed to record this in spite of the warning."
    remedy = "Nothing is recorded yet."


def carry_out(request: HttpRequest, form: forms.Form, perform: Callable[[], T]) -> T:
    """Records an act: plans it, and if the audit would report it or the form doubts its input, raises Unconfirmed until
    the person confirms exactly what they were shown. The template error-summary.html shows `form.prediction`."""
    prediction = _predict(form, perform)
    if not prediction:
        return perform()
    vars(form)["prediction"] = prediction
    reason = request.POST.get(REASON_FIELD, "").strip()[:REASON_LENGTH]
    vars(form)["confirm_reason"] = reason
    if request.POST.get(CONFIRMED_FIELD) != prediction.digest:
        raise Unconfirmed
    if not prediction.findings:
        return perform()
    if not reason:
        raise ReasonMissing
    evaluator = _evaluator()
    assert evaluator is not None, "Only the evaluator predicts findings."
    return evaluator.record(perform, prediction, reason, request)


def _predict(form: forms.Form, perform: Callable[[], Any]) -> Prediction:
    evaluator = _evaluator()
    predicted = evaluator.predict(perform) if evaluator else Prediction()
    doubts: Callable[[], Sequence[str]] | None = getattr(form, "doubts", None)
    if doubts is None:
        return predicted
    return Prediction(predicted.findings, tuple(doubts()), predicted.effects)
