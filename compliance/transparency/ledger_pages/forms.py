"""Forms for searching a log and for requesting a bundle."""

import re
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import LocalDateTimeField, PeriodMixin, set_zone
from compliance.transparency.ledger_pages.selectors import search_terms_for_people
from compliance.transparency.ledger_pages.services import MAX_CHOSEN
from rounds.floor.models import Table
from rounds.ledger import EntryQuery
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.transparency_log import tree

MAX_TEXT_LENGTH = 200
CHOSEN_PATTERN = re.compile(r"(\d{1,18})(?:\s*[-–]\s*(\d{1,18}))?")
# Longer input is shortened in error messages.
MAX_QUOTED = 40


class EntrySearchForm(forms.Form):
    table = forms.CharField(label="Table", required=False, max_length=MAX_TEXT_LENGTH)
    round = forms.CharField(label="Round", required=False, max_length=MAX_TEXT_LENGTH)
    kind = forms.ChoiceField(label="Kind of entry", required=False)
    person = forms.CharField(
        label="Person",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        help_text="A name, part of one, or an e-mail address.",
    )
    since = LocalDateTimeField(label="Recorded from", required=False)
    until = LocalDateTimeField(label="Recorded before", required=False)
    index = forms.IntegerField(label="Entry number", required=False, min_value=0, max_value=tree.MAX_SIZE)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.casino = casino
        kinds = self.fields["kind"]
        assert isinstance(kinds, forms.ChoiceField)
        kinds.choices = [("", "Any kind"), *((kind, kind) for kind in ledger_kinds.registered_kinds())]
        set_zone(self, casino.zone)

    def to_query(self) -> EntryQuery | None:
        """The query; None if the form is invalid, and the page shows why."""
        if not self.is_valid():
            return None
        typed = self.cleaned_data
        return EntryQuery(
            table=typed["table"],
            round=typed["round"],
            kind=typed["kind"],
            since=typed["since"],
            until=typed["until"],
            people=search_terms_for_people(self.casino, typed["person"]) if typed["person"] else None,
        )


class CompletenessForm(PeriodMixin):
    """The table and period of a completeness statement."""

    table = forms.ChoiceField(label="Table", error_messages={"required": "Choose a table."})
    since = LocalDateTimeField(label="Recorded from", error_messages={"required": "Enter the time from which on."})
    until = LocalDateTimeField(label="To, not included", error_messages={"required": "Enter the time before which."})

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = self.fields["table"]
        assert isinstance(tables, forms.ChoiceField)
        known = Table.objects.filter(casino=casino).order_by("slug").values_list("slug", "name")
        tables.choices = [("", "Choose a table"), *((slug, f"{name} ({slug})") for slug, name in known)]
        set_zone(self, casino.zone)


class EntryNumbersField(forms.CharField):
    """Entry numbers as people write them: 12, 90, 95-99."""

    def to_python(self, value: Any) -> list[int]:  # type: ignore[override]
        if isinstance(value, list):
            return value
        chosen: set[int] = set()
        for part in filter(None, re.split(r"[\s,;]+(?![-–])", re.sub(r"\s*[-–]\s*", "-", value or ""))):
            match = CHOSEN_PATTERN.fullmatch(part)
            if match is None:
                typed = part if len(part) <= MAX_QUOTED else f"{part[:MAX_QUOTED]}…"
                raise ValidationError(f"“{typed}” is not an entry number. Write them like this: 12, 90, 95-99.")
            first, last = int(match[1]), int(match[2] or match[1])
            if last - first >= MAX_CHOSEN:
                raise ValidationError(f"Choose at most {MAX_CHOSEN:,} single entries.")
            chosen.update(range(first, last + 1))
        return sorted(chosen)


def _date_input() -> forms.DateInput:
    return forms.DateInput({"type": "date"}, format="%Y-%m-%d")


class BundleForm(forms.Form):
    """Four ways to choose the content; only the fields of the chosen one are validated."""

    TIMES, RANGE, CHOSEN, DAYS = "times", "range", "chosen", "days"

    what = forms.ChoiceField(
        label="What do you want to take away?",
        widget=forms.RadioSelect,
        choices=[
            (TIMES, "Everything recorded between two times"),
            (RANGE, "Everything from one entry to another"),
            (CHOSEN, "Only some entries, each with its own proof"),
            (DAYS, "Wagers and verdicts of some gaming days, as Parquet files for analysis"),
        ],
        error_messages={"required": "Choose what you want to take away."},
    )
    since = LocalDateTimeField(label="From", required=False)
    until = LocalDateTimeField(label="To, not included", required=False)
    first = forms.IntegerField(label="First entry", required=False, min_value=0)
    last = forms.IntegerField(label="Last entry", required=False, min_value=0)
    chosen = EntryNumbersField(
        label="Entries",
        required=False,
        max_length=20_000,
        help_text="Their numbers, such as 12, 90, 95-99. Nothing is told of the entries between them.",
    )
    first_day = forms.DateField(label="First gaming day", required=False, widget=_date_input())
    last_day = forms.DateField(label="Last gaming day, included", required=False, widget=_date_input())
    NEEDED: ClassVar = {
        TIMES: ("since", "until"),
        RANGE: ("first", "last"),
        CHOSEN: ("chosen",),
        DAYS: ("first_day", "last_day"),
    }
    MISSING: ClassVar = {
        "since": "Enter the time from which on.",
        "until": "Enter the time before which.",
        "first": "Enter the number of the first entry.",
        "last": "Enter the number of the last entry.",
        "chosen": "Enter at least one entry number.",
        "first_day": "Enter the first gaming day.",
        "last_day": "Enter the last gaming day.",
    }

    def __init__(self, *args: Any, casino: Casino, size: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.size = size
        set_zone(self, casino.zone)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        for name in self.NEEDED.get(typed.get("what", ""), ()):
            if name not in self.errors and typed.get(name) in (None, "", []):
                self.add_error(name, self.MISSING[name])
        for name in set(self.MISSING) - set(self.NEEDED.get(typed.get("what", ""), ())):
            self.errors.pop(name, None)
        if not self.errors:
            self._check_order(typed)
        return typed

    def _check_order(self, typed: dict[str, Any]) -> None:
        if typed["what"] == self.TIMES:
            since, until = typed["since"], typed["until"]
            assert isinstance(since, datetime)
            if until <= since:
                self.add_error("until", "The end must come after the beginning.")
        elif typed["what"] == self.RANGE:
            if typed["last"] < typed["first"]:
                self.add_error("last", "The last entry must not come before the first.")
            elif typed["last"] >= self.size:
                self.add_error("last", self._beyond_end_message())
        elif typed["what"] == self.DAYS:
            if typed["last_day"] < typed["first_day"]:
                self.add_error("last_day", "The last gaming day must not come before the first.")
        elif typed["chosen"][-1] >= self.size:
            self.add_error("chosen", self._beyond_end_message())

    def _beyond_end_message(self) -> str:
        return f"The log's last entry is {self.size - 1:,}." if self.size else "The log has no entries yet."
