"""Pre-check: predicts what the audit would find if an act were recorded, and asks the person to confirm it first.

The audit registers the evaluator, because this layer may not import it. Forms may add doubts about implausible input.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from django import forms
from django.http import HttpRequest
from django.utils.module_loading import import_string

from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import Tag

REASON_FIELD, CONFIRMED_FIELD = "confirm_reason", "confirmed_findings"
REASON_LENGTH = 300
# Attribute of a request by which an act was recorded in spite of predicted findings.
EXPECTED_FINDINGS = "expected_findings"
MAX_NAMED = 2
# Session key of a submission that was signed with password and code and waits for a confirmation.
SIGNED_FORM_KEY = "signed_form"
NOT_SIGNED_FIELDS = frozenset({"csrfmiddlewaretoken", "password", "code", REASON_FIELD, CONFIRMED_FIELD})
T = TypeVar("T")


def fingerprint_form(request: HttpRequest) -> str:
    """Digest of what was submitted where, without signature and confirmation."""
    fields = sorted((name, values) for name, values in request.POST.lists() if name not in NOT_SIGNED_FIELDS)
    return sha256(repr((request.path, fields)).encode()).hexdigest()


@dataclass(frozen=True)
class PredictedFinding:
    """A finding that the audit would record. `key` identifies it without times, which differ between two requests."""

    key: str
    code: str
    severity: Tag
    # As the audit would record it, and as a page shows it, with local times.
    sentence: str
    shown: str
    clause: str = ""
    amount: str = ""
    remedy: str = ""
    help_url: str = ""


@dataclass(frozen=True)
class Progress:
    """An evaluation that a background job does. `href` is the address of the fragment that shows how far it is."""

    done: int
    total: int
    href: str


@dataclass(frozen=True)
class Prediction:
    """What the person is shown before an act is recorded. `doubts` are statements about implausible input; `effects`
    say what else follows, such as the number of rounds that are audited again. `running` are the evaluations for which
    the person must wait; `is_result` says that one has ended, which is shown even if it found nothing."""

    findings: Sequence[PredictedFinding] = ()
    doubts: Sequence[str] = ()
    effects: Sequence[str] = ()
    running: Sequence[Progress] = ()
    is_result: bool = False

    def __bool__(self) -> bool:
        return bool(self.is_warning or self.running or self.is_result)

    @property
    def is_warning(self) -> bool:
        """Whether a reason is needed to go on."""
        return bool(self.findings or self.doubts)

    @property
    def confirm_label(self) -> str:
        """Label of the form's button on the page that shows this."""
        if self.running:
            return "Show the result"
        if self.findings:
            return "Record anyway"
        return "It is right: record it" if self.doubts else "Record it"

    @property
    def expected_text(self) -> str:
        """What the person is told after recording the act in spite of the warning."""
        named = [f"{each.shown} ({each.code})" for each in self.findings[:MAX_NAMED]]
        more = len(self.findings) - len(named)
        others = [f"{more} further finding{'' if more == 1 else 's'}."] if more else []
        return " ".join(["It was recorded after a warning, with your reason. The audit will report:", *named, *others])

    @property
    def digest(self) -> str:
        keys = [*sorted(each.key for each in self.findings), *self.doubts]
        return sha256("\n".join(keys).encode()).hexdigest()[:32]


class Evaluator(Protocol):
    def predict(self, perform: Callable[[], Any], request: HttpRequest) -> Prediction:
        """What the audit would find. Records nothing; requests a background job if the person would wait too long.
        Raises the Refusal that `perform` raises."""

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


class StillEvaluated(Unconfirmed):
    code = "still-evaluated"
    title = "Please wait for the result"
    detail = "Nothing is recorded yet: what the audit would find is still being evaluated."
    remedy = "Show the result when it is ready."


class ReasonMissing(Unconfirmed):
    code = "reason-missing"
    detail = "A reason is needed to record this in spite of the warning."
    remedy = "Nothing is recorded yet."


class ReasonTooLong(Unconfirmed):
    code = "reason-too-long"
    remedy = "Shorten the reason; all of it is still in the field. Nothing is recorded yet."


def carry_out(
    request: HttpRequest, form: forms.Form, perform: Callable[[], T], *, plan: Callable[[], Any] | None = None
) -> T:
    """Records an act: plans it, and if the audit would report it or the form doubts its input, raises Unconfirmed until
    the person confirms exactly what they were shown. The template error-summary.html shows `form.prediction`.

    `plan` is planned instead, for acts whose entries are only appended by a later act of another person."""
    prediction = _predict(form, plan or perform, request)
    if prediction:
        reason = _require_confirmation(request, form, prediction)
        evaluator = _evaluator()
        if prediction.is_warning and evaluator is not None:
            perform = partial(evaluator.record, perform, prediction, reason, request)
    done = perform()
    request.session.pop(SIGNED_FORM_KEY, None)
    if prediction.findings:
        vars(request)[EXPECTED_FINDINGS] = prediction.expected_text
    return done


def _require_confirmation(request: HttpRequest, form: forms.Form, prediction: Prediction) -> str:
    """The reason. Raises Unconfirmed; the form then shows the prediction, and asks for no second signature."""
    reason = request.POST.get(REASON_FIELD, "").strip()
    vars(form).update(prediction=prediction, confirm_reason=reason)
    is_too_long = len(reason) > REASON_LENGTH
    is_confirmed = not prediction.running and request.POST.get(CONFIRMED_FIELD) == prediction.digest
    if is_confirmed and not is_too_long and (reason or not prediction.is_warning):
        return reason
    if SIGNED_FORM_KEY in request.session:
        for name in ("password", "code"):
            form.fields.pop(name, None)
    if prediction.running:
        raise StillEvaluated
    if is_too_long:
        raise ReasonTooLong(f"The reason has {len(reason):,} characters; at most {REASON_LENGTH} are recorded.")
    raise ReasonMissing if is_confirmed else Unconfirmed


def _predict(form: forms.Form, perform: Callable[[], Any], request: HttpRequest) -> Prediction:
    evaluator = _evaluator()
    predicted = evaluator.predict(perform, request) if evaluator else Prediction()
    doubts: Callable[[], Sequence[str]] | None = getattr(form, "doubts", None)
    return predicted if doubts is None else replace(predicted, doubts=tuple(doubts()))
