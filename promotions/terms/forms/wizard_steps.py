"""Wizard pages: one form for each item that a rule pack requires."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import is_ambiguous_time
from compliance.core.web.ui.forms import LocalDateTimeField, MoneyField, confirm_old_times, set_zone
from promotions.terms.content.completeness import contradictions
from promotions.terms.content.labels import section_title
from promotions.terms.content.prize_rules import needs_scrutineer
from promotions.terms.content.terms import NO_WAGER, Terms
from promotions.terms.models import MAX_NAME_LENGTH
from rounds.engine import Promotions
from rounds.ledger import encode_timestamp

MAX_TEXT_LENGTH = 4000


class TextArea(forms.CharField):
    def __init__(self, *, rows: int = 4, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_TEXT_LENGTH, widget=forms.Textarea({"rows": rows}), **kwargs)


class LocalTimesField(forms.CharField):
    """Local times, one a line; aware datetimes in Python. A time that happens twice, because clocks go back, is
    followed by "first" or "second"."""

    LINE = re.compile(r"(?P<time>\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2})(?: (?P<turn>first|second))?")
    TURNS = ("first", "second")
    EXAMPLE = "2026-11-20 20:00"
    # By code of the errors of LocalDateTimeField, whose input this field does not have.
    ERRORS: ClassVar = {
        "not-a-time": f"“{{}}” is not a time like {EXAMPLE}. Write one such time a line.",
        "missing-time": "“{}” never happens, because clocks go forward over it.",
        "twofold-time": "“{0}” happens twice, because clocks go back. Write “{0} first” or “{0} second”.",
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.Textarea({"rows": 3}), **kwargs)
        self.time = LocalDateTimeField()

    def clean(self, value: Any) -> Any:
        return sorted(self._parse_line(line.strip()) for line in super().clean(value).splitlines() if line.strip())

    def _parse_line(self, line: str) -> datetime:
        found = self.LINE.fullmatch(line)
        if found is None:
            raise ValidationError(self.ERRORS["not-a-time"].format(line))
        turn = str(self.TURNS.index(found["turn"])) if found["turn"] else ""
        try:
            time: datetime = self.time.clean((found["time"], turn))
        except ValidationError as error:
            raise ValidationError(self.ERRORS[str(error.code)].format(line)) from None
        return time

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        times = (datetime.fromisoformat(each).astimezone(self.time.zone) for each in value)
        return "\n".join(
            f"{time:%Y-%m-%d %H:%M}" + (f" {self.TURNS[time.fold]}" if is_ambiguous_time(time) else "")
            for time in times
        )


class StepForm(forms.Form):
    """One wizard page. Shows the saved answer and returns the new one as plain JSON values."""

    item: ClassVar[str] = ""
    lede: ClassVar[str] = ""

    def __init__(self, data: Any = None, *, terms: Terms, casino: Casino, duties: Promotions) -> None:
        self.terms, self.casino, self.duties = terms, casino, duties
        super().__init__(data, initial=self.initial_answer(terms))
        set_zone(self, casino.zone)
        self.add_rule_choices()

    def add_rule_choices(self) -> None:
        """Hook for choices that depend on the casino's rules."""

    def initial_answer(self, terms: Terms) -> dict[str, Any]:
        answer = dict(terms.answer_for(self.item))
        for name, field in self.base_fields.items():
            if isinstance(field, LocalDateTimeField) and answer.get(name):
                answer[name] = datetime.fromisoformat(answer[name])
        return answer

    def clean(self) -> dict[str, Any]:
        """Times that contradict the rest of the terms are corrected before filing. Those of a promotion that has begun
        are a fact: they are recorded, and the audit reports them."""
        if not self.errors and not self.terms.has_begun(timezone.now()):
            known = set(contradictions(self.terms))
            for found in contradictions(self.terms.with_answer(self.item, self.answer())):
                fields = [name for name in found.members if name in self.fields]
                if found not in known and fields:
                    self.add_error(fields[-1], found.sentence)
        typed = (value if isinstance(value, list) else [value] for value in self.cleaned_data.values())
        times = [each for values in typed for each in values if isinstance(each, datetime)]
        confirm_old_times(self, times, self.casino.zone, timezone.now())
        return self.cleaned_data

    def answer(self) -> Any:
        return {name: _encode_value(self.cleaned_data[name]) for name in self.base_fields if name in self.cleaned_data}


def _encode_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_encode_value(each) for each in value]
    return encode_timestamp(value) if isinstance(value, datetime) else value


class NameForm(StepForm):
    item = "name"
    name = forms.CharField(
        label="Name", max_length=MAX_NAME_LENGTH, help_text="As patrons will read it at the top of the terms."
    )

    def initial_answer(self, terms: Terms) -> dict[str, Any]:
        return {"name": terms.name}

    def answer(self) -> Any:
        return self.cleaned_data["name"]


class RunningForm(StepForm):
    item = "place-date-and-time-of-promotion"
    place = forms.CharField(label="Where it runs", max_length=300, help_text="Such as: the main gaming floor.")
    starts_at = LocalDateTimeField(label="When it starts")
    ends_at = LocalDateTimeField(label="When it ends")


