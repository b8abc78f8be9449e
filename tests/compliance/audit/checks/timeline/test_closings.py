"""NSW 9.8 and 6.6: a sign for twenty minutes where players are present or a streak runs. SkyCity 8.g: officer
notified."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from compliance.audit.models import Finding
from compliance.notify.alerts.models import Alert
from compliance.tables.closures.services import close_in_emergency
from rounds.intake.protocol.fields import Position, Staff
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, RWS, SKYCITY, wager
from tests.compliance.audit.table_lines import TableReporter, after, notified
from tests.compliance.tables.signs.builders import use_rules_with_pausing_clock
from tests.rounds.floor.crew import print_rules

pytestmark = pytest.mark.django_db


def at_table(house: House, rules: str) -> TableReporter:
    house.open_table(rules=rules)
    table = TableReporter(house)
    table.opens(after(-60))
    return table


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return table.house.codes()


@pytest.fixture
def nsw(house: House) -> TableReporter:
    return at_table(house, "nsw-sic-bo")


def test_players_are_there_and_no_sign_was_up(nsw: TableReporter) -> None:
    nsw.closes(after(0))
    assert codes(nsw) == ["CLOSE-NO-SIGN"]
    finding = Finding.objects.get()
    assert finding.clause == "9.8"
    # 09:00 UTC on 16 November is 20:00 in Sydney.
    assert finding.sentence == "The table closed at 20:00:00 AEDT without a sign; 20 min of notice are due."


def test_nobody_is_there_but_a_streak_runs(nsw: TableReporter) -> None:
    nsw.closes(after(0), players=False, streak_in_progress=True)
    assert codes(nsw) == ["CLOSE-NO-SIGN"]


def test_nobody_is_there(nsw: TableReporter) -> None:
    nsw.closes(after(0), players=False)
    assert codes(nsw) == []


@pytest.mark.parametrize(
    ("minutes", "seconds", "found"),
    [(19, 59, ["CLOSE-SHORT-NOTICE"]), (20, 0, []), (20, 1, [])],
    ids=["just-under", "at", "just-over"],
)
def test_the_sign_stands_for_twenty_minutes(nsw: TableReporter, minutes: int, seconds: int, found: list[str]) -> None:
    nsw.shows("c", "closure", after(0), closure_at=after(minutes, seconds))
    nsw.closes(after(minutes, seconds), sign="c")
    assert codes(nsw) == found


@pytest.mark.parametrize(
    ("minutes", "seconds", "found"),
    [(19, 59, ["CLOSE-SHORT-NOTICE"]), (20, 0, []), (24, 0, [])],
    ids=["just-under", "at", "over"],
)
def test_an_opening_during_the_notice_leaves_the_sign_up(
    nsw: TableReporter, minutes: int, seconds: int, found: list[str]
) -> None:
    """A controller that restarts reports the table as opened again."""
    nsw.shows("c", "closure", after(0), closure_at=after(minutes, seconds))
    nsw.opens(after(10))
    nsw.closes(after(minutes, seconds), sign="c")
    assert codes(nsw) == found


def test_a_sign_of_an_earlier_closing_announces_no_second_one(nsw: TableReporter) -> None:
    nsw.shows("c", "closure", after(0), closure_at=after(20))
    nsw.closes(after(20), sign="c")
    nsw.opens(after(30))
    nsw.closes(after(60), sign="c")
    assert codes(nsw) == ["CLOSE-NO-SIGN"]


@pytest.mark.parametrize(("goes_on", "found"), [(False, ["CLOSE-SHORT-NOTICE"]), (True, [])])
def test_a_minute_down_restarts_the_clock_where_the_rules_say_so(
    house: House, goes_on: bool, found: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if goes_on:
        use_rules_with_pausing_clock(monkeypatch, tmp_path)
    nsw = at_table(house, "nsw-sic-bo")
    nsw.shows("c", "closure", after(0), closure_at=after(21))
    nsw.removes("c", after(10))
    nsw.shows("c", "closure", after(11), again=True, closure_at=after(21))
    nsw.closes(after(21), sign="c")
    assert codes(nsw) == found


def test_a_sign_that_does_not_say_when_is_none(nsw: TableReporter) -> None:
    nsw.shows("c", "closure", after(0))
    nsw.closes(after(30), sign="c")
    assert codes(nsw) == ["CLOSE-NO-SIGN"]


@pytest.mark.parametrize(("seconds", "found"), [(-1, []), (0, ["CLOSE-OFFICER"]), (1, ["CLOSE-OFFICER"])])
def test_the_authorised_officer_is_told_before(house: House, seconds: int, found: list[str]) -> None:
    table = at_table(house, SKYCITY)
    table.closes(after(0), told=(notified("inspector", after(0, seconds)),))
    assert codes(table) == found


def test_somebody_else_was_told(house: House) -> None:
    table = at_table(house, SKYCITY)
    table.closes(after(0), told=(notified("games-supervisor", after(-5)),))
    assert codes(table) == ["CLOSE-OFFICER"]
    assert "Authorised Officer had not been told" in Finding.objects.get().sentence


def test_a_document_that_says_nothing_of_closing(house: House) -> None:
    table = at_table(house, MBS)
    table.closes(after(0))
    assert codes(table) == []


@pytest.mark.parametrize("severity", ["note", "breach"])
@pytest.mark.parametrize(
    ("seconds", "found"),
    [(-1, ["CLOSE-EARLY"]), (0, []), (1, [])],
    ids=["just-before", "at", "just-after"],
)
def test_closing_before_the_time_on_the_sign_is_a_matter_of_reading(
    house: House, seconds: int, found: list[str], severity: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The sign said 25 minutes, and stood for more than 20. A note by default, a breach under the other reading."""
    if severity == "breach":
        printed = ('closing_before_time = "note"', 'closing_before_time = "breach"')
        monkeypatch.setattr("tests.rounds.floor.crew.PACK_FOLDER", print_rules(tmp_path, NSW, printed))
    nsw = at_table(house, NSW)
    nsw.shows("c", "closure", after(0), closure_at=after(25))
    nsw.closes(after(25, seconds), sign="c")
    assert codes(nsw) == found
    if found:
        finding = Finding.objects.get()
        assert (finding.clause, finding.severity) == ("9.8", severity)
        assert finding.sentence == "The table closed at 20:24:59 AEDT; its sign said 20:25:00 AEDT."


