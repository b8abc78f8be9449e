"""Each injector plants what it says, where it says, and nothing else."""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from functools import cache

import pytest

from compliance.audit.catalogue import CODES_BY_NAME
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.round import Round
from rounds.simulator.delivery.simulation_run import number_lines_with_faults
from rounds.simulator.fault_selection import UnknownFaultCode, select_faults
from rounds.simulator.faults.catalogue import plant_faults
from rounds.simulator.faults.injector import INJECTORS
from rounds.simulator.play.controller_output import HONEST_DELIVERY, PlantedFault, ReportedLine
from rounds.simulator.play.table_day import TableDay
from tests.rounds.simulator.gaming_days import SLUGS, WITHOUT_STREAKS, copy_table_day, play_table_day, table_config
from tests.rounds.simulator.play.test_honest_rounds import settled


def test_every_injector_has_a_description_and_plants_a_code_that_exists() -> None:
    planted = select_faults("all")
    assert set(planted.codes) <= set(CODES_BY_NAME)
    assert all(injector.description.endswith(".") for injector in planted.all_injectors)


def test_an_unknown_code_is_refused_with_the_codes_there_are() -> None:
    with pytest.raises(UnknownFaultCode, match=r"SETTLE-OVERPAYD is not a code.*SETTLE-OVERPAID, SETTLE-UNDERPAID"):
        select_faults("SETTLE-OVERPAYD")
    some = select_faults(" feed-gap , dispute-rank, wager-late,")
    assert [injector.code for injector in some.at_tables] == ["WAGER-LATE", "FEED-GAP"]
    assert [injector.code for injector in some.of_people] == ["DISPUTE-RANK"]


@dataclass
class Compared:
    """A day before and after planting."""

    table: TableDay
    changed: list[ReportedLine]
    added: Counter[str]
    removed: Counter[str]

    @property
    def truth(self) -> list[tuple[ReportedLine, PlantedFault]]:
        return [(said, one) for said, one in self.table.timeline.truth if said is not None and not one.player]


def plant(slug: str, code: str) -> Compared:
    """Plants on the first of several days that has a place for it: triples and void rounds are rare."""
    for seed in range(1, 6):
        table = copy_table_day(slug, seed)
        before = {id(said): (said, said.body, said.at) for said in table.timeline.lines}
        if plant_faults(table, [INJECTORS[code]]):
            continue
        after = {id(said) for said in table.timeline.lines}
        changed = [
            said
            for said, body, at in before.values()
            if id(said) in after and ((said.body, said.at) != (body, at) or said.delivery != HONEST_DELIVERY)
        ]
        added = Counter(said.kind for said in table.timeline.lines if id(said) not in before)
        removed = Counter(said.kind for key, (said, _, _) in before.items() if key not in after)
        return Compared(table, changed, added, removed)
    raise AssertionError(f"no room for {code} at {slug}")


CASES = [
    (slug, code)
    for code, injector in INJECTORS.items()
    for slug in (*SLUGS, WITHOUT_STREAKS)
    if injector.fits(table_config(slug))
    and not injector.needs_clock
    and (slug != WITHOUT_STREAKS or not injector.fits(table_config("nsw-sic-bo")))
]


@cache
def planted(slug: str, code: str) -> Compared:
    return plant(slug, code)


# Faults that change several lines or add some: the added kinds, and how often.
SESSIONS = ("LIMIT-NO-SIGN", "LIMIT-SHORT-NOTICE", "LIMIT-SIGN-INCOMPLETE", "LIMIT-EARLY", "CLOSE-NO-SIGN",
            "CLOSE-SHORT-NOTICE", "CLOSE-OFFICER", "INSPECT-OPENING", "INSPECT-SHIFT", "INSPECT-RANK",
            "SHAKER-SWAP", "FEED-CLOSED-TABLE",
            "LIMIT-RANK", "CLOSE-EARLY", "CLOSE-RANK", "STREAK-NO-CALL", "FEED-ROUND-NAME", "FEED-ROUND-OVERLAP",
            "FEED-ROUND-GAMING-DAY", "FEED-ROUND-TERMINAL", "FEED-NO-PLAYERS")  # fmt: skip
