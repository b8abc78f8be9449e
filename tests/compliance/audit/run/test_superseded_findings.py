"""Superseded findings: an entry that affects the past reopens just its blocks; findings that no longer hold name the
reason."""

from datetime import timedelta

import pytest
from django.db import transaction

from compliance.audit.models import BLOCK_ENTRIES, Block, Coverage, Finding
from compliance.audit.selectors import audit_progress
from rounds.floor.fact_values import LimitsValue, WagersOfferedValue
from rounds.intake.protocol.fields import Limits as ShownLimits
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.round import RoundEvent
from rounds.intake.protocol.table import Correction, LimitsChanged
from rounds.ledger.writing.append import correct
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import propose_ruling
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import SKYCITY, START, at, wager
from tests.compliance.core.accounts.people import give_phone, hire
from tests.entry_kinds import NOTE

HOUR = timedelta(hours=1)


def test_a_correction_by_a_person_supersedes_what_was_found(house: House) -> None:
    house.open_table()
    wrong = house.play((4, 2, 4), wager("small", 2_500, 5_100, id="a"))
    still = house.play((4, 2, 4), wager("small", 2_500, 5_200, id="b"))
    house.audit()
    kept = Finding.objects.get(subject_index=still)
    with transaction.atomic():
        taken_back = correct("harbour", wrong, {"reason": "Read wrongly.", "by": {"id": 1, "name": "Sid"}}, NOW)
    house.audit()
    old = Finding.objects.get(subject_index=wrong)
    assert old.superseded_reason == f"Entry {taken_back.index} takes entry {wrong} back."
    assert old.superseded_by is None
    assert Finding.objects.current().get() == kept
    assert Block.objects.get().generation == 2


def test_a_controllers_own_correction_and_the_right_round_after_it(house: House) -> None:
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    house.audit()
    taken_back = Correction(corrects=1, reason="Typed wrongly.", by=Staff(position="dealer"))
    house.report("correction", taken_back)
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    house.audit()
    assert house.codes() == []


def test_a_ruling_that_reaches_back_judges_by_the_new_reading(house: House) -> None:
    table = house.open_table()
    house.state(table, WagersOfferedValue(wagers=("even",)), at=table.added_at)
    house.play((4, 2, 4), wager("even", 1_000, 2_000))
    house.play((4, 2, 4), wager("even", 1_000, 0), later=HOUR)
    house.audit()
    assert house.codes() == ["SETTLE-READING"]
    crew = house.crew
    igor = hire("igor", crew.harbour, "inspector", by=crew.cast.ada)
    give_phone(igor)
    version = crew.harbour.rule_versions.get()
    ruling = propose_ruling(
        version=version,
        reading="even",
        choice="every-even-total",
        reasons="10 was left out by mistake.",
        wanted_at=START - HOUR,
        actor=crew.cast.ines,
        now=NOW,
    )
    approve_version(
        version=ruling,
        effective_at=START - HOUR,
        time_zone="Australia/Sydney",
        evidence="Ruled.",
        edge_reason="None.",
        actor=igor,
        now=NOW,
    )
    house.audit()
    [finding] = Finding.objects.current()
    assert (finding.code, finding.required_cents, finding.found_cents) == ("SETTLE-READING", None, None)
    assert finding.version == ruling
    assert finding.cases.get().found_cents == 0
    old = Finding.objects.get(version=version)
    assert "in force" in old.superseded_reason


@pytest.mark.parametrize("is_reported", [True, False], ids=["from-the-table", "from-a-person"])
def test_a_late_fact_judges_the_rounds_it_governs_and_no_others(house: House, is_reported: bool) -> None:
    """SkyCity 8.e: with a maximum of 500 the wager of 600 must be clipped."""
    table = house.open_table(rules=SKYCITY, limits=LimitsValue(min=500, max=100_000))
    early = house.play((4, 2, 4), wager("small", 60_000, 120_000))
    late = house.play((4, 2, 4), wager("small", 60_000, 120_000), later=2 * HOUR)
    house.audit()
    assert house.codes() == []
    if is_reported:
        lower = ShownLimits(min=500, max=50_000)
        house.report("limits-changed", LimitsChanged(limits=lower), at=START + HOUR)
    else:
        house.state(table, LimitsValue(min=500, max=50_000), at=START + HOUR)
    house.audit()
    finding = Finding.objects.get()
    assert (finding.code, finding.subject_index) == ("SETTLE-CLIP", late)
    assert early != late