def test_a_notice_that_is_too_short_is_not_reported_as_early_as_well(nsw: TableReporter) -> None:
    nsw.shows("c", "closure", after(0), closure_at=after(25))
    nsw.closes(after(19), sign="c")
    assert codes(nsw) == ["CLOSE-SHORT-NOTICE"]


@pytest.mark.parametrize(
    ("position", "found"),
    [
        ("dealer", ["CLOSE-RANK"]),
        ("inspector", ["CLOSE-RANK"]),
        ("games-supervisor", []),
        ("casino-supervisor", []),
        ("shift-manager", []),
        (None, []),
    ],
)
@pytest.mark.parametrize("players", [True, False], ids=["players", "empty"])
def test_a_supervisor_closes_a_table_with_players(
    nsw: TableReporter, position: Position | None, found: list[str], players: bool
) -> None:
    nsw.shows("c", "closure", after(0), closure_at=after(20))
    nsw.closes(after(20), sign="c", players=players, by=Staff(position=position) if position else None)
    assert codes(nsw) == (found if players else [])
    if found and players:
        assert Finding.objects.get().clause == "9.8"


@pytest.mark.parametrize("rules", [RWS, MBS, SKYCITY, LICENSEE])
def test_documents_that_do_not_say_who_closes(house: House, rules: str) -> None:
    table = at_table(house, rules)
    table.closes(after(0), told=(notified("inspector", after(-1)),), by=Staff(position="dealer"))
    assert [code for code in codes(table) if code.startswith("CLOSE")] == []


@pytest.mark.parametrize("rules", [NSW, RWS, MBS, SKYCITY, LICENSEE])
@pytest.mark.parametrize(
    ("closed_at", "found"),
    [(after(0, -0.001), ["FEED-CLOSED-TABLE"]), (after(0), []), (after(0, 0.001), [])],
    ids=["before-the-round", "at-its-beginning", "during-the-round"],
)
def test_no_round_begins_at_a_closed_table(house: House, rules: str, closed_at: datetime, found: list[str]) -> None:
    """The round begins at 09:00:00. No document asks for it: a feed that goes on after a closing contradicts itself."""
    house.open_table(rules=rules)
    table = TableReporter(house)
    table.closes(closed_at, players=False, told=(notified("inspector", after(-5)),))
    index = house.play((4, 5, 6))
    assert [code for code in codes(table) if code.startswith("FEED")] == found
    if found:
        finding = Finding.objects.get(code="FEED-CLOSED-TABLE")
        assert (finding.subject_index, finding.clause) == (index, "")
        assert "began at 09:00:00 UTC; the table was reported closed at 08:59:59 UTC" in finding.sentence


