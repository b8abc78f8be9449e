"""Forms of the disputes pages. Decisions and closing require reauthentication."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.models import Casino, RoleAssignment
from compliance.core.accounts.roles import Role
from compliance.core.web.files.uploads import ACCEPT
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, MoneyField, doubts_about_time, set_zone
from compliance.disputes import entry_bodies
from compliance.disputes.attachments import MAX_FILE_BYTES, MAX_FILES
from compliance.disputes.ladder.rungs import Ladder
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute
from compliance.disputes.permissions import current_roles
from compliance.disputes.selectors import COUNT_BY_LABELS
from compliance.disputes.subject.disputed_entry import DisputedEntry
from compliance.disputes.subject.plausible_amounts import (
    decided_cents,
    describe_owed,
    doubts_about_decision,
    doubts_about_payment,
    paid_cents,
)
from rounds.engine.money import format_cents
from rounds.floor.models import Table

NO_NAMES_HINT = "Do not name the patron here: it stays in the ledger for ever."
MAX_TEXT_LENGTH = 4_000
LANGUAGES = ("English", "Mandarin", "Cantonese", "Vietnamese", "Malay", "Korean", "Arabic", "Other")


def radio_field(label: str, choices: dict[str, str], **kwargs: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(choices.items()), widget=forms.RadioSelect, **kwargs)


def textarea_field(label: str, hint: str = NO_NAMES_HINT, rows: int = 3, **kwargs: Any) -> forms.CharField:
    return forms.CharField(
        label=label, help_text=hint, max_length=MAX_TEXT_LENGTH, widget=forms.Textarea({"rows": rows}), **kwargs
    )


def language_field() -> forms.ChoiceField:
    return forms.ChoiceField(label="In which language", choices=[(word, word) for word in LANGUAGES])


class DisputeFilter(FilterForm):
    words = forms.CharField(label="Dispute or round", required=False, max_length=64)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any"), *DisputeState.choices])
    table = forms.CharField(label="Table", required=False, max_length=50)
    overdue = forms.BooleanField(label="Overdue only", required=False)


class CountFilter(FilterForm):
    by = forms.ChoiceField(label="Count by", required=False, choices=list(COUNT_BY_LABELS.items()))


class MultipleFileInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class MultipleFilesField(forms.FileField):
    """Several files, each checked by content when it is stored."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", MultipleFileInput({"accept": ACCEPT, "multiple": True}))
        super().__init__(**kwargs)

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        if not data:
            super().clean(None, initial)
        return [super(MultipleFilesField, self).clean(one, initial) for one in data or []]


class MatterForm(forms.Form):
    """Anything that is neither a recorded round nor a promotion: chips, a closing, a refusal, the meaning of a rule."""

    description = textarea_field(
        "What is it about?",
        f"Such as: chips that were not redeemed, a table that closed, a wager that was refused. {NO_NAMES_HINT}",
        error_messages={"required": "Describe what it is about."},
    )
    table = forms.ChoiceField(label="At which table", required=False, help_text="If it was at one.")
    happened_at = LocalDateTimeField(label="When it happened")

    def __init__(self, *args: Any, casino: Casino, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now
        set_zone(self, casino.zone)
        tables = Table.objects.filter(casino=casino).order_by("name", "slug")
        field = self.fields["table"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "At no table"), *((table.slug, table.name) for table in tables)]

    def clean_happened_at(self) -> datetime:
        when: datetime = self.cleaned_data["happened_at"]
        if when > self.now:
            raise forms.ValidationError("That is still to come. Enter when it happened.")
        return when


