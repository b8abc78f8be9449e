"""Forms of samples and checklists."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, MoneyField, PeriodMixin, set_zone
from compliance.inspection.checklists.answer_choices import (
    BASES_NEEDING_COMMENT,
    BASIS_MEANINGS,
    AnswerBasis,
    ClauseVerdict,
    RoundVerdict,
)
from compliance.inspection.checklists.sampling_factors import (
    FACTORS,
    MAX_ADDED_WEIGHT,
    ChosenFactor,
    Factor,
    ThresholdUnit,
)
from compliance.inspection.checklists.selectors import ClauseRow
from compliance.inspection.checklists.services import GivenAnswer
from compliance.inspection.checklists.services.samples import MAX_SAMPLE_SIZE
from rounds.engine.money import dollars
from rounds.floor.models import Table
from rounds.rulebook.selectors import versions_of

MAX_TEXT_LENGTH = 4000
# In the factor's unit, hours or days.
MAX_THRESHOLD = 366
ANY_CHOICE = ("", "Any")
BASIS_CHOICES = [(basis.value, f"{basis.label}: {words}") for basis, words in BASIS_MEANINGS.items()]


class PeriodForm(PeriodMixin):
    """A period in the casino's time zone."""

    since = LocalDateTimeField(label="From")
    until = LocalDateTimeField(label="Until, not included")

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_zone(self, casino.zone)


class SampleForm(PeriodForm):
    purpose = forms.CharField(label="What the sample is for", max_length=200)
    tables = forms.MultipleChoiceField(
        label="Tables", required=False, widget=forms.CheckboxSelectMultiple, help_text="None ticked: all of them."
    )
    size = forms.IntegerField(
        label="How many rounds",
        min_value=1,
        max_value=MAX_SAMPLE_SIZE,
        initial=25,
        help_text=f"At most {MAX_SAMPLE_SIZE:,}. Where fewer were played, all of them are drawn.",
    )
    field_order = ("purpose", "since", "until", "tables", "size")

    @property
    def factors(self) -> list[ChosenFactor]:
        return []

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        tables = self.fields["tables"]
        assert isinstance(tables, forms.MultipleChoiceField)
        known = Table.objects.filter(casino=casino).order_by("slug").values_list("slug", "name")
        tables.choices = [(slug, f"{name} ({slug})") for slug, name in known]


class WeightedSampleForm(SampleForm):
    """Adds fields for each factor: its number of tickets and, if it has one, its threshold."""

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        for factor in FACTORS.values():
            self.fields[factor.slug] = forms.IntegerField(
                label=f"{factor.label}: tickets more",
                min_value=0,
                max_value=MAX_ADDED_WEIGHT,
                initial=factor.added,
                help_text=factor.sentence.format(
                    "the amount below" if factor.unit == ThresholdUnit.CENTS else "the time below"
                ),
                required=False,
            )
            if factor.unit:
                self.fields[f"{factor.slug}-threshold"] = _threshold_field(factor)

    @property
    def factors(self) -> list[ChosenFactor]:
        typed = self.cleaned_data
        return [
            ChosenFactor(factor, typed[slug], typed.get(f"{slug}-threshold") or 0)
            for slug, factor in FACTORS.items()
            if typed.get(slug)
        ]

    def clean(self) -> dict[str, Any]:
        typed = super().clean()
        for slug, factor in FACTORS.items():
            name = f"{slug}-threshold"
            if typed.get(slug) and factor.unit and name not in self.errors and not typed.get(name):
                self.add_error(name, "Say how much, or let the factor add no tickets.")
        if not self.errors and not self.factors:
            self.add_error(None, "Let at least one factor add tickets, or draw a plain sample.")
        return typed


def _threshold_field(factor: Factor) -> forms.Field:
    if factor.unit == ThresholdUnit.CENTS:
        return MoneyField(
            label=f"{factor.label}: from which amount", min_cents=1, initial=dollars(factor.usual), required=False
        )
    return forms.IntegerField(
        label=f"{factor.label}: how many {factor.unit.value}",
        min_value=1,
        max_value=MAX_THRESHOLD,
        initial=factor.usual,
        required=False,
    )


class RoundCheckForm(forms.Form):
    verdict = forms.ChoiceField(
        label="What do you make of this round?",
        choices=RoundVerdict.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose whether the round is in order."},
    )
    note = forms.CharField(
        label="Your note",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 3}),
        help_text="Needed if it is not in order. For the inspectorate only: the operator does not see it.",
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("verdict") == RoundVerdict.NOT_IN_ORDER and not typed.get("note"):
            self.add_error("note", "Say what is not in order.")
        return typed