@pytest.mark.parametrize(
    ("reopened_at", "found"),
    [(after(0, -1), []), (after(0), []), (after(0, 1), ["FEED-CLOSED-TABLE"])],
    ids=["before-the-round", "at-its-beginning", "during-the-round"],
)
def test_a_table_that_opened_again_may_play(nsw: TableReporter, reopened_at: datetime, found: list[str]) -> None:
    nsw.closes(after(-30), players=False)
    nsw.opens(reopened_at)
    nsw.house.play((4, 5, 6))
    assert codes(nsw) == found


@pytest.mark.parametrize(
    ("seconds", "found"), [(9, []), (10, []), (11, ["FEED-CLOSED-TABLE"])], ids=["just-under", "at", "just-over"]
)
def test_a_closing_that_a_person_recorded_is_by_another_clock(house: House, seconds: int, found: list[str]) -> None:
    table = house.open_table()
    now = after(0, -seconds)
    close_in_emergency(
        table=table, players_present=False, streak_in_progress=False, reason="Fire drill", actor=house.crew.sid, now=now
    )
    house.play((4, 5, 6))
    house.audit()
    assert house.codes() == found


def test_the_casino_is_told_once_of_play_at_a_closed_table(nsw: TableReporter) -> None:
    nsw.closes(after(-1), players=False)
    first = nsw.house.play((4, 5, 6))
    nsw.house.play((4, 5, 6), later=timedelta(minutes=2))
    assert codes(nsw) == ["FEED-CLOSED-TABLE"] * 2
    nsw.house.play((4, 5, 6), later=timedelta(minutes=4))
    assert codes(nsw) == ["FEED-CLOSED-TABLE"] * 3
    alert = Alert.objects.get()
    assert (alert.duty, alert.table, alert.about_index) == ("play-at-closed-table", "sb-1", first)


def test_an_opening_that_arrives_late_takes_the_finding_back(nsw: TableReporter) -> None:
    nsw.closes(after(-30), players=False)
    nsw.house.play((4, 5, 6))
    assert codes(nsw) == ["FEED-CLOSED-TABLE"]
    nsw.opens(after(-10))
    assert codes(nsw) == []


# When the last event of a round is reported, after its beginning.
ENDS_AFTER = {NSW: 70, RWS: 50, MBS: 40, SKYCITY: 70, LICENSEE: 80}


@pytest.mark.parametrize("rules", [NSW, RWS, MBS, SKYCITY, LICENSEE])
@pytest.mark.parametrize(
    ("seconds", "found"), [(59.999, ["FEED-NO-PLAYERS"]), (60, []), (61, [])], ids=["just-under", "at", "just-over"]
)
def test_players_cannot_be_gone_moments_after_a_round(
    house: House, rules: str, seconds: float, found: list[str]
) -> None:
    """No document asks for it. The closing is asked about, because players may have left at once."""
    house.open_table(rules=rules)
    table = TableReporter(house)
    played = house.play((4, 5, 6), wager("small", 1_000, 0, rules=rules, terminal=None, seat=4))
    told = (notified("inspector", after(-5)),)
    index = table.closes(after(0, ENDS_AFTER[rules] + seconds), players=False, told=told)
    assert [code for code in codes(table) if code.startswith("FEED")] == found
    for finding in Finding.objects.filter(code="FEED-NO-PLAYERS"):
        assert (finding.subject_index, finding.severity, finding.clause) == (index, "note", "")
        assert {index, played} <= set(finding.evidence)
        assert finding.sentence == (
            "The table was reported closed without players 59 s after round r-1, which had wagers; 1 min is the least."
        )


@pytest.mark.parametrize("verdict", [None, "refused"])
def test_a_round_without_wagers_says_nothing_about_players(nsw: TableReporter, verdict: str | None) -> None:
    wagers = () if verdict is None else (wager("small", 1_000, 1_000, verdict=verdict),)
    nsw.house.play((4, 5, 6), *wagers)
    nsw.closes(after(2), players=False)
    assert "FEED-NO-PLAYERS" not in codes(nsw)


def test_a_closing_with_players_needs_no_question(house: House) -> None:
    table = at_table(house, MBS)
    house.play((4, 5, 6), wager("small", 1_000, 0))
    table.closes(after(1), players=True)
    assert "FEED-NO-PLAYERS" not in codes(table)


def test_a_round_that_arrives_after_the_closing_is_asked_about(nsw: TableReporter) -> None:
    nsw.closes(after(2), players=False)
    assert codes(nsw) == []
    nsw.house.play((4, 5, 6), wager("small", 1_000, 0))
    assert codes(nsw) == ["FEED-NO-PLAYERS"]
