"""Every class of settlement recomputed from the log alone: correct ones match, wrong ones differ as a finding says.
Wagers are named right-… and wrong-…; without the findings, the wrong ones are reported.
"""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from compliance.tables.limit_notices.services import end_player_limit, set_player_limit
from rounds.floor.fact_values import BetLimitsValue, LimitsValue
from rounds.intake.protocol.fields import BetLimits, Limits, PlayerLimits
from rounds.intake.protocol.round import Change, Refusal, RoundEvent, Wager
from rounds.intake.protocol.table import Interrupted, LimitsChanged
from rounds.ledger.writing.append import make_entry
from rounds.witness.entries.bundle_source import BundleFolder, RawEntry
from rounds.witness.recompute.recompute_log import RecomputeResult
from rounds.witness.recompute.rules_in_force import parse_round, round_entries
from tests.compliance.audit.checks.round.test_streaks import BIG, SMALL, StreakTable
from tests.compliance.audit.conftest import house
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import NSW, RWS, SKYCITY, at, build_round, void, wager
from tests.compliance.transparency.witness_registry.test_audited_key import came_to, export_links, kind_of
from tests.rounds.floor.conftest import crew, quick_passwords
from tests.rounds.ledger.harbour_log import record_all

__all__ = ["crew", "house", "quick_passwords"]


def without_findings(entry: RawEntry) -> RawEntry | None:
    return None if kind_of(entry) == "finding" else entry


def hold_against_the_audit(house: House, folder: Path) -> RecomputeResult:
    """Recompute everything: it matches the service's findings, and without them the wrong wagers are reported."""
    house.audit()
    held = came_to(export_links(folder))
    assert (held.not_reproduced, held.waiting, held.left_out) == ([], 0, {})
    silent = came_to(folder, without_findings)
    assert {one.wager for one in silent.not_reproduced} == {name for name in names_in(folder) if "wrong" in name}
    assert held.found_too == len(silent.not_reproduced) > 0
    return held


def names_in(folder: Path) -> Iterable[str]:
    for entry, header in round_entries(BundleFolder(folder).entries()):
        played = parse_round(entry, header)
        assert played is not None
        yield from (one.id for one in played.wagers)


def bet(name: str, box: str, stake: int, returned: int | None, **rest: Any) -> Wager:
    """A wager of a separate player, unless one is given."""
    return wager(box, stake, returned, id=name, **{"player": f"p-{name}"} | rest)


def change(what: Any, when: float, **rest: Any) -> dict[str, Any]:
    return {"changes": (Change(what=what, at=at(when), **rest),)}


def test_wagers_that_were_changed_came_late_or_were_taken_back(house: House, tmp_path: Path) -> None:
    """Betting closes at 30 s."""
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    house.play(
        (4, 5, 6),
        bet("right-moved", "small", 1000, 2000, **change("moved", 22, bet="big")),
        bet("wrong-moved", "small", 1000, 0, **change("moved", 22, bet="big")),
        bet("right-moved-late", "big", 1000, 2000, **change("moved", 35, bet="small")),
        bet("wrong-moved-late", "small", 1000, 2000, **change("moved", 35, bet="big")),
        bet("right-raised", "big", 1000, 4000, **change("raised", 22, stake=2000)),
        bet("wrong-raised", "big", 1000, 2000, **change("raised", 22, stake=2000)),
        bet("right-raised-late", "big", 1000, 3000, **change("raised", 35, stake=2000)),
        bet("wrong-raised-late", "big", 1000, 4000, **change("raised", 35, stake=2000)),
        bet("right-late", "big", 1000, 1000, placed_at=at(35), verdict="void"),
        bet("wrong-late", "big", 1000, 2000, placed_at=at(35)),
        bet("right-withdrawn", "big", 1000, 1000, verdict="void", **change("withdrawn", 22)),
        bet("wrong-withdrawn", "big", 1000, 2000, **change("withdrawn", 22)),
    )
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 6


def test_rounds_without_result_and_wagers_that_are_void(house: House, tmp_path: Path) -> None:
    house.open_table()
    house.play(
        None,
        bet("right-void", "big", 1000, 1000, verdict="void"),
        bet("wrong-kept", "big", 1000, 0, verdict="void"),
        **void("not-flat"),
    )
    house.play((4, 5, 6), bet("right", "big", 1000, 2000), bet("wrong-void", "big", 1000, 1000, verdict="void"))
    named = ("right-declared", "wrong-declared")
    index = house.play(
        (4, 5, 6), *(bet(name, "small", 1000, 0) for name in named), bet("right-other", "big", 500, 1000)
    )
    about = {"table": "sb-1", "rounds": [index], "at": "2026-11-16T09:00:35Z"}
    voided = about | {"wagers": [f"{index}:{name}" for name in named], "as": "games-supervisor", "grounds": "device"}
    returned = about | {"returned": [{"round": index, "wager": "right-declared", "cents": 1000}]}
    record_all(
        [
            make_entry("wagers-voided", voided, table="sb-1"),
            make_entry("stakes-returned", returned, table="sb-1"),
        ]
    )
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 4