class ChecklistForm(PeriodForm):
    version = forms.ChoiceField(label="Rules", error_messages={"required": "Choose the rules to go through."})
    field_order = ("version", "since", "until")

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        self.versions = {str(one.pk): one for one in versions_of(casino).approved().order_by("rules", "-number")}
        versions = self.fields["version"]
        assert isinstance(versions, forms.ChoiceField)
        versions.choices = [(pk, str(one)) for pk, one in self.versions.items()]


class ClauseFilter(FilterForm):
    answer = forms.ChoiceField(
        label="Answer", required=False, choices=[ANY_CHOICE, ("none", "Not answered yet"), *ClauseVerdict.choices]
    )
    audit = forms.ChoiceField(
        label="The audit",
        required=False,
        choices=[
            ANY_CHOICE,
            ("found", "Has findings"),
            ("checked", "Checks it"),
            ("silent", "Is silent"),
            ("not", "Has no check for it"),
        ],
    )


class ClauseAnswerForm(forms.Form):
    verdict = forms.ChoiceField(
        label="Is the clause kept?",
        choices=ClauseVerdict.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose yes, no or not applicable."},
    )
    basis = forms.ChoiceField(
        label="What the answer rests on",
        choices=BASIS_CHOICES,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what the answer rests on."},
    )
    comment = forms.CharField(
        label="Comment",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text=(
            "Needed for examination and re-performance. It is signed with the checklist, and the operator reads it "
            "then. Do not name patrons."
        ),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, *args: Any, is_audited: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_audited:
            basis = self.fields["basis"]
            assert isinstance(basis, forms.ChoiceField)
            basis.choices = [(value, label) for value, label in BASIS_CHOICES if value != AnswerBasis.AUDIT]

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("basis") in BASES_NEEDING_COMMENT and not typed.get("comment"):
            done = "looked at" if typed["basis"] == AnswerBasis.EXAMINATION else "did"
            self.add_error("comment", f"Say what you {done}.")
        return typed

    def cleaned_answer(self) -> GivenAnswer:
        typed = self.cleaned_data
        return GivenAnswer(
            verdict=ClauseVerdict(typed["verdict"]), basis=AnswerBasis(typed["basis"]), comment=typed["comment"]
        )


class UncheckedClausesForm(ClauseAnswerForm):
    """One answer to several clauses that no check bears on, such as definitions."""

    clauses = forms.MultipleChoiceField(
        label="Clauses",
        widget=forms.CheckboxSelectMultiple,
        help_text="Tick only what your answer is right for. Those that only define or describe come first.",
        error_messages={"required": "Tick at least one clause."},
    )
    field_order = ("clauses", "verdict", "basis", "comment")

    def __init__(self, *args: Any, rows: Sequence[ClauseRow], **kwargs: Any) -> None:
        super().__init__(*args, is_audited=False, **kwargs)
        del self.fields["seen"]
        clauses, verdict = self.fields["clauses"], self.fields["verdict"]
        assert isinstance(clauses, forms.MultipleChoiceField)
        clauses.choices = [
            (row.said.clause, _clause_label(row)) for row in sorted(rows, key=lambda row: not row.said.is_informative)
        ]
        verdict.label = "Are these clauses kept?"


def _clause_label(row: ClauseRow) -> str:
    label = f"{row.said.clause}: {row.said.entry.gist}"
    return (
        f"{label} Only defines or describes. {row.said.entry.not_automated_because}"
        if row.said.is_informative
        else label
    )


class SignChecklistForm(ReauthenticateForm):
    conclusion = forms.CharField(
        label="Conclusion",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea({"rows": 4}),
        help_text="What it comes to, in your own words. It is part of what you sign.",
        error_messages={"required": "Write what it comes to."},
    )

    def __init__(self, data: Any = None, *, request: HttpRequest, rows: Sequence[ClauseRow]) -> None:
        super().__init__(data, request=request)
        self.rows = rows

    def doubts(self) -> list[str]:
        """What the answers and the audit say differently."""
        doubts = []
        if not any(row.said.rounds for row in self.rows):
            doubts.append("No round of this time was audited under these rules. The audit says nothing about it.")
        for row in self.rows:
            if row.is_contradicted:
                number = (
                    "1 finding of this time cites"
                    if row.said.cited == 1
                    else f"{row.said.cited:,} findings of this time cite"
                )
                doubts.append(f"{row.said.clause} is answered “Yes”, but {number} it.")
        return doubts