# Rounds that are played in these sessions.
ROUNDS_ADDED = {
    "FEED-CLOSED-TABLE": 1,
    "STREAK-NO-CALL": 1,
    "FEED-ROUND-NAME": 2,
    "FEED-ROUND-OVERLAP": 4,
    "FEED-ROUND-GAMING-DAY": 1,
    "FEED-ROUND-TERMINAL": 1,
    "FEED-NO-PLAYERS": 2,
}
ADDED = {
    "CHIPS-VALUE": {"chips-issued": 1},
    "CHIPS-COLOUR": {"chips-issued": 2},
    "CHIPS-REDEEMED": {"chips-redeemed": 1},
    "VOUCHER-VALUE": {"voucher-exchanged": 1},
    "ODDS-BELOW-MINIMUM": {"posted-odds-shown": 3},
    "ODDS-WORDING": {"posted-odds-shown": 1},
    "FAULT-PLAY": {"fault": 1, "fault-cleared": 1},
    "FAULT-NOT-TOLD": {"fault": 1, "fault-cleared": 1},
    "FAULT-NOT-CEASED": {"fault": 1, "fault-cleared": 1},
    "FAULT-UNWITNESSED": {"fault": 1, "fault-cleared": 1},
    "DICE-24H": {"dice-placed": 3, "dice-removed": 3},
    "DICE-DAMAGED": {"dice-removed": 1},
    "DICE-UNSEALED": {"dice-placed": 2, "dice-removed": 2},
    "CARDS-FOREIGN": {"foreign-card": 1},
    "LIMIT-NOT-SHOWN": {"sign-removed": 1, "sign-shown": 1},
    "LIMIT-OVER-MAX": {"limits-changed": 4},
    "ROUND-NOT-VOID": {"fault": 1, "fault-cleared": 1},
    "FEED-QUARANTINE": {"sign-removed": 1},
    "FEED-CHIPS-COUNT": {"chips-issued": 2, "chips-redeemed": 2},
}
# The same where the game is played with cards.
ADDED_WITH_CARDS = ADDED | {"ROUND-NOT-VOID": {"deck-count": 1}}
# Injectors that remove lines: the removed kinds, and how often.
REMOVED = {"INSPECT-SHIFT": {"inspection": 1}}
# Further changed lines: the round that decides a planted streak wager, or the closing of its table; rounds in which
# players wager under the minimum, as honest players do.
COMPANIONS = {
    "STREAK-WINDOW": 2,
    "STREAK-FINAL-CALL": 1,
    "STREAK-AMOUNT": 1,
    "STREAK-SCREEN": 1,
    "STREAK-OPEN-AT-CLOSE": 1,
    "WAGER-NO-WARNING": 3,
}


@pytest.mark.parametrize(("slug", "code"), CASES)
def test_an_injector_changes_what_it_says_and_nothing_else(slug: str, code: str) -> None:
    compared = planted(slug, code)
    named = {id(said) for said, _ in compared.truth}
    unnamed = [said for said in compared.changed if id(said) not in named]

    assert compared.truth
    assert {one.code for _, one in compared.truth} == {code}
    assert any(one.finding for _, one in compared.truth)
    assert len(unnamed) == COMPANIONS.get(code, 0)
    assert compared.removed == Counter(REMOVED.get(code, {}))
    if code in SESSIONS:
        assert compared.added["round"] == ROUNDS_ADDED.get(code, 0)
        assert not compared.changed
    else:
        added = ADDED_WITH_CARDS if compared.table.set_up.has_cards else ADDED
        assert compared.added == Counter(added.get(code, {}))


@pytest.mark.parametrize(("slug", "code"), CASES)
def test_what_is_planted_is_named_in_the_truth_by_number_round_and_wager(slug: str, code: str) -> None:
    compared = planted(slug, code)
    table = compared.table
    lines, _ = number_lines_with_faults(table.timeline, table=table.set_up.table, first=1)
    by_line = {id(said): line for said, line in zip(table.timeline.lines, lines, strict=True)}
    assert [one.at for one in lines] == sorted(one.at for one in lines)
    for said, one in compared.truth:
        assert (one.casino, one.table) == (table.set_up.casino, table.set_up.table)
        if not said.delivery.is_malformed:
            read = parse_line(by_line[id(said)].line)
            body = read.body
            if isinstance(body, Round):
                assert body.round == one.round
                # These remove the wager on purpose.
                if one.wager and code != "STREAK-OPEN-AT-CLOSE" and one.case != "unsettled":
                    assert one.wager in {wager.id for wager in body.wagers}


MONEY = [(slug, code) for slug, code in CASES if code.startswith(("SETTLE-", "LIMIT-OVER-MAX"))]


