"""Local times, through the two nights a year on which clocks change."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.core.exceptions import ValidationError

from compliance.core.web.local_time import format_local, is_ambiguous_time, is_nonexistent_time, with_local_clocks
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.forms import LocalDateTimeField

SYDNEY = ZoneInfo("Australia/Sydney")
EVENING = datetime(2026, 11, 16, 10, 22, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("It was placed at 10:21:00 UTC.", "It was placed at 21:21:00 AEDT."),
        (
            "Seen at 10:22:04.250000 UTC; closed at 10:22:05.000000 UTC.",
            "Seen at 21:22:04.25 AEDT; closed at 21:22:05 AEDT.",
        ),
        # The nearest such time: before the change of clocks there, or on the day before.
        ("It was placed at 23:59:59 UTC.", "It was placed at 10:59:59 AEDT."),
        ("No time is named.", "No time is named."),
    ],
)
def test_times_in_recorded_sentences_are_shown_in_local_time(sentence: str, shown: str) -> None:
    assert with_local_clocks(sentence, EVENING, SYDNEY) == shown


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (SYDNEY, "16 Nov 2026, 9:22 pm AEDT"),
        ("Asia/Singapore", "16 Nov 2026, 6:22 pm UTC+8"),
        ("Australia/Adelaide", "16 Nov 2026, 8:52 pm ACDT"),
        ("America/New_York", "16 Nov 2026, 5:22 am EST"),
        ("Asia/Kathmandu", "16 Nov 2026, 4:07 pm UTC+5:45"),
        (SimpleNamespace(zone=SYDNEY), "16 Nov 2026, 9:22 pm AEDT"),
        (None, "16 Nov 2026, 10:22 am UTC"),
    ],
)
def test_an_instant_is_told_in_the_zone_of_the_place(place: object, text: str) -> None:
    assert format_local(EVENING, place) == text


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        (datetime(2026, 11, 15, 13, 0, tzinfo=UTC), "16 Nov 2026, 12:00 am AEDT"),
        (datetime(2026, 11, 16, 1, 0, tzinfo=UTC), "16 Nov 2026, 12:00 pm AEDT"),
        (datetime(2027, 4, 3, 15, 30, tzinfo=UTC), "4 Apr 2027, 2:30 am AEDT"),
        (datetime(2027, 4, 3, 16, 30, tzinfo=UTC), "4 Apr 2027, 2:30 am AEST"),
    ],
)
def test_midnight_noon_and_the_doubled_hour(instant: datetime, text: str) -> None:
    assert format_local(instant, SYDNEY) == text


def test_the_page_has_local_time_to_read_and_utc_in_the_details() -> None:
    assert local(EVENING, SYDNEY) == (
        '<time datetime="2026-11-16T10:22:05Z" title="2026-11-16 10:22:05 UTC">16 Nov 2026, 9:22 pm AEDT</time>'
    )
    assert local(None, SYDNEY) == ""


def test_the_two_traps_of_a_clock_that_changes() -> None:
    gap, twice = datetime(2026, 10, 4, 2, 30, tzinfo=SYDNEY), datetime(2027, 4, 4, 2, 30, tzinfo=SYDNEY)
    assert [is_nonexistent_time(gap), is_ambiguous_time(gap)] == [True, False]
    assert [is_nonexistent_time(twice), is_ambiguous_time(twice)] == [False, True]
    hour = timedelta(hours=1)
    assert not any(
        is_nonexistent_time(at) or is_ambiguous_time(at) for at in (gap - hour, gap + hour, twice - hour, twice + hour)
    )


class OpeningForm(forms.Form):
    opens_at = LocalDateTimeField(zone=SYDNEY)


def opening(**typed: str) -> OpeningForm:
    return OpeningForm(typed)


def test_a_local_time_becomes_an_instant_in_utc() -> None:
    form = opening(opens_at="2026-11-16T21:22")
    assert form.is_valid()
    assert form.cleaned_data["opens_at"] == datetime(2026, 11, 16, 10, 22, tzinfo=UTC)
    assert form.cleaned_data["opens_at"].tzinfo is UTC


def test_a_form_sets_the_zone_when_it_knows_the_casino_and_leaves_others_alone() -> None:
    form = opening(opens_at="2026-11-16T21:22")
    field = form.fields["opens_at"]
    assert isinstance(field, LocalDateTimeField)
    field.zone = ZoneInfo("Asia/Singapore")
    assert form.is_valid()
    assert form.cleaned_data["opens_at"] == datetime(2026, 11, 16, 13, 22, tzinfo=UTC)
    assert "Singapore time" in str(form)
    assert "Sydney time" in str(opening(opens_at=""))


def test_a_time_that_never_happens_is_refused() -> None:
    assert opening(opens_at="2026-10-04T02:30").errors["opens_at"] == [
        "Clocks go forward over this time, so it never happens. Enter the time the clock showed."
    ]


def test_a_time_that_happens_twice_is_asked_about_and_then_believed() -> None:
    form = opening(opens_at="2027-04-04T02:30")
    assert "it happens twice" in form.errors["opens_at"][0]
    assert "The first time, in AEDT" in str(form)
    assert "The second time, in AEST" in str(form)
    first = opening(opens_at="2027-04-04T02:30", opens_at_turn="0")
    second = opening(opens_at="2027-04-04T02:30", opens_at_turn="1")
    assert first.is_valid()
    assert second.is_valid()
    assert first.cleaned_data["opens_at"] == datetime(2027, 4, 3, 15, 30, tzinfo=UTC)
    assert second.cleaned_data["opens_at"] == datetime(2027, 4, 3, 16, 30, tzinfo=UTC)


def test_an_ordinary_time_is_not_asked_about_even_if_an_old_answer_is_sent_along() -> None:
    form = opening(opens_at="2027-04-04T04:30", opens_at_turn="1")
    assert form.is_valid()
    assert form.cleaned_data["opens_at"] == datetime(2027, 4, 3, 18, 30, tzinfo=UTC)
    assert "Which of the two" not in str(form)


@pytest.mark.parametrize("typed", ["tomorrow", "2026-13-01T10:00", "2026-11-16T25:00"])
def test_what_is_no_time_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(ValidationError, match="Enter a date and a time, such as"):
        LocalDateTimeField(zone=SYDNEY).clean(typed)


def test_a_stored_instant_is_shown_back_on_the_casinos_clock() -> None:
    form = OpeningForm(initial={"opens_at": datetime(2026, 11, 16, 10, 22, tzinfo=UTC)})
    assert 'value="2026-11-16T21:22"' in str(form)
