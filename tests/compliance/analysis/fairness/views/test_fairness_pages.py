"""Pages of fairness: without data, without signals, with a signal; acknowledging one; returns of a table."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client

from compliance.analysis.fairness.examination.daily_examination import examine_day
from compliance.analysis.fairness.models import Signal, SignalAcknowledgement
from compliance.analysis.fairness.views.common import format_probability
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.analysis.fairness.dice_play import (
    AFTER,
    DAY,
    SIX_ALWAYS,
    play_many,
    results,
    signal_by_hand,
    with_dice,
)
from tests.compliance.analysis.fairness.statistics.test_payout_drift import examined, on_small
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.tables.equipment.builders import NSW, Floor

FAIRNESS = "/casinos/harbour/fairness/"


def text(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def signalled(floor: Floor) -> Signal:
    with_dice(floor, results(SIX_ALWAYS))
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    return Signal.objects.get(subject_kind="dice")


def test_nothing_was_examined_yet(floor: Floor) -> None:
    floor.table(NSW)
    browser = browser_of(floor.crew.gina)
    assert "No gaming day was examined yet" in text(browser, FAIRNESS)
    assert "No signal. Where rounds were played" in text(browser, f"{FAIRNESS}signals/")
    assert "No gaming day of this table was examined yet" in text(browser, f"{FAIRNESS}tables/sb-1/")
    assert browser.get(f"{FAIRNESS}tables/sb-1/chart.svg").status_code == 404


def test_a_day_without_a_test_says_nothing_of_chance(floor: Floor) -> None:
    floor.table(NSW)
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    page = text(browser_of(floor.crew.gina), FAIRNESS)
    assert "Nothing was tested yet.</strong> 1 gaming day examined" in page
    assert "what chance gives" not in page


def test_all_is_well(floor: Floor) -> None:
    with_dice(floor, results())
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    page = text(browser_of(floor.crew.gina), FAIRNESS)
    assert "<strong>No signal.</strong> 1 gaming day examined, 12 tests made" in page
    assert "Dice set set-1" in page
    assert "at most 1 %" in page
    assert page.count("No signal</strong>") >= 2


@pytest.mark.parametrize(
    ("figure", "said"), [("0.235", "0.235"), ("1", "1"), ("2.14e-15", "2.14 × 10⁻¹⁵"), ("5.25e-07", "5.25 × 10⁻⁷")]
)
def test_a_figure_that_is_rare_is_written_for_people_and_for_machines(figure: str, said: str) -> None:
    assert format_probability(figure) == f'<data class="figure" value="{figure}">{said}</data>'


def test_a_signal_in_plain_words_with_its_picture_and_its_rounds(floor: Floor) -> None:
    signal = signalled(floor)
    browser = browser_of(floor.crew.gina)
    page = text(browser, signal.get_absolute_url())
    for words in (
        "Nothing is proved.",
        "have them measured",
        "At sb-1, rule 5.4 of",
        "This signal voids nothing.",
        "6 of 6 figures lie outside the bounds of chance: 1, 2, 3, 4, 5, 6.",
        "1 to 50 of 200",
        "chi-square with 5 degrees of freedom",
        "Nobody looked yet",
        " × 10⁻",
    ):
        assert words in page, words
    picture = browser.get(f"{signal.get_absolute_url()}chart.svg")
    assert picture["Content-Type"] == "image/svg+xml"
    assert "Counted" in "".join(ElementTree.fromstring(picture.content).itertext())  # noqa: S314 - our own
    taken = browser.get(f"{signal.get_absolute_url()}?rounds-format=csv")
    lines = b"".join(taken.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 201
    assert "6-6-6" in lines[1]
    assert "set-1" in lines[1]
    assert "FAIR-FACES" in text(browser, f"{FAIRNESS}signals/?subject_kind=dice&state=unseen")
    assert "No signal." in text(browser, f"{FAIRNESS}signals/?code=FAIR-RETURN")


def test_marking_a_signal_keeps_the_note_and_what_was_typed(floor: Floor) -> None:
    floor.table(NSW)
    signal = signal_by_hand(floor.house.casino, AFTER)
    gina, address = browser_of(floor.crew.gina), f"{signal.get_absolute_url()}looked-at/"
    assert "1 signal that nobody looked at" in text(gina, "/")
    empty = gina.post(address, {"note": ""}).content.decode()
    assert "Error:" in empty
    too_long = gina.post(address, {"note": "Measured. " * 101}).content.decode()
    assert "Measured. Measured." in too_long
    assert not SignalAcknowledgement.objects.exists()
    answer = gina.post(address, {"note": "Taken away <b>to be</b> measured."}, follow=True)
    page = answer.content.decode()
    assert "Taken away &lt;b&gt;to be&lt;/b&gt; measured." in page
    assert "Gina, games supervisor" in page
    seen = SignalAcknowledgement.objects.get()
    [entry] = read_entries("harbour", seen.entry_index, seen.entry_index + 1)
    assert entry.kind == "fairness-signal-seen"
    assert "that nobody looked at" not in text(gina, "/")
    assert "No signal." in text(gina, f"{FAIRNESS}signals/?state=unseen")
    assert browser_of(floor.shirin).get(address).status_code == 404


def test_what_came_back_at_a_table(floor: Floor) -> None:
    floor.table(NSW)
    outcomes = results(rounds=40)
    play_many(floor, outcomes, wagers=on_small(outcomes))
    examined(floor)
    browser = browser_of(floor.crew.gina)
    page = text(browser, f"{FAIRNESS}tables/sb-1/")
    assert "The month 2026-11" in page
    assert ">Small</th>" in page
    assert "97.2222%" in page
    assert "$3,888.89" in page
    assert re.search(r"By the last day \$[\d,]+\.\d\d (more|less) than the average", page)
    assert "deviations from the average" in page
    assert browser.get(f"{FAIRNESS}tables/sb-1/chart.svg?month=2026-11")["Content-Type"] == "image/svg+xml"
    assert text(browser, f"{FAIRNESS}tables/sb-1/?month=1999-01&format=nonsense")


def test_help_says_what_was_measured(floor: Floor) -> None:
    page = text(browser_of(floor.crew.gina), "/help/fairness/")
    assert "Measured with 200 simulated dice sets of each sort" in page
    assert "A six 5 points more often: 21.7 % instead of 16.7 %" in page
    assert "1,600 rounds" in page
    assert "51,200 rounds" in page
