"""Every planted fault is found with its code, and nothing else is: days of all five rule sets, honest and not."""

import io
import json
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from compliance.audit.checks import checked_codes
from compliance.audit.confusion import Planted, Row, compare, read_truth, sightings_at
from compliance.audit.models import Finding
from rounds.floor.models import Table
from rounds.floor.values import (
    Decks,
    Equipment,
    Limits,
    PostedOdds,
    SmallestChip,
    StreakAmount,
    TableRules,
    Value,
    WagersOffered,
)
from rounds.intake.kinds.lines import KIND_OF
from rounds.ledger.appending import NewEntry, append
from rounds.simulator.faults.catalogue import chosen
from rounds.simulator.faults.injector import Injector
from rounds.simulator.floor_set_ups import set_up_of
from rounds.simulator.playing import Tally, play_days
from rounds.simulator.said import Numbered
from tests.compliance.audit.house import CONTROLLER, NOW, House
from tests.compliance.audit.play import LICENSEE, MBS, NSW, RWS, SKYCITY, START, wager
from tests.rounds.floor.crew import new_table, state

DAY = date(2026, 11, 10)
ROUNDS = 200
SINGLES = {f"single:{face}": ("1 to 1", "2 to 1", "3 to 1") for face in range(1, 7)}


def equipment(layout: str, screen: Any = "none", *, touch: bool = False, shaker: Any = "none") -> Equipment:
    return Equipment(layout=layout, screen=screen, touch_screen=touch, shaker=shaker)


FACTS: dict[str, Sequence[Value]] = {
    NSW: (
        equipment("C", "lcd", touch=True),
        WagersOffered(wagers=("odd", "even", "streak")),
        Limits(min=1_000, max=100_000),
        SmallestChip(cents=250),
        StreakAmount(cents=500),
    ),
    RWS: (equipment("A"), Limits(min=500, max=50_000), SmallestChip(cents=5)),
    MBS: (equipment("A"), Decks(decks=4), Limits(min=2_500, max=500_000), SmallestChip(cents=250)),
    SKYCITY: (equipment("A"), Limits(min=500, max=50_000), SmallestChip(cents=100)),
    LICENSEE: (
        equipment("A", shaker="automated"),
        PostedOdds(odds={"total:4": "60 to 1", "total:17": "60 to 1", **SINGLES}),
        Limits(min=500, max=50_000),
        SmallestChip(cents=100),
    ),
}
TERMINALS = {"t-01": "Appendix A", "t-02": "Appendix A", "t-03": "Appendix B", "t-04": "Appendix C"}


def open_floor(house: House) -> list[Table]:
    """A table of each rule set, and a second one of New South Wales without Super Streak."""
    tables = []
    for rules, facts in FACTS.items():
        table = house.open_table(rules, rules=rules)
        for fact in facts:
            state(house.crew, table, fact)
        tables.append(table)
    for terminal, layout in TERMINALS.items():
        house.add_terminal(tables[1], terminal, layout)
    plain = new_table(house.crew, "plain")
    for fact in (TableRules(rules=NSW), equipment("A"), Limits(min=2_500, max=250_000, unit=2_500)):
        state(house.crew, plain, fact)
    return [*tables, plain]


def record_day(table: Table, lines: Iterable[Numbered]) -> None:
    """As entries, without the wire: what spoils only the delivery cannot be seen here."""
    entries = [
        NewEntry(
            kind=KIND_OF[json.loads(one.line)["kind"]].entry_kind, body=one.line, table=table.slug,
            controller=CONTROLLER, sequence=one.sequence,
        )
        for one in lines if not one.delivery.is_malformed
    ]  # fmt: skip
    with transaction.atomic():
        append("harbour", entries, NOW)


def play(house: House, *, injectors: Sequence[Injector] = (), seed: int = 1) -> tuple[list[Planted], set[str]]:
    """A gaming day at each table; the truth about it, and the codes that no table had room for."""
    truth: list[bytes] = []
    planted: set[str] = set()
    for table in open_floor(house):
        days = play_days(
            set_up_of(table, START), first_day=DAY, rounds=ROUNDS, seed=seed, first=1, injectors=injectors,
            tally=Tally(),
        )  # fmt: skip
        for day in days:
            record_day(table, day.lines)
            truth += day.truth
    house.audit()
    read = read_truth(truth)
    planted = {one.code for one in read if one.finding}
    return read, {one.code for one in injectors if not one.needs_clock} - planted