def test_rounds_are_counted_once_and_new_ones_too_where_a_block_was_opened_again(house: House) -> None:
    table = house.open_table(limits=LimitsValue(min=500, max=100_000))
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    house.audit()
    house.state(table, LimitsValue(min=1_000, max=100_000), at=START)
    house.play((4, 2, 4), wager("small", 2_500, 5_000), wager("big", 2_500, 0), later=HOUR)
    house.audit()
    so_far = audit_progress(house.casino)
    assert (so_far.rounds, so_far.wagers, so_far.waiting) == (2, 3, 0)


@pytest.mark.parametrize(("second", "found"), [(10, True), (20, True), (21, False)])
def test_limits_that_changed_while_a_round_was_beginning_judge_it_when_they_are_told_later(
    house: House, second: int, found: bool
) -> None:
    """NSW 5.1: betting was open from the start, and the dice tumbled 20 s later; what held then governs the round."""
    table = house.open_table(limits=LimitsValue(min=500, max=100_000))
    names = ("bets-open", "", "tumbled", "no-more-bets-called", "uncovered", "result-called")
    events = tuple(
        RoundEvent(name=name, at=at(10 * place), count=3 if name == "tumbled" else None)  # type: ignore[arg-type]
        for place, name in enumerate(names)
        if name
    )
    house.play((4, 2, 4), wager("small", 60_000, 120_000), events=events)
    house.audit()
    assert "LIMIT-OVER-MAX" not in house.codes()
    house.state(table, LimitsValue(min=500, max=50_000), at=at(second))
    house.audit()
    assert ("LIMIT-OVER-MAX" in house.codes()) is found


def test_only_blocks_with_touched_rounds_are_opened_again(house: House) -> None:
    table = house.open_table(rules=SKYCITY, limits=LimitsValue(min=500, max=100_000))
    house.play((4, 2, 4), wager("small", 60_000, 120_000))
    fill_up_to(house, BLOCK_ENTRIES)
    house.play((4, 2, 4), wager("small", 60_000, 120_000), later=2 * HOUR)
    house.audit()
    house.state(table, LimitsValue(min=500, max=50_000), at=START + HOUR)
    house.audit()
    assert list(Block.objects.order_by("number").values_list("generation", flat=True)) == [1, 2]
    ranges = Coverage.objects.filter(generation=1).order_by("first").values_list("first", "last")
    assert [last for _, last in ranges][:-1] == [first for first, _ in ranges][1:]
    assert house.codes() == ["SETTLE-CLIP"]


def fill_up_to(house: House, size: int) -> None:
    """Appends entries of a kind that the audit does not check."""
    from rounds.ledger.writing.append import append, make_entry

    with transaction.atomic():
        append("harbour", [make_entry(NOTE, {"n": number}) for number in range(size)], NOW)


def test_a_finding_that_says_something_else_takes_the_place_of_the_old_one(house: House) -> None:
    """SkyCity: clipped at 500 first, then the limits turn out to have been 400."""
    table = house.open_table(rules=SKYCITY, limits=LimitsValue(min=500, max=50_000))
    house.play((4, 2, 4), wager("small", 60_000, 120_000))
    house.audit()
    house.state(table, LimitsValue(min=500, max=40_000), at=START - HOUR)
    house.audit()
    old, new = Finding.objects.order_by("found_at", "pk")
    assert (old.required_cents, new.required_cents) == (110_000, 100_000)
    assert old.superseded_by == new
    assert house.audit() == []