def test_interrupted_rounds_are_concluded_once_a_bet_is_decided(house: House, tmp_path: Path) -> None:
    """RWS 5.1.1: one die that shows 3 decides triple 1 and leaves small open; what the table reported counts too."""
    house.add_terminal(house.open_table("t-rws", RWS), "t-1", "Appendix A")

    def voided(name: str, box: str, returned: int) -> Wager:
        return bet(name, box, 1000, returned, verdict="void", rules=RWS)

    def report(name: str, is_established: bool, seconds: int) -> None:
        """At this second of the round; the rounds follow each other by a minute."""
        seconds += 60 * (int(name.removeprefix("r-")) - 1)
        line = Interrupted(terminals=("t-1",), round=name, outcome_established=is_established)
        house.report("terminal-interrupted", line, table="t-rws", at=at(seconds))

    house.play(
        None,
        voided("right-void", "small", 1000),
        voided("wrong-kept", "small", 0),
        table="t-rws",
        **void("interrupted"),
    )
    house.play(
        None,
        bet("right-lost", "triple:1", 1000, 0, rules=RWS),
        voided("wrong-lost", "triple:1", 1000),
        voided("wrong-undecided", "small", 1000),
        table="t-rws",
        **void("interrupted", faces_read=(3,)),
    )
    report("r-3", True, 35)
    house.play(None, voided("wrong-reported", "small", 1000), table="t-rws", **void("interrupted"))
    report("r-4", False, 49)
    house.play((2, 3, 3), voided("right-covered", "small", 1000), table="t-rws", **void("interrupted"))
    report("r-5", False, 50)
    house.play((2, 3, 3), voided("wrong-uncovered", "small", 1000), table="t-rws", **void("interrupted"))
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 3


def test_several_on_one_box_count_together_and_players_may_have_limits_of_their_own(
    house: House, tmp_path: Path
) -> None:
    """At SkyCity's table the excess over the maximum is returned whenever it is found; in New South Wales a wager found
    on a later game stands in full.
    """
    house.open_table("sky", SKYCITY, limits=LimitsValue(min=500, max=2000))

    def pair(names: tuple[str, str], paid: tuple[int, int], stakes: tuple[int, int]) -> list[Wager]:
        placed = (at(20), at(21))
        several = zip(names, paid, stakes, placed, strict=True)
        return [
            bet(name, "big", stake, back, player=f"p-{names[0]}", placed_at=when, rules=SKYCITY)
            for name, back, stake, when in several
        ]

    own = (
        PlayerLimits(min=500, max=900, player="p-own-1"),
        PlayerLimits(min=500, max=900, player="p-own-2"),
    )
    house.play(
        (4, 5, 6),
        *pair(("right-first", "right-clipped"), (3000, 2000), (1500, 1500)),
        *pair(("right-one", "wrong-clipped"), (3000, 3000), (1500, 1500)),
        *pair(("right-other-clipped", "right-other-whole"), (2000, 3000), (1500, 1500)),
        table="sky",
    )
    house.open_table(limits=LimitsValue(min=500, max=2000))
    house.play(
        (4, 5, 6),
        bet("right-own", "big", 1000, 1900, player="p-own-1"),
        bet("wrong-own", "big", 1000, 1800, player="p-own-2"),
        bet("right-table", "big", 1000, 2000),
        player_limits=own,
    )
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 7


def test_limits_by_type_of_wager_count(house: House, tmp_path: Path) -> None:
    """At most $20 on Big, as a person recorded it; then at most $20 on Small, as the controller reported it."""
    by_person = LimitsValue(min=500, max=5_000, by_bet={"big": BetLimitsValue(max=2_000)})
    house.open_table("sky", SKYCITY, limits=by_person)
    house.play(
        (4, 5, 6),
        bet("right-at", "big", 2_000, 4_000),
        bet("right-clipped", "big", 3_000, 5_000),
        bet("wrong-in-full", "big", 3_000, 6_000),
        bet("right-small", "small", 5_000, 0),
        table="sky",
    )
    limits = Limits(min=500, max=5_000, by_bet={"small": BetLimits(min=1_000, max=2_000)})
    house.report("limits-changed", LimitsChanged(limits=limits), table="sky", at=at(200))
    house.play(
        (4, 5, 6),
        bet("right-big", "big", 3_000, 6_000),
        bet("right-loser", "small", 3_000, 1_000),
        bet("wrong-loser", "small", 3_000, 0),
        table="sky",
        later=timedelta(minutes=5),
    )
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 5