@pytest.mark.parametrize(("slug", "code"), MONEY)
def test_the_planted_amount_is_what_the_reference_says_is_wrong(slug: str, code: str) -> None:
    """The injector knows the amount because it did it; the naive settlement works it out from the documents."""
    compared = planted(slug, code)
    for said, one in compared.truth:
        assert isinstance(said.body, Round)
        wager = next(wager for wager in said.body.wagers if wager.id == one.wager)
        _, due = settled(compared.table.set_up, said.body, wager)

        assert (wager.returned or 0) - due == (one.amount or 0), (one, wager)


def cases(slug: str, code: str) -> dict[str, tuple[bool, float]]:
    return {one.case: (one.finding, one.figures["seconds"]) for _, one in planted(slug, code).truth}


@pytest.mark.parametrize(("slug", "code"), [("nsw-sic-bo", "LIMIT-SHORT-NOTICE"), ("nsw-sic-bo", "CLOSE-SHORT-NOTICE")])
def test_a_sign_is_planted_for_a_second_less_than_twenty_minutes_for_exactly_that_and_for_a_second_more(
    slug: str, code: str
) -> None:
    assert cases(slug, code) == {"under": (True, 1199.0), "at": (False, 1200.0), "over": (False, 1201.0)}
    for said, one in planted(slug, code).truth:
        sign = said.body.sign  # type: ignore[attr-defined]
        shown = next(
            s
            for s in planted(slug, code).table.timeline.lines
            if s.kind == "sign-shown" and s.body.sign == sign  # type: ignore[attr-defined]
        )
        assert (said.at - shown.at).total_seconds() == one.figures["seconds"]


def test_dice_are_planted_around_twenty_four_hours() -> None:
    found = cases("licensee-sic-bo", "DICE-24H")

    assert found == {"over": (True, 86_401.0), "at": (False, 86_400.0), "under": (False, 86_399.0)}
    said = planted("licensee-sic-bo", "DICE-24H").table.timeline.lines
    for _, one in planted("licensee-sic-bo", "DICE-24H").truth:
        placed, removed = (
            next(s.at for s in said if s.kind == kind and s.body.dice == one.figures["dice"])  # type: ignore[attr-defined]
            for kind in ("dice-placed", "dice-removed")
        )
        assert (removed - placed).total_seconds() == one.figures["seconds"]


def test_a_day_that_is_too_short_says_for_what_it_had_no_room() -> None:
    table = play_table_day("nsw-sic-bo", rounds=2)

    without_room = plant_faults(table, select_faults("STREAK-MISCOUNT,SETTLE-OVERPAID,FEED-GAP").at_tables)

    assert "STREAK-MISCOUNT" in without_room


@pytest.mark.parametrize("slug", [WITHOUT_STREAKS, *SLUGS[1:]])
@pytest.mark.parametrize("code", ["SETTLE-SHOULD-BE-VOID", "SETTLE-READING", "SETTLE-ROUNDING", "SETTLE-PAY-TABLE"])
def test_what_an_ordinary_day_may_lack_is_put_there(slug: str, code: str) -> None:
    """Void rounds, triples and odd winnings are rare; every day has room for what needs one all the same."""
    for seed in range(1, 6):
        table = play_table_day(slug, rounds=40, seed=seed)

        assert plant_faults(table, [INJECTORS[code]]) == []


def test_a_round_bears_one_fault_only() -> None:
    for slug in SLUGS:
        table = play_table_day(slug, rounds=200)
        plant_faults(table, select_faults("all").at_tables)
        rounds = [
            one.round
            for said, one in table.timeline.truth
            if said is not None and said.kind == "round" and not one.player
        ]

        assert len(rounds) == len(set(rounds))


def test_honest_players_who_overlook_a_limit_are_in_the_truth_as_players() -> None:
    table = play_table_day("skycity-big-and-small", rounds=200)
    codes = {one.code for _, one in table.timeline.truth}

    assert codes == {"LIMIT-OVER-MAX", "WAGER-UNDER-MIN"}
    assert all(one.player for _, one in table.timeline.truth)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_round_of_1970_is_reported_for_its_gaming_day_and_overlaps_no_other_run(slug: str) -> None:
    planted = plant(slug, "ROUND-NO-RULES")
    [(line, _)] = planted.truth
    assert isinstance(line.body, Round)
    assert line.body.gaming_day == planted.table.set_up.gaming_day_at(line.body.events[0].at)
    # Daylight saving time may move the first hour of a day into the day before.
    assert line.body.gaming_day in (date(1970, 11, 9), date(1970, 11, 10))
