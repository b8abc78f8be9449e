"""Filter of the queue, and one form for each possible decision."""

from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from compliance.audit.catalogue import CODE_CHOICES
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.selectors import tables_with_findings
from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, set_zone
from compliance.inspection.reviews.models import DEFAULT_SERVICE_HOURS
from compliance.inspection.reviews.outcomes import DecisionOption, Outcome
from compliance.inspection.reviews.selectors import UNANSWERED
from compliance.inspection.reviews.services import MAX_ANSWER_TIME, DecisionInput
from compliance.inspection.reviews.states import ReviewState

ANY_CHOICE = ("", "Any")
MAX_NOTE_LENGTH = 4000
LEDGER_HINT = "It becomes part of the ledger. A later comment can correct it. Do not name patrons."
MAX_HOURS = 24 * 365
DEFAULT_ANSWER_TIME = timedelta(days=7)


STATE_CHOICES = [("", "Waiting"), *ReviewState.choices, (UNANSWERED, "Not answered in time"), ("all", "All")]


class QueueFilter(FilterForm):
    state = forms.ChoiceField(label="State", required=False, choices=STATE_CHOICES)
    severity = forms.ChoiceField(
        label="Severity",
        required=False,
        choices=[ANY_CHOICE, *((one.value, one.value.capitalize()) for one in Severity)],
    )
    code = forms.ChoiceField(label="Code", required=False, choices=[ANY_CHOICE, *CODE_CHOICES])
    table = forms.ChoiceField(label="Table", required=False)
    outcome = forms.ChoiceField(label="Decision", required=False, choices=[ANY_CHOICE, *Outcome.choices])
    late = forms.BooleanField(label="Past its service level", required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = self.fields["table"]
        assert isinstance(tables, forms.ChoiceField)
        tables.choices = [ANY_CHOICE, *((slug, slug) for slug in tables_with_findings(casino))]


class FindingDecisionForm(ReauthenticateForm):
    """Reason, note, and what the chosen decision needs. Closing a serious finding requires reauthentication."""

    reason = forms.ChoiceField(
        label="Reason", widget=forms.RadioSelect, error_messages={"required": "Choose a reason."}
    )
    question = forms.CharField(
        label="What do you ask the operator?",
        help_text="The compliance officer reads exactly this.",
        max_length=MAX_NOTE_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        error_messages={"required": "Say what you want to know."},
    )
    due_at = LocalDateTimeField(label="Answer due by")
    accepted_until = LocalDateTimeField(label="Accepted until", help_text="The finding opens again at this time.")
    note = forms.CharField(
        label="Your note",
        help_text="For the inspectorate only: the operator does not see it.",
        max_length=MAX_NOTE_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        error_messages={"required": "Write down why you decide so."},
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(
        self, data: Any = None, *, way: DecisionOption, casino: Casino, request: HttpRequest, seen: int, is_signed: bool
    ) -> None:
        due = (timezone.now() + DEFAULT_ANSWER_TIME).astimezone(casino.zone).strftime("%Y-%m-%dT17:00")
        super().__init__(data, request=request, initial={"seen": seen, "due_at": due})
        self.way, self.casino = way, casino
        reasons = self.fields["reason"]
        assert isinstance(reasons, forms.ChoiceField)
        reasons.choices = list(way.reasons)
        extra_fields = {Outcome.NEEDS_INFORMATION: {"question", "due_at"}, Outcome.RISK_ACCEPTED: {"accepted_until"}}
        for name in {"question", "due_at", "accepted_until"} - extra_fields.get(way.outcome, set()):
            del self.fields[name]
        set_zone(self, casino.zone)
        if not (is_signed and way.outcome.closes_finding):
            for name in {"password", "code"} & set(self.fields):
                del self.fields[name]

    def clean_due_at(self) -> Any:
        due_at = self._require_future("due_at")
        latest = timezone.now() + MAX_ANSWER_TIME
        if due_at > latest:
            raise ValidationError(
                f"The operator has at most {MAX_ANSWER_TIME.days} days to answer: enter a time until "
                f"{latest.astimezone(self.casino.zone):%d %b %Y}, or ask again then."
            )
        return due_at

    def clean_accepted_until(self) -> Any:
        return self._require_future("accepted_until")

    def _require_future(self, name: str) -> Any:
        if self.cleaned_data[name] <= timezone.now():
            raise ValidationError("Enter a time that is still to come.")
        return self.cleaned_data[name]

    def _post_clean(self) -> None:
        """Reauthenticates only if the decision requires it."""
        if "password" in self.fields:
            super()._post_clean()

    def decision_input(self) -> DecisionInput:
        typed = self.cleaned_data
        return DecisionInput(
            outcome=self.way.outcome,
            reason=typed["reason"],
            note=typed["note"],
            question=typed.get("question", ""),
            due_at=typed.get("due_at"),
            accepted_until=typed.get("accepted_until"),
        )


class QuestionAnswerForm(forms.Form):
    text = forms.CharField(
        label="Your answer",
        help_text=LEDGER_HINT,
        max_length=MAX_NOTE_LENGTH,
        widget=forms.Textarea({"rows": 8}),
        error_messages={"required": "Write your answer."},
    )


class CommentForm(forms.Form):
    text = forms.CharField(
        label="Your comment",
        help_text=LEDGER_HINT,
        max_length=MAX_NOTE_LENGTH,
        widget=forms.Textarea({"rows": 6}),
        error_messages={"required": "Write your comment."},
    )


class ConfirmationForm(ReauthenticateForm):
    agrees = forms.TypedChoiceField(
        label="Do you agree with this decision?",
        widget=forms.RadioSelect,
        coerce=lambda value: value == "yes",
        choices=[("yes", "Yes, it stands"), ("no", "No, the finding opens again")],
        error_messages={"required": "Choose yes or no."},
    )
    note = forms.CharField(
        label="Your note",
        required=False,
        max_length=MAX_NOTE_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text="Needed if you do not agree. For the inspectorate only.",
    )

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        if typed.get("agrees") is False and not typed.get("note"):
            self.add_error("note", "Say why you do not agree.")
        return typed


class ReviewPolicyForm(ReauthenticateForm):
    serious = forms.IntegerField(label="Hours to decide a serious finding", min_value=1, max_value=MAX_HOURS)
    breach = forms.IntegerField(label="Hours to decide a breach", min_value=1, max_value=MAX_HOURS)
    note = forms.IntegerField(label="Hours to decide a note", min_value=1, max_value=MAX_HOURS)
    seconded = forms.MultipleChoiceField(
        label="Which findings need a second reviewer?",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=[(one.value, one.value.capitalize()) for one in DEFAULT_SERVICE_HOURS],
    )
    reason = forms.CharField(label="Why it is arranged so", max_length=300)