class NewDisputeForm(forms.Form):
    """Filled in at the table, with the patron waiting."""

    wagers = forms.MultipleChoiceField(
        label="Which wagers?",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Tick the wagers in question, or none if it is about something else.",
    )
    grounds = radio_field(
        "What is it about?", entry_bodies.GROUNDS, error_messages={"required": "Choose what it is about."}
    )
    category = forms.ChoiceField(label="Under the rules this is one of", required=False, widget=forms.RadioSelect)
    statement = textarea_field(
        "What does the patron say?",
        "In their words as far as you can. It is kept beside the ledger.",
        rows=4,
        error_messages={"required": "Write down what the patron says."},
    )
    present = forms.MultipleChoiceField(
        label="Who was present?",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=list(entry_bodies.PRESENT.items()),
    )
    patron_name = forms.CharField(
        label="Name of the patron",
        required=False,
        max_length=120,
        help_text="Only if it is needed to reach or pay them. Each look at it is recorded.",
        widget=forms.TextInput({"data-personal": "", "autocomplete": "off"}),
    )
    patron_contact = forms.CharField(
        label="How they can be reached",
        required=False,
        max_length=200,
        widget=forms.TextInput({"data-personal": "", "autocomplete": "off"}),
    )
    papers = MultipleFilesField(
        label="Photographs or papers",
        required=False,
        help_text=f"JPEG, PNG or PDF, up to {MAX_FILE_BYTES // 1024 // 1024} MB each, {MAX_FILES} at most.",
    )

    def __init__(self, *args: Any, subject: DisputedEntry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.subject = subject
        self.assessments = subject.assess_wagers()
        self._set_choices("wagers", [(each.wager_id, each.wager_id) for each in self.assessments])
        covers = subject.ladder.covers
        self._set_choices("category", [(words, words[:1].upper() + words[1:]) for words in covers])
        if len(covers) < 2:
            del self.fields["category"]
        if not self.assessments:
            del self.fields["wagers"]
        if subject.is_promotion:
            self._set_choices(
                "grounds", [(key, entry_bodies.GROUNDS[key]) for key in entry_bodies.GROUNDS_OF_PROMOTIONS]
            )
            self.initial.setdefault("grounds", "promotion")

    def _set_choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def patron_details(self) -> dict[str, str]:
        named = {"name": self.cleaned_data["patron_name"], "contact": self.cleaned_data["patron_contact"]}
        return {key: value for key, value in named.items() if value}


class AttachForm(forms.Form):
    papers = MultipleFilesField(
        label="Photographs or papers",
        help_text=f"JPEG, PNG or PDF, up to {MAX_FILE_BYTES // 1024 // 1024} MB each.",
        error_messages={"required": "Choose a file."},
    )


class DisputeDecisionForm(ReauthenticateForm):
    outcome = radio_field("Decision", entry_bodies.OUTCOMES, error_messages={"required": "Choose the decision."})
    amount = MoneyField(label="To be paid to the patron", required=False)
    clause = forms.CharField(label="Clause it rests on", required=False, max_length=32)
    reasons = textarea_field("Reasons", error_messages={"required": "Give the reasons for the decision."})
    in_absence = forms.BooleanField(required=False)

    def __init__(self, *args: Any, dispute: Dispute, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dispute, rung = dispute, dispute.current_rung
        self.fields["amount"].help_text = f"{describe_owed(dispute)} Leave it empty if nothing is to be paid.".strip()
        if rung.absent and self._may_be_absent(dispute):
            self.fields["in_absence"].label = f"No {rung.decided_by} was there, so I decide as {rung.absent}"
        else:
            del self.fields["in_absence"]

    def _may_be_absent(self, dispute: Dispute) -> bool:
        """Nobody of the rank named first decides because none was there."""
        return dispute.current_rung.may_be_absent(current_roles(self.person, dispute.casino))

    def decision(self) -> entry_bodies.DecisionBody:
        known = self.cleaned_data
        return entry_bodies.DecisionBody(
            outcome=known["outcome"],
            reasons=known["reasons"],
            clause=known["clause"],
            amount_cents=known["amount"] or 0,
            in_absence=known.get("in_absence", False),
        )

    def doubts(self) -> list[str]:
        return doubts_about_decision(self.dispute, self.cleaned_data["outcome"], self.cleaned_data["amount"] or 0)


class RecordDecisionForm(DisputeDecisionForm):
    """For a decision that was made at the table before it was recorded."""

    decider = forms.ChoiceField(label="Who decided")
    rung = forms.ChoiceField(label="Which step")
    at = LocalDateTimeField(label="When it was decided")
    field_order = ("decider", "rung", "at")

    def __init__(self, *args: Any, dispute: Dispute, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, dispute=dispute, **kwargs)
        held = RoleAssignment.objects.current().filter(casino=dispute.casino, user__is_active=True)
        people = held.select_related("user").order_by("user__name", "role")
        self._set_choices(
            "decider", [(f"{one.user_id}:{one.role}", f"{one.user}, {Role(one.role).label.lower()}") for one in people]
        )
        self._set_choices("rung", [(str(place), rung.title) for place, rung in enumerate(dispute.ladder.rungs)])
        self.now = now
        set_zone(self, dispute.casino.zone)

    def _may_be_absent(self, dispute: Dispute) -> bool:
        """What happened is recorded as it happened; the audit flags it."""
        return True

    def clean_at(self) -> datetime:
        at: datetime = self.cleaned_data["at"]
        if at > self.now:
            raise forms.ValidationError("That time lies ahead. Enter when the decision was made.")
        return at

    def doubts(self) -> list[str]:
        at, zone = self.cleaned_data["at"], self.dispute.casino.zone
        return [*super().doubts(), *doubts_about_time(at, zone, self.now)]

    def _set_choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class PatronNotificationForm(forms.Form):
    told = textarea_field("What the patron was told")
    language = language_field()
    answer = radio_field(
        "What the patron answered", entry_bodies.ANSWERS, error_messages={"required": "Choose the answer."}
    )
    acknowledged = radio_field("Did the patron acknowledge it?", entry_bodies.ACKNOWLEDGED, initial="acknowledged")

    def __init__(self, *args: Any, ladder: Ladder, rung: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        answer = self.fields["answer"]
        assert isinstance(answer, forms.ChoiceField)
        above = ladder.rung_after(rung)
        if above is None:
            answer.choices = [(key, words) for key, words in entry_bodies.ANSWERS.items() if key != "review"]
        else:
            answer.help_text = f"A review goes to {above.who} (clause {above.clause})."


class PaymentForm(ReauthenticateForm):
    way = radio_field("What was done", entry_bodies.PAYMENTS)
    amount = MoneyField(label="Amount", min_cents=1)
    wager = forms.ChoiceField(label="For which wager", required=False)
    note = forms.CharField(label="Note", required=False, max_length=300, help_text=NO_NAMES_HINT)

    def __init__(self, *args: Any, dispute: Dispute, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        wager = self.fields["wager"]
        assert isinstance(wager, forms.ChoiceField)
        disputed = [each.wager for each in dispute.wagers.all()]
        wager.choices = [("", "None in particular"), *((each, each) for each in disputed)]
        wager.initial = disputed[0] if len(disputed) == 1 else ""
        self.dispute, decided = dispute, decided_cents(dispute)
        amount = self.fields["amount"]
        if decided is None:
            amount.help_text = describe_owed(dispute)
        elif (remaining := decided - paid_cents(dispute)) > 0:
            amount.initial = remaining
            amount.help_text = f"{format_cents(remaining)} of the decided {format_cents(decided)} is not paid yet."
        else:
            amount.help_text = f"The decided amount of {format_cents(decided)} leaves nothing to pay."

    def doubts(self) -> list[str]:
        return doubts_about_payment(self.dispute, self.cleaned_data["way"], self.cleaned_data["amount"])


class AdviceForm(forms.Form):
    how = radio_field("How was the patron advised?", entry_bodies.ADVICE)
    language = language_field()
    email = forms.EmailField(
        label="E-mail address of the patron",
        required=False,
        help_text="Only to send the advice now; it is not kept.",
        widget=forms.EmailInput({"autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        known = self.cleaned_data
        if known.get("how") == "emailed" and not known.get("email") and "email" not in self.errors:
            self.add_error("email", "Enter the address to which it is sent.")
        return known


class CloseForm(ReauthenticateForm):
    reason = textarea_field("How it ended")


class CloseUnadvisedForm(ReauthenticateForm):
    reason = textarea_field("How it ended")
    unadvised_because = textarea_field("Why the patron could not be advised")


class ComplaintForm(forms.Form):
    received = radio_field("How did the complaint come?", entry_bodies.RECEIVED)


class NoteForm(forms.Form):
    text = textarea_field("Note", "For inspectors and authority officers only. The operator cannot read it.", rows=5)


class RequestForm(forms.Form):
    what = radio_field("What do you ask for?", entry_bodies.REQUESTS)
    question = textarea_field("What exactly", "For footage: which cameras, from when to when.")
    due_on = forms.DateField(
        label="By which day",
        widget=forms.DateInput({"type": "date", "class": "input-short"}),
        error_messages={"required": "Enter the day by which it is due.", "invalid": "Enter a day."},
    )


class RequestAnswerForm(forms.Form):
    text = textarea_field("Answer")


class DeterminationForm(ReauthenticateForm):
    outcome = radio_field("Outcome", entry_bodies.FINDINGS)
    amount = MoneyField(label="To be paid to the patron", required=False)
    reasons = textarea_field("Reasons", "The letter to the patron states them. " + NO_NAMES_HINT, rows=5)

    def __init__(self, *args: Any, dispute: Dispute, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dispute = dispute
        self.fields["amount"].help_text = describe_owed(dispute)

    def doubts(self) -> list[str]:
        return doubts_about_decision(self.dispute, self.cleaned_data["outcome"], self.cleaned_data["amount"] or 0)

    def determination(self) -> entry_bodies.InspectorDeterminationBody:
        known = self.cleaned_data
        return entry_bodies.InspectorDeterminationBody(
            outcome=known["outcome"], reasons=known["reasons"], amount_cents=known["amount"] or 0
        )


class LetterForm(forms.Form):
    how = radio_field("How does it go?", {"handed-over": "Handed over", "posted": "Posted", "emailed": "By e-mail"})


class ServiceLevelForm(ReauthenticateForm):
    hours = forms.IntegerField(label="Hours", min_value=1, max_value=8760)


class OwnProcedureForm(ReauthenticateForm):
    text = textarea_field(
        "How the operator deals with disputes", "Shown wherever the rules of the game are silent.", rows=8
    )