def test_limits_of_one_player_on_record_count(house: House, tmp_path: Path) -> None:
    """$5 to $9 for the player p-own and for seat 7; limits that ended before the round do not count."""
    table, sid = house.open_table(limits=LimitsValue(min=500, max=2000)), house.crew.sid
    own = {"table": table, "min_cents": 500, "max_cents": 900, "actor": sid}
    set_player_limit(player="p-own", seat=None, now=at(-60), **own)  # type: ignore[arg-type]
    set_player_limit(player="", seat=7, now=at(-60), **own)  # type: ignore[arg-type]
    ended = set_player_limit(player="p-right-ended", seat=None, now=at(-60), **own)  # type: ignore[arg-type]
    end_player_limit(limit=ended, actor=sid, now=at(-30))
    house.play(
        (4, 5, 6),
        bet("right-own", "big", 1000, 1900, player="p-own"),
        bet("wrong-seat", "big", 1000, 1800, seat=7),
        bet("right-seat", "big", 1000, 1900, seat=7),
        bet("right-ended", "big", 1000, 2000),
    )
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 3


def test_super_streaks_are_followed_through_the_rounds_between(house: House, tmp_path: Path) -> None:
    """Four in a row after the opening result pay six to one. A round with too few tumbles where the document places
    them, before bets open at 10 s, is void and does not end the streak."""
    table = StreakTable(house)
    late = RoundEvent(name="tumbled", at=at(35), count=1)
    names = ("right-streak", "wrong-streak")
    table.play(SMALL, *(bet(name, "streak:small", 1000, None, placed_at=at(45)) for name in names))
    for _ in range(4):
        table.play(SMALL)
        table.play(BIG, events=(*build_round(NSW, BIG, tumbles=2).events, late))
    table.play(
        BIG,
        bet("right-streak", "streak:small", 1000, 7000),
        bet("wrong-streak", "streak:small", 1000, 16_000),
        bet("wrong-never-made", "streak:small", 1000, 7000),
    )
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 1


def refused(name: str, when: float | None, grounds: Any = None, **rest: Any) -> Wager:
    refusal = Refusal(at=None if when is None else at(when), grounds=grounds)
    return bet(name, "big", 1000, 1000, **{"verdict": "refused", "refusal": refusal} | rest)


def test_refused_wagers_are_settled_unless_the_rules_allow_it(house: House, tmp_path: Path) -> None:
    """Betting closes at 30 s."""
    house.open_table("sky", SKYCITY)
    house.play(
        (4, 5, 6),
        refused("right-touching", 30, "touching"),
        refused("wrong-touching-late", 31, "touching"),
        refused("wrong-grounds", 29, "other"),
        refused("right-cash", 31, tender="cash"),
        table="sky",
    )
    house.open_table(limits=LimitsValue(min=500, max=1500))
    house.play(
        (4, 5, 6),
        refused("right-in-time", 30, player="p-1"),
        bet("right-after-it", "big", 1000, 2000, player="p-1"),
        refused("wrong-late", 31),
        refused("right-late-wager", 36, placed_at=at(35)),
        refused("wrong-recorded", None),
    )
    said = {"grounds": "other", "at": "2026-11-16T09:00:35Z", "wagers": ["wrong-recorded"], "seat": 4, "player": None}
    record_all([make_entry("wager-refusal", said, table="sb-1")])
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 5


def test_a_box_that_is_not_offered_must_be_found(house: House, tmp_path: Path) -> None:
    house.open_table()
    house.play((4, 5, 6), bet("right", "big", 1000, 2000), bet("wrong-box", "odd", 1000, 2000))
    assert hold_against_the_audit(house, tmp_path / "all").reproduced == 1


def test_what_was_paid_after_a_dispute_counts_and_a_warning_is_remembered(house: House, tmp_path: Path) -> None:
    house.open_table("sky", SKYCITY, limits=LimitsValue(min=500, max=2000))
    small: dict[str, Any] = {"rules": SKYCITY, "player": "p-warned"}
    index = house.play((4, 5, 6), bet("short", "big", 1000, 1500, rules=SKYCITY), table="sky")
    house.play((4, 5, 6), bet("once", "big", 300, 600, **small), table="sky", later=timedelta(minutes=1))
    warning = {
        "table": "sky",
        "player": "p-warned",
        "seat": None,
        "gaming_day": "2026-11-16",
        "at": "2026-11-16T09:02:00Z",
    }
    record_all([make_entry("under-minimum-warning", warning, table="sky")])
    house.play(
        (4, 5, 6), bet("again", "big", 300, 300, verdict="void", **small), table="sky", later=timedelta(minutes=5)
    )
    house.audit()
    folder = export_links(tmp_path / "before")
    before = came_to(folder)
    assert (before.reproduced, before.found_too, before.not_reproduced) == (2, 1, [])
    unwarned = came_to(folder, lambda one: None if kind_of(one) == "under-minimum-warning" else one)
    assert unwarned.reproduced == 1, "Without it the stake that went back should have won."

    paid = {"corrects": index, "wager": "short", "way": "paid", "amount_cents": 500}
    record_all([make_entry("dispute-paid", paid)])
    assert came_to(export_links(tmp_path / "after")).reproduced == 3
