"""Values that a list takes from its filter: the chosen ones, and the empty value for the rest."""

from datetime import date
from typing import Any

import pytest
from django import forms

from compliance.core.web.ui.forms import DayField, FilterForm, LocalDateTimeField, MoneyField


class EveryKind(FilterForm):
    words = forms.CharField(required=False, max_length=5)
    state = forms.ChoiceField(required=False, choices=[("", "Any"), ("open", "Open")])
    last = forms.TypedChoiceField(required=False, coerce=int, choices=[(10, "10"), (20, "20")])
    is_late = forms.BooleanField(required=False)
    day = DayField(label="Day", required=False)
    since = LocalDateTimeField(required=False)
    over_cents = MoneyField(required=False)


NOTHING = {
    "words": "",
    "state": "",
    "last": "",
    "is_late": False,
    "day": None,
    "since": None,
    "over_cents": None,
}
NONSENSE = {
    "words": "longer",
    "state": "shut",
    "last": "11",
    "day": "tomorrow",
    "since": "later",
    "over_cents": "a lot",
}


def test_nothing_is_chosen_by_a_bare_address() -> None:
    assert EveryKind({}).valid_values() == NOTHING


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_counts_as_left_empty_and_leaves_the_rest(name: str) -> None:
    good = {"words": "dice", "day": "2026-11-16", "over_cents": "0"}
    taken: dict[str, Any] = NOTHING | {"words": "dice", "day": date(2026, 11, 16), "over_cents": 0}
    assert EveryKind(good | {name: NONSENSE[name]}).valid_values() == taken | {name: NOTHING[name]}