def seen_without_a_wire(rows: Iterable[Row]) -> list[Row]:
    """A controller's numbers and clocks are only there when lines come through the service."""
    return [row for row in rows if not row.code.startswith("FEED-")]


def unexplained(rows: Iterable[Row]) -> list[str]:
    missed = [f"missed {row.code}: {one.table} {one.round} {one.says}" for row in rows if row.is_checked
              for one in row.missed]  # fmt: skip
    false = [f"false {row.code}: {one.table} {one.sentence}" for row in rows for one in row.false]
    return missed + false


@pytest.mark.parametrize("seed", [2, 4])
def test_every_fault_is_found_with_its_code_and_nothing_else(house: House, seed: int) -> None:
    truth, without_room = play(house, injectors=chosen("all"), seed=seed)
    rows = seen_without_a_wire(compare(truth, sightings_at(truth)))
    assert without_room == set()
    assert unexplained(rows) == []
    assert {row.code for row in rows if row.found} >= {
        code for code in checked_codes() if code.startswith(("SETTLE-", "WAGER-", "STREAK-"))
    }


def test_honest_days_have_nothing_but_what_players_overlooked(house: House) -> None:
    truth, _ = play(house, seed=3)
    rows = seen_without_a_wire(compare(truth, sightings_at(truth)))
    assert unexplained(rows) == []
    assert set(Finding.objects.standing().values_list("code", flat=True)) <= {"LIMIT-OVER-MAX", "WAGER-UNDER-MIN"}


class TestTheCommand:
    """One fault found, one missed, one near miss reported, one finding that nobody planted."""

    @pytest.fixture
    def truth(self, house: House, tmp_path: Path) -> Path:
        house.open_table()
        for number, returned in enumerate((5_100, 5_000, 5_100, 5_100), start=1):
            house.play((4, 2, 4), wager("small", 2_500, returned, id=f"w-{number}"))
        said = {"code": "SETTLE-OVERPAID", "casino": "harbour", "table": "sb-1", "says": "A dollar too much."}
        planted = [
            {**said, "round": "r-1", "wager": "w-1", "sequence": 1},
            {**said, "round": "r-2", "wager": "w-2", "sequence": 2},
            {**said, "round": "r-3", "wager": "w-3", "sequence": 3, "finding": False},
            {**said, "code": "DISPUTE-RANK", "sequence": 1},
        ]
        path = tmp_path / "truth.ndjson"
        path.write_text("".join(json.dumps(one) + "\n" for one in planted))
        return path

    def run(self, truth: Path, *arguments: str) -> tuple[str, bool]:
        out = io.StringIO()
        try:
            call_command("confusion", "--truth", str(truth), *arguments, stdout=out)
        except SystemExit:
            return out.getvalue(), False
        return out.getvalue(), True

    def test_it_counts_found_missed_and_false_and_fails_for_them(self, truth: Path) -> None:
        said, is_right = self.run(truth, "--json")
        rows = {row["code"]: row for row in map(json.loads, said.splitlines())}
        assert not is_right
        assert rows["SETTLE-OVERPAID"] == {
            "code": "SETTLE-OVERPAID", "checked": True, "planted": 2, "found": 1, "missed": 1, "false": 2,
        }  # fmt: skip
        assert rows["DISPUTE-RANK"]["missed"] == 1

    def test_it_says_which_in_plain_words(self, truth: Path) -> None:
        said, _ = self.run(truth, "--details")
        assert "    missed: harbour/sb-1 line 2: A dollar too much." in said
        assert said.count("    false:  harbour/sb-1 entry") == 2
        assert "Small for $25.00 (wager w-4) was handed back $51.00; $50.00 was due." in said
        assert said.splitlines()[-1].endswith("2 findings were in vain.")

    def test_a_truth_that_cannot_be_used(self, house: House, tmp_path: Path) -> None:
        (tmp_path / "empty").write_text("")
        for path, words in ((tmp_path / "empty", "The truth is empty"), (tmp_path / "none", "No such file")):
            with pytest.raises(CommandError, match=words):
                call_command("confusion", "--truth", str(path))