class MannerForm(StepForm):
    item = "manner-of-award"
    text = TextArea(
        label="How the prizes are awarded", help_text="Such as: one entry is drawn from a barrel for each prize."
    )
    wins = forms.ChoiceField(
        label="Can the same entry win more than once?",
        choices=[("once", "No, each entry wins at most one prize"), ("several", "Yes")],
        widget=forms.RadioSelect,
        required=False,
    )


class AwardingForm(StepForm):
    item = "when-and-where-awarded"
    awarded_at = LocalDateTimeField(label="When the prizes are drawn or awarded")
    where = forms.CharField(label="Where", max_length=300)
    earlier_at = LocalTimesField(
        label="Earlier draws",
        required=False,
        help_text=f"Only if there are several draws: the others, one a line, such as {LocalTimesField.EXAMPLE}.",
    )

    def add_rule_choices(self) -> None:
        earlier = self.fields["earlier_at"]
        assert isinstance(earlier, LocalTimesField)
        earlier.time = LocalDateTimeField(zone=self.casino.zone)


class ClosingForm(StepForm):
    item = "closing-of-entries"
    closes_at = LocalDateTimeField(label="When entries close")


class WagerForm(StepForm):
    item = "minimum-wager"
    kind = forms.ChoiceField(
        label="Must players wager to take part?",
        choices=[
            (NO_WAGER, "No wager is needed"),
            ("minimum", "Yes, at least an amount"),
            ("compulsory", "Yes, exactly an amount"),
        ],
        widget=forms.RadioSelect,
    )
    cents = MoneyField(label="How much", required=False, min_cents=1)
    text = TextArea(label="What else patrons should know about it", required=False, rows=3)

    def clean(self) -> dict[str, Any]:
        super().clean()
        kind = self.cleaned_data.get("kind")
        if kind == NO_WAGER:
            self.cleaned_data["cents"] = None
        elif kind and not self.cleaned_data.get("cents") and "cents" not in self.errors:
            self.add_error("cents", "Enter the amount of the wager.")
        return self.cleaned_data


class ClaimingForm(StepForm):
    item = "method-of-claiming"
    text = TextArea(label="How a prize is claimed", help_text="Where, by when, and what to bring.")
    presence = forms.ChoiceField(
        label="Must entrants be present at the draw?",
        choices=[("required", "Yes, only those present can win"), ("not-required", "No")],
        widget=forms.RadioSelect,
    )


class WinnerNotificationForm(StepForm):
    item = "notification-of-winner"
    methods = forms.MultipleChoiceField(label="Winners are told", widget=forms.CheckboxSelectMultiple)
    text = TextArea(label="What else patrons should know about it", required=False, rows=3)

    def add_rule_choices(self) -> None:
        methods = self.fields["methods"]
        assert isinstance(methods, forms.MultipleChoiceField)
        methods.choices = [
            (method, method.replace("-", " ").capitalize()) for method in self.duties.notification.methods
        ]


class ScrutineerForm(StepForm):
    item = "scrutineer"
    lede = "Somebody the casino nominates, who oversees the draw and confirms afterwards how it was held."
    name = forms.CharField(label="Name of the scrutineer", max_length=120)

    def add_rule_choices(self) -> None:
        """One may be named where none is needed, such as in terms that begin like earlier ones."""
        name = self.fields["name"]
        name.required = needs_scrutineer(self.terms.prizes, self.duties)
        if not name.required:
            name.help_text = "No prize of these terms needs one. Leave it empty if the terms are to name none."


def _make_text_form(item: str, label: str, hint: str = "", lede: str = "") -> type[StepForm]:
    field = TextArea(label=label, help_text=hint)
    return type("TextStep", (StepForm,), {"item": item, "lede": lede, "text": field})


STEPS: Mapping[str, type[StepForm]] = {
    "name": NameForm,
    "place-date-and-time-of-promotion": RunningForm,
    "manner-of-award": MannerForm,
    "when-and-where-awarded": AwardingForm,
    "eligibility": _make_text_form(
        "eligibility", "Who can win", "What a player must be or do: age, membership, play, limits on entries."
    ),
    "minimum-wager": WagerForm,
    "nature-and-qualifications": _make_text_form(
        "nature-and-qualifications",
        "What the prize is",
        "And any qualification, reservation or guarantee. If there is none, say so.",
    ),
    "closing-of-entries": ClosingForm,
    "method-of-claiming": ClaimingForm,
    "notification-of-winner": WinnerNotificationForm,
    "publication-of-results": _make_text_form(
        "publication-of-results", "How results are published", "Where and when anybody can read who won."
    ),
    "scrutineer": ScrutineerForm,
}


def step_for(item: str) -> Callable[..., StepForm]:
    """An item of a new rule pack without a form of its own gets a plain text field."""
    return STEPS.get(item) or _make_text_form(item, section_title(item))


def wizard_items(duties: Promotions) -> list[tuple[str, str]]:
    """Wizard pages in order, each with its clause. Details of prizes are part of the prize pages."""
    from_pack = [(item.item, item.clause) for item in duties.terms if not item.details]
    order = [*STEPS, "prizes-and-values"]
    known = sorted(from_pack, key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order))
    return [("name", duties.clause), *known, ("scrutineer", duties.scrutineer.clause)]
