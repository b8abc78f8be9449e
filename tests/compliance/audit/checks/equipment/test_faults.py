"""Faults of the lights: NSW 8.8 requires an inspector to be notified and play to stop; Licensee 6(b) requires its
supervisor."""

from datetime import timedelta
from datetime import timezone as fixed_zone
from typing import Any

import pytest
from django.utils import timezone

from compliance.audit.checks.round.result_display import winning_areas
from compliance.audit.models import BLOCK_ENTRIES, Finding
from compliance.core.web.models import OutgoingEmail
from compliance.core.web.ui.links import casino_url
from compliance.notify.alerts.mailer import render_alert_email
from compliance.notify.alerts.models import Alert
from compliance.tables.equipment.consumer import consume_equipment
from rounds.floor.fact_values import WagersOfferedValue
from rounds.intake.protocol.equipment import Fault, FaultCleared
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.round import Entered
from rounds.intake.protocol.table import Correction
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, SKYCITY, rules_in_force, void
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.compliance.audit.table_lines import TableReporter, after, notified
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import record_table_fact

pytestmark = pytest.mark.django_db
INSPECTOR = (notified("inspector", after(0)),)
SUPERVISOR = Staff(position="casino-supervisor")


def at_table(house: House, rules: str) -> TableReporter:
    house.open_table(rules=rules)
    return TableReporter(house)


FAILING: dict[str, Any] = {
    "equipment": "electrical-device",
    "effect": "not-lit",
    "play_ceased_at": after(0),
    "told": INSPECTOR,
    "settled_before": SUPERVISOR,
}


def fails(table: TableReporter, **members: Any) -> int:
    return table.say("fault", Fault(**{"fault": "F-1"} | FAILING | members), after(0))


def mended(table: TableReporter, at: Any) -> None:
    table.say("fault-cleared", FaultCleared(fault="F-1"), at)


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return table.house.codes()


@pytest.mark.parametrize(("rules", "found"), [(NSW, ["FAULT-NOT-TOLD"]), (SKYCITY, []), (LICENSEE, []), (MBS, [])])
def test_the_inspector_is_told(house: House, rules: str, found: list[str]) -> None:
    table = at_table(house, rules)
    fails(table, told=())
    assert codes(table) == found


def test_somebody_else_was_told(house: House) -> None:
    table = at_table(house, NSW)
    fails(table, told=(notified("shift-manager", after(0)),))
    assert codes(table) == ["FAULT-NOT-TOLD"]
    assert Finding.objects.get().sentence == "Inspector had not been told of fault F-1 by 20:00:00 AEDT."


@pytest.mark.parametrize(
    ("rules", "found"), [(NSW, ["FAULT-NOT-CEASED"]), (LICENSEE, ["FAULT-NOT-CEASED"]), (SKYCITY, [])]
)
def test_gaming_ceases(house: House, rules: str, found: list[str]) -> None:
    table = at_table(house, rules)
    fails(table, play_ceased_at=None)
    assert codes(table) == found


@pytest.mark.parametrize("seen_by", [None, Staff(position="games-supervisor")])
def test_the_licensees_supervisor_sees_the_round_settled(house: House, seen_by: Staff | None) -> None:
    table = at_table(house, LICENSEE)
    fails(table, settled_before=seen_by)
    assert codes(table) == ["FAULT-UNWITNESSED"]
    assert Finding.objects.get().clause == "6(b)"
    who = "nobody on record" if seen_by is None else "a games supervisor"
    assert f"was settled before {who}; a casino supervisor must be present." in Finding.objects.get().sentence


def test_nsw_does_not_ask_who_sees_it(house: House) -> None:
    table = at_table(house, NSW)
    fails(table, settled_before=None)
    assert codes(table) == []


def test_a_fault_of_something_else_sets_nothing_off(house: House) -> None:
    table = at_table(house, NSW)
    fails(table, equipment="shoe", effect="broken", told=(), play_ceased_at=None)
    assert codes(table) == []


@pytest.mark.parametrize(
    ("seconds", "found"), [(-1, []), (0, []), (1, ["FAULT-PLAY"])], ids=["mended-before", "just-then", "after"]
)
def test_no_round_begins_before_it_is_mended(house: House, seconds: int, found: list[str]) -> None:
    """The round begins ten minutes after the fault."""
    table = at_table(house, NSW)
    fails(table)
    mended(table, after(10, seconds))
    house.play((1, 2, 3), later=after(10) - after(0))
    assert codes(table) == found


