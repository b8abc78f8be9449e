"""Money paid after a round counts as returned: after a dispute, and after the round was declared void."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from pytest_django import Settings

from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.analysis.parquet.export_days import export_days
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.disputes.services import record_payment
from compliance.tables.equipment.services.floor_records import void_rounds
from compliance.tables.equipment.services.stake_returns import return_stakes
from tests.compliance.analysis.parquet.random_play import FIRST_DAY, LAST_DAY, export
from tests.compliance.audit.checks.timeline.test_disputes import floor
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import RWS, wager
from tests.compliance.core.accounts.people import hire
from tests.compliance.disputes.disputed_round import MINUTE, NSW, Floor
from tests.compliance.disputes.subject.test_assessment import wager as disputed

__all__ = ["floor"]


def rows(folder: Path) -> list[dict[str, Any]]:
    [part] = (folder / "wagers").rglob("*.parquet")
    return list(pq.ParquetFile(part).read().to_pylist())


def test_after_a_dispute(db: None, floor: Floor, tmp_path: Path) -> None:
    """Ten dollars on total 10 at 6 to 1, nothing returned; seventy paid later."""
    floor.open_table(NSW)
    subject = floor.play(wagers=[disputed(id="w", bet="total:10", stake=1_000, verdict="lose", returned=0)])
    dispute = floor.log(subject, wagers=["w"])
    floor.decide(dispute, floor.gina, outcome="upheld", amount_cents=7_000)
    record_payment(
        dispute=dispute, way="paid", amount_cents=7_000, wager="w", note="", actor=floor.sid, now=NOW + 8 * MINUTE
    )
    list(audit_log(floor.harbour))
    export_days(
        casino=floor.harbour, first_day=FIRST_DAY.replace(day=1), last_day=LAST_DAY, folder=tmp_path / "files", now=NOW
    )
    [row] = rows(tmp_path / "files")
    assert (row["returned_cents"], row["later_cents"], row["due_cents"], row["audit"]) == (0, 7_000, 7_000, "right")
    assert audit_folder(tmp_path / "files").differences == []


def test_after_damaged_dice(house: House, settings: Settings, tmp_path: Path) -> None:
    """Two stakes of a dollar lost in rounds that were void: one went back whole, of the other nothing did."""
    shirin: User = hire("shirin", house.casino, Role.SHIFT_MANAGER, by=house.crew.cast.ada)
    table = house.open_table("etg-1", rules=RWS)
    house.add_terminal(table, "t-1", "Appendix A")
    first, second = (
        house.play((2, 3, 3), wager("big", 100, 0, rules=RWS, id=name), table="etg-1") for name in ("w-1", "w-2")
    )
    void = void_rounds(
        table=table, dice_set="set-0912", rounds=[first, second], reason="Chipped.", actor=shirin, now=NOW
    )
    return_stakes(
        casino=house.casino, because=void.entry_index, wagers=[f"{first}:w-1"], how="In credits.", actor=shirin, now=NOW
    )
    house.audit()
    export(house, tmp_path / "files", settings)
    told = [(row["settled_by"], row["later_cents"], row["due_cents"], row["audit"]) for row in rows(tmp_path / "files")]
    assert told == [("unusual round", 100, 100, "right"), ("unusual round", 0, 100, "wrong")]
    [found] = audit_folder(tmp_path / "files").differences
    assert (found.wager, found.code, found.is_recomputed) == ("w-2", "SETTLE-VOID-KEPT", False)
