"""Odds that do not give whole cents or payable units: the export marks them as not decided by odds."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pytest_django import Settings

from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.analysis.parquet.read_folder import FolderError
from rounds.floor.fact_values import LimitsValue, SmallestChipValue
from tests.compliance.analysis.parquet.random_play import export
from tests.compliance.analysis.parquet.test_damaged_files import rewrite, with_value
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import NSW, RWS, SKYCITY, pack_of, wager
from tests.rounds.floor.crew import OPENING

Told = dict[str, tuple[str, int | None, str, str | None]]


def told(house: House, settings: Settings, folder: Path) -> Told:
    """By wager: what decides it, what is due, the audit's verdict."""
    house.audit()
    export(house, folder, settings)
    rows = pq.ParquetFile(folder / part(folder)).read().to_pylist()
    return {row["wager"]: (row["settled_by"], row["due_cents"], row["audit"], row["code"]) for row in rows}


def part(folder: Path) -> str:
    [found] = (folder / "wagers").rglob("*.parquet")
    return found.relative_to(folder).as_posix()


def half_a_cent(house: House) -> None:
    """RWS 4.1, pay table 2: 8.5 to 1 on 100 cents is 850; on 101 it is 858 and a half, and no clause rounds it."""
    table = house.open_table("etg-1", RWS)
    house.add_terminal(table, "t-2", pack_of(RWS).law.pay_table["2"].layout or "")
    at = {"rules": RWS, "terminal": "t-2"}
    wagers = wager("total:8", 100, 950, id="whole", **at), wager("total:8", 101, 959, id="half", **at)
    house.play((2, 3, 3), *wagers, table="etg-1")


def test_half_a_cent_is_left_to_the_audit(house: House, settings: Settings, tmp_path: Path) -> None:
    half_a_cent(house)
    assert told(house, settings, tmp_path / "files") == {
        "whole": ("odds", 950, "right", None),
        "half": ("rounding", None, "wrong", "SETTLE-ROUNDING"),
    }
    audited = audit_folder(tmp_path / "files")
    [found] = audited.differences
    assert (audited.recomputed_count, audited.recomputed.ways["rounding"]) == (1, 1)
    assert (found.wager, found.required_cents, found.found_cents) == ("half", None, 959)
    assert (found.is_recomputed, found.contradiction) == (False, "")


def test_half_a_cent_that_is_said_to_be_decided_by_odds_comes_out_otherwise(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    """Whether the half cent is dropped or paid, no whole number of cents is what the odds give."""
    half_a_cent(house)
    folder = tmp_path / "files"
    place = list(told(house, settings, folder)).index("half")
    for cents in (959, 960):
        for column, value in (("settled_by", "odds"), ("due_cents", cents), ("returned_cents", cents)):
            rewrite(folder, part(folder), with_value(column, place, value))
        assert audit_folder(folder).contradiction_count == 1, cents


@pytest.mark.parametrize(
    ("column", "wager_id", "cents"), [("returned_cents", "whole", 950), ("stake_cents", "even", 500)]
)
def test_an_amount_so_large_that_its_product_comes_round_again_is_told(
    column: str, wager_id: str, cents: int, house: House, settings: Settings, tmp_path: Path
) -> None:
    """With 64 bits, twice 950 minus 2**63 is twice 950 again."""
    half_a_cent(house)
    house.play((2, 3, 3), wager("even", 500, 1_000, rules=RWS, terminal="t-2", id="even"), table="etg-1")
    folder = tmp_path / "files"
    place = list(told(house, settings, folder)).index(wager_id)
    rewrite(folder, part(folder), with_value(column, place, cents - 2**63))
    with pytest.raises(FolderError, match="amounts that nobody stakes"):
        audit_folder(folder)


def test_what_the_table_s_chips_cannot_pay_is_left_to_the_audit(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    """SkyCity 8.f: 5 1/2 to 1 on 200 is 1,100; on 250 it is 1,375, rounded up to whole dollars."""
    table = house.open_table("sb-1", SKYCITY, LimitsValue(min=100, max=50_000))
    house.state(table, SmallestChipValue(cents=100), at=OPENING)
    house.play(
        (1, 2, 5),
        wager("pair:1-2", 200, 1_300, id="exact"),
        wager("pair:1-2", 250, 1_650, id="up"),
        wager("pair:1-2", 250, 1_550, id="down"),
        wager("pair:3-4", 250, 0, id="lost"),
    )
    assert told(house, settings, tmp_path / "files") == {
        "exact": ("odds", 1_300, "right", None),
        "up": ("rounding", 1_650, "right", None),
        "down": ("rounding", 1_650, "wrong", "SETTLE-ROUNDING"),
        "lost": ("odds", 0, "right", None),
    }
    assert [each.wager for each in audit_folder(tmp_path / "files").differences] == ["down"]


def test_more_than_can_be_multiplied_is_left_to_the_audit(house: House, settings: Settings, tmp_path: Path) -> None:
    house.open_table("sb-1", NSW)
    house.play((4, 2, 4), wager("small", 2_500, 2**40 - 1, id="most"), wager("small", 2_500, 2**40, id="more"))
    assert told(house, settings, tmp_path / "files") == {
        "most": ("odds", 5_000, "wrong", "SETTLE-OVERPAID"),
        "more": ("rounding", 5_000, "wrong", "SETTLE-OVERPAID"),
    }
    differences = audit_folder(tmp_path / "files").differences
    assert [(each.wager, each.is_recomputed) for each in differences] == [("more", False), ("most", True)]