def test_a_round_before_the_fault_and_one_at_another_table(house: House) -> None:
    table = at_table(house, NSW)
    house.play((1, 2, 3), later=after(-10) - after(0))
    fails(table)
    house.rules["sb-2"] = NSW
    house.play((1, 2, 3), table="sb-2", later=after(10) - after(0))
    assert "FAULT-PLAY" not in codes(table)


def test_play_before_the_inspector_was_told(house: House) -> None:
    """Cleared after five minutes, round after ten, inspector notified after fifteen."""
    table = at_table(house, NSW)
    fails(table, told=(notified("inspector", after(15)),))
    mended(table, after(5))
    played = house.play((1, 2, 3), later=after(10) - after(0))
    assert codes(table) == ["FAULT-PLAY"]
    assert Finding.objects.get().subject_index == played
    assert Finding.objects.get().sentence == (
        "A round began at 09:10:00 UTC; the fault was cleared at 09:05:00 UTC, and the inspector was told at "
        "09:15:00 UTC."
    )


def test_a_fault_that_is_reported_late_judges_the_rounds_played_meanwhile(house: House) -> None:
    table = at_table(house, NSW)
    house.play((1, 2, 3), later=after(10) - after(0))
    assert codes(table) == []
    fails(table)
    assert codes(table) == ["FAULT-PLAY"]


@pytest.mark.parametrize("rules", [NSW, LICENSEE])
@pytest.mark.parametrize(("days", "is_cleared"), [(8, False), (400, False), (400, True)])
def test_a_fault_stops_play_until_it_is_cleared_however_long(
    house: House, rules: str, days: int, is_cleared: bool
) -> None:
    """NSW 8.8, Licensee 6(b)."""
    table = at_table(house, rules)
    table.say("fault", Fault(fault="F-1", **FAILING), after(0) - timedelta(days=days))
    if is_cleared:
        mended(table, after(0) - timedelta(days=days) + timedelta(minutes=1))
    house.play((1, 2, 3))
    assert codes(table) == ([] if is_cleared else ["FAULT-PLAY"])


def test_an_alert_after_the_clearing_does_not_stop_play(house: House) -> None:
    """The fault names nobody who was told; it is cleared after 10 seconds and play goes on after 20. The alert of this
    service is delivered later, which is no fault of the table."""
    table = at_table(house, NSW)
    fails(table, told=())
    mended(table, after(0, 10))
    house.play((1, 2, 3), later=timedelta(seconds=20))
    assert "FAULT-PLAY" not in codes(table)


WINNING = tuple(sorted(winning_areas(rules_in_force(NSW), (1, 2, 4))))


