"""Forms to request a trial, and filter forms of the lists."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.http import urlencode

from compliance.analysis.what_if.models import TotalDimension, Trial
from compliance.analysis.what_if.scope import TrialScope
from compliance.core.accounts.models import Casino
from compliance.core.web.jobs.job import JobState
from compliance.core.web.ui.forms import DayField, FilterForm
from rounds.engine import Pack
from rounds.floor.models import Table
from rounds.rulebook.labels import humanize_slug

ALL_TABLES = ("", "All")
READING_PREFIX = "reading-"
Choices = Sequence[tuple[str, str]]
GroupedChoices = Sequence[tuple[str, Choices]]


class ScopeForm(forms.Form):
    """Tables and gaming days of a trial. Empty fields do not narrow it."""

    tables = forms.MultipleChoiceField(
        label="Tables", required=False, widget=forms.CheckboxSelectMultiple, help_text="Every table, if you tick none."
    )
    first = DayField(label="First gaming day", required=False, help_text="From the first one on, if you leave it open.")
    last = DayField(label="Last gaming day", required=False, help_text="Included. Up to today, if you leave it open.")

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_choices(self.fields["tables"], [(table.slug, str(table)) for table in Table.objects.filter(casino=casino)])

    def clean(self) -> dict[str, Any]:
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last < first:
            self.add_error("last", "The last day must not come before the first.")
        return self.cleaned_data

    @property
    def scope(self) -> TrialScope:
        typed = self.cleaned_data
        return TrialScope(frozenset(typed["tables"]), typed["first"], typed["last"])

    def scope_query(self) -> str:
        """The query string for the next page, which has the same fields."""
        typed = self.cleaned_data
        days = {name: typed[name].isoformat() for name in ("first", "last") if typed[name]}
        return urlencode({"tables": typed["tables"], **days}, doseq=True)


def scope_initial(query: QueryDict) -> dict[str, Any]:
    """Initial values from the query string."""
    days = {name: query[name] for name in ("first", "last") if name in query}
    return {"tables": query.getlist("tables"), **days}


class TrialForm(ScopeForm):
    subject = forms.ChoiceField(label="What do you want to try?", error_messages={"required": "Choose what to try."})
    field_order = ("subject", "tables", "first", "last")

    def __init__(self, *args: Any, subjects: GroupedChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_choices(self.fields["subject"], [("", "Choose"), *subjects])


class TrialReadingsForm(ScopeForm):
    """One field per reading of the pack, with the adopted choice preselected."""

    def __init__(self, *args: Any, pack: Pack, adopted: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, reading in pack.readings.items():
            self.fields[f"{READING_PREFIX}{name}"] = forms.ChoiceField(
                label=f"{humanize_slug(name)} (clause {reading.clause})",
                help_text=reading.explains,
                choices=[
                    (
                        choice,
                        f"{humanize_slug(choice)}{' (adopted)' if choice == adopted[name] else ''}: {meant.explains}",
                    )
                    for choice, meant in reading.choices.items()
                ],
                initial=adopted[name],
                widget=forms.RadioSelect,
            )
        self.order_fields([name for name in self.fields if name.startswith(READING_PREFIX)])

    @property
    def readings(self) -> dict[str, str]:
        typed = self.cleaned_data.items()
        return {name.removeprefix(READING_PREFIX): value for name, value in typed if name.startswith(READING_PREFIX)}


class TrialFilter(FilterForm):
    words = forms.CharField(label="Rules, number or person", required=False, max_length=100)
    state = forms.ChoiceField(label="State", required=False, choices=[ALL_TABLES, *JobState.choices])


class DifferenceFilter(FilterForm):
    table = forms.ChoiceField(label="Table", required=False)
    bet = forms.ChoiceField(label="Box", required=False)
    gaming_day = DayField(label="Gaming day", required=False)
    words = forms.CharField(label="Player, round or wager", required=False, max_length=120)

    def __init__(self, *args: Any, trial: Trial, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sums = trial.sums.filter(by__in=[TotalDimension.TABLE, TotalDimension.BET])
        for field, by in (("table", TotalDimension.TABLE), ("bet", TotalDimension.BET)):
            _set_choices(
                self.fields[field], [ALL_TABLES, *((one.name, one.name_label) for one in sums if one.by == by)]
            )


def _set_choices(field: forms.Field, choices: Sequence[Any]) -> None:
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
