"""Filters of the floor, of a table's rounds and of its timeline. Sent by GET, so that each result has a URL."""

from operator import itemgetter
from typing import Any

from django import forms

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, set_zone
from compliance.pages.floor_status import CLOSED, OPEN
from compliance.pages.search import LONGEST
from rounds.intake.entry_kinds import ROUND, STREAK_STATE
from rounds.ledger import EntryQuery
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulebook.models import RuleVersion

# Kinds recorded with every round, which hide the rare ones.
PER_ROUND_KINDS = (ROUND, STREAK_STATE)
NOT_ROUNDS = "not-rounds"
ROUND_COUNTS = (10, 20, 50, 100)


class SearchForm(FilterForm):
    q = forms.CharField(label="What you look for", required=False, max_length=LONGEST)


class FloorFilter(FilterForm):
    q = forms.CharField(label="Table", required=False, max_length=100)
    show = forms.ChoiceField(
        label="State", required=False, choices=[("", "All tables"), (OPEN, "Open"), (CLOSED, "Closed")]
    )
    rules = forms.ChoiceField(label="Rules", required=False)

    def __init__(self, *args: Any, versions: dict[str, RuleVersion], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.versions = versions
        field = self.fields["rules"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "All rules"), *((slug, version.title) for slug, version in versions.items())]


class RoundCountForm(FilterForm):
    """How many rounds to show at once."""

    last = forms.TypedChoiceField(
        label="Recall the last",
        required=False,
        coerce=int,
        choices=[(number, f"{number} rounds") for number in ROUND_COUNTS],
    )

    def round_count(self) -> int:
        return int(self.valid_values()["last"] or ROUND_COUNTS[0])


class TimelineFilter(FilterForm):
    kind = forms.ChoiceField(label="What", required=False)
    since = LocalDateTimeField(label="Recorded from", required=False)
    until = LocalDateTimeField(label="Recorded before", required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = self.fields["kind"]
        assert isinstance(kinds, forms.ChoiceField)
        known = sorted(((kind, kind.label) for kind in ledger_kinds.registered_kinds()), key=itemgetter(1))
        kinds.choices = [("", "Everything"), (NOT_ROUNDS, "Everything but rounds and streaks"), *known]
        set_zone(self, casino.zone)

    def to_query(self, table: str) -> EntryQuery | None:
        """None if the input is invalid; the page shows why."""
        if not self.is_valid():
            return None
        typed = self.cleaned_data
        is_without_rounds = typed["kind"] == NOT_ROUNDS
        return EntryQuery(
            table=table,
            kind="" if is_without_rounds else typed["kind"],
            other_than_kinds=PER_ROUND_KINDS if is_without_rounds else (),
            since=typed["since"],
            until=typed["until"],
        )