class TestUnreportedFailure:
    """Nothing, or something wrong, is lit in a round, and no fault is reported before the next."""

    @pytest.mark.parametrize(
        ("rules", "found"), [(NSW, ["FAULT-NOT-TOLD", "FAULT-PLAY"]), (LICENSEE, ["FAULT-PLAY"]), (SKYCITY, [])]
    )
    def test_play_goes_on(self, house: House, rules: str, found: list[str]) -> None:
        table = at_table(house, rules)
        failed = house.play((1, 2, 4), lit=())
        following = house.play((1, 2, 4), later=timedelta(minutes=5))
        house.play((1, 2, 4), later=timedelta(minutes=10))
        assert codes(table) == found
        assert [each.subject_index for each in Finding.objects.all()] == [following] * len(found)
        assert all(failed in each.evidence for each in Finding.objects.all())

    @pytest.mark.parametrize(("minutes", "following"), [(-5, 0), (5, 1), (15, None)])
    def test_the_failed_round_comes_late(self, house: House, minutes: int, following: int | None) -> None:
        """Rounds at 0 and 10 minutes were audited before it was reported; only the one after it is judged by it."""
        table = at_table(house, NSW)
        rounds = [house.play((1, 2, 4), later=timedelta(minutes=later)) for later in (0, 10)]
        fill_up_to(house, BLOCK_ENTRIES)
        assert codes(table) == []
        house.play((1, 2, 4), lit=(), later=timedelta(minutes=minutes))
        assert codes(table) == ([] if following is None else ["FAULT-NOT-TOLD", "FAULT-PLAY"])
        subjects = {each.subject_index for each in Finding.objects.all()}
        assert subjects == (set() if following is None else {rounds[following]})

    def test_the_sentences_name_the_round(self, house: House) -> None:
        table = at_table(house, NSW)
        house.play((1, 2, 4), lit=())
        house.play((1, 2, 4), later=timedelta(minutes=5))
        codes(table)
        assert {each.sentence for each in Finding.objects.all()} == {
            "Inspector had not been told of the lights that failed in round r-1 by 09:05:00 UTC.",
            "A round began at 09:05:00 UTC; the fault was cleared at no time that was reported, and the lights had "
            "failed in round r-1.",
        }

    def test_times_reported_with_an_offset_are_stated_in_utc_and_shown_locally(self, house: House) -> None:
        """The casino is in Sydney; its controller reports 20:05 as 20:05 +11:00."""
        table = at_table(house, NSW)
        offset = fixed_zone(timedelta(hours=11))
        house.play((1, 2, 4), lit=(), offset=offset)
        house.play((1, 2, 4), later=timedelta(minutes=5), offset=offset)
        codes(table)
        played = Finding.objects.get(code="FAULT-PLAY")
        assert played.sentence.startswith("A round began at 09:05:00 UTC;")
        assert played.local_sentence.startswith("A round began at 20:05:00 AEDT;")
        alert = Alert.objects.get()
        assert alert.local_statement.endswith("the lights that failed in round r-1 by 20:05:00 AEDT.")
        assert "by 20:05:00 AEDT" in render_alert_email(OutgoingEmail.objects.get(purpose="alert")).body

    @pytest.mark.parametrize("seconds", [0, 100, 300])
    def test_it_was_reported_and_cleared(self, house: House, seconds: int) -> None:
        """From the start of the round that failed to the start of the next."""
        table = at_table(house, NSW)
        house.play((1, 2, 4), lit=())
        table.say("fault", Fault(fault="F-1", **FAILING), after(0, seconds))
        mended(table, after(0, seconds))
        house.play((1, 2, 4), later=timedelta(minutes=5))
        assert codes(table) == []

    def test_it_was_reported_after_the_next_round_began(self, house: House) -> None:
        table = at_table(house, NSW)
        house.play((1, 2, 4), lit=())
        following = house.play((1, 2, 4), later=timedelta(minutes=5))
        fails(table, fault="F-1")
        table.say("fault", Fault(fault="F-2", **FAILING), after(5, 1))
        assert "FAULT-PLAY" in codes(table)
        assert following in Finding.objects.current().values_list("subject_index", flat=True)

    @pytest.mark.parametrize(
        ("lit", "entered", "found"),
        [
            (WINNING, (1, 2, 4), []),
            (WINNING[:-1], (1, 2, 4), ["FAULT-NOT-TOLD", "FAULT-PLAY", "ROUND-LIT"]),
            (tuple(sorted(winning_areas(rules_in_force(NSW), (1, 2, 5)))), (1, 2, 5), ["ROUND-ENTRY"]),
            (None, (1, 2, 4), []),
        ],
        ids=["right", "one-dark", "follows-a-wrong-entry", "not-reported"],
    )
    def test_wrong_lights(self, house: House, lit: Any, entered: Any, found: list[str]) -> None:
        """N27: lights that follow a wrong entry are not a malfunction."""
        opened = house.open_table(rules=NSW)
        record_table_fact(house.crew, opened, WagersOfferedValue(wagers=("odd", "even")))
        table = TableReporter(house)
        offered = tuple(area for area in lit or () if not area.startswith(("four:", "streak:")))
        house.play((1, 2, 4), lit=None if lit is None else offered, entered=Entered(faces=entered))
        house.play((1, 2, 4), later=timedelta(minutes=5))
        assert sorted(codes(table)) == found

    def test_a_closing_shows_it_too(self, house: House) -> None:
        table = at_table(house, NSW)
        house.play((1, 2, 4), lit=())
        closed = table.closes(after(5), players=False)
        assert codes(table) == ["FAULT-NOT-TOLD"]
        assert Finding.objects.get().subject_index == closed

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "8.8"), (LICENSEE, "6(b)"), (SKYCITY, None)])
    def test_the_page_of_the_table_says_that_play_stops(self, house: House, rules: str, clause: str | None) -> None:
        table = at_table(house, rules)
        address = casino_url("desk:table", house.casino, table="sb-1")
        browser = browser_of(house.crew.cast.ines)
        house.play((1, 2, 4), lit=())
        house.play((1, 2, 4), later=timedelta(minutes=5))
        rule = f" (rule {clause})" if clause else ""
        words = f"nobody reported it: play stops until it is mended{rule}"
        assert words not in browser.get(address).content.decode()
        codes(table)
        assert (words in browser.get(address).content.decode()) is (clause is not None)
        table.say("fault", Fault(fault="F-1", **FAILING), after(6))
        consume_equipment(timezone.now, [house.casino.slug])
        codes(table)
        assert "nobody reported it: play stops" not in browser.get(address).content.decode()

    def test_whoever_must_be_told_is_told_now(self, house: House) -> None:
        table = at_table(house, NSW)
        house.play((1, 2, 4), lit=())
        following = house.play((1, 2, 4), later=timedelta(minutes=5))
        codes(table)
        alert = Alert.objects.get()
        assert (alert.to, alert.clause, alert.about_index) == (["inspector"], "8.8", following)
        house.play((1, 2, 4), later=timedelta(minutes=10))
        codes(table)
        assert Alert.objects.count() == 1


class TestFaultOfARound:
    """NSW 8.2 and 8.5, Licensee 6(c): a fault report that names its round makes it void."""

    @pytest.mark.parametrize("is_reported_first", [True, False])
    @pytest.mark.parametrize(
        ("rules", "equipment", "effect", "clause"),
        [
            (NSW, "tumbler", "failed", "8.2"),
            (NSW, "tumbler", "power", "8.2"),
            (NSW, "tumbler", "broken", "8.5"),
            (LICENSEE, "automated-shaker", "failed", "6(c)"),
            (LICENSEE, "automated-shaker", "broken", "6(c)"),
        ],
    )
    def test_it_was_settled(
        self, house: House, rules: str, equipment: Any, effect: Any, clause: str, is_reported_first: bool
    ) -> None:
        table = at_table(house, rules)
        fault = Fault(fault="F-1", equipment=equipment, effect=effect, round="r-1")
        if is_reported_first:
            table.say("fault", fault, after(0, 35))
        house.play((1, 2, 4))
        if not is_reported_first:
            table.say("fault", fault, after(3))
        assert codes(table) == ["ROUND-NOT-VOID"]
        assert Finding.objects.get().clause == clause
        assert "Round r-1 at table sb-1 was settled although fault F-1 was reported" in Finding.objects.get().sentence

    @pytest.mark.parametrize(
        ("rules", "members"),
        [
            (NSW, {"equipment": "tumbler", "effect": "failed", "round": "r-2"}),
            (NSW, {"equipment": "tumbler", "effect": "failed"}),
            (NSW, {"equipment": "tumbler", "effect": "other", "round": "r-1"}),
            (NSW, {"equipment": "sign", "effect": "failed", "round": "r-1"}),
            (SKYCITY, {"equipment": "tumbler", "effect": "failed", "round": "r-1"}),
            (LICENSEE, {"equipment": "manual-shaker", "effect": "failed", "round": "r-1"}),
        ],
    )
    def test_another_round_or_other_equipment(self, house: House, rules: str, members: dict[str, Any]) -> None:
        table = at_table(house, rules)
        house.play((1, 2, 4))
        table.say("fault", Fault(fault="F-1", **members), after(3))
        assert codes(table) == []

    def test_it_was_declared_void(self, house: House) -> None:
        table = at_table(house, NSW)
        house.play(None, **void("device-failed"))
        table.say("fault", Fault(fault="F-1", equipment="tumbler", effect="failed", round="r-1"), after(3))
        assert codes(table) == []


def test_lights_fail_while_an_old_fault_is_open(house: House) -> None:
    """A fault of long ago was never cleared, and the lights failed in the round before: one finding states both."""
    table = at_table(house, NSW)
    old = table.say("fault", Fault(fault="F-1", **FAILING), after(0) - timedelta(days=400))
    failed = house.play((1, 2, 4), lit=())
    following = house.play((1, 2, 4), later=timedelta(minutes=5))
    assert codes(table) == ["FAULT-PLAY", "FAULT-NOT-TOLD", "FAULT-PLAY"]
    found = Finding.objects.get(code="FAULT-PLAY", subject_index=following)
    assert {old, failed} < set(found.evidence)
    assert "the fault was cleared at no time" in found.sentence
    assert ["failed in round r-1" in each for each in found.explanation] == [True]


def test_a_withdrawn_fault_of_the_lights_leaves_an_old_one_open(house: House) -> None:
    """The fault that reported the lights is taken back while an older one was never cleared."""
    table = at_table(house, NSW)
    table.say("fault", Fault(fault="F-1", **FAILING), after(0) - timedelta(days=400))
    house.play((1, 2, 4), lit=())
    table.say("fault", Fault(fault="F-2", **FAILING), after(1))
    table.say("fault-cleared", FaultCleared(fault="F-2"), after(2))
    following = house.play((1, 2, 4), later=timedelta(minutes=5))
    assert codes(table) == ["FAULT-PLAY", "FAULT-PLAY"]
    table.say("correction", Correction(corrects=3, reason="Typed wrongly.", by=Staff(position="dealer")), after(6))
    assert codes(table) == ["FAULT-PLAY", "FAULT-NOT-TOLD", "FAULT-PLAY"]
    now = Finding.objects.current().get(code="FAULT-PLAY", subject_index=following)
    assert "failed in round r-1" in now.explanation[0]
