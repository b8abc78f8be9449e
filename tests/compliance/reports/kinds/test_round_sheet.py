"""The sheet of a round: its wagers as they stood when betting closed, and what they are owed."""

from datetime import datetime
from typing import Any

from compliance.disputes.services import record_payment
from compliance.reports.kinds.round_sheet import access_round, build, wagers_section
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, Floor, floor
from tests.compliance.disputes.subject.test_assessment import wager

__all__ = ["floor"]

TEN = {"bet": "total:10", "stake": 1_000, "verdict": "lose", "returned": 0}


def rows(floor: Floor, index: int) -> list[dict[str, str]]:
    grid = wagers_section(access_round(floor.harbour, index), []).grid
    assert grid is not None
    names = [column.text for column in grid.headings]
    return [dict(zip(names, row.cells, strict=True)) for row in grid.rows]


def test_what_is_due_comes_from_the_rules_even_without_a_finding(floor: Floor) -> None:
    """Ten dollars on total 10 at 6 to 1. No audit has run; then the money is paid after a dispute."""
    floor.open_table(NSW)
    subject = floor.play(wagers=[wager(id="w", **TEN)])
    [row] = rows(floor, subject.entry.index)
    assert (row["Handed back"], row["Due"], "Later" in row) == ("$0.00", "$70.00", False)
    dispute = floor.log(subject, wagers=["w"])
    at = NOW + MINUTE
    record_payment(dispute=dispute, way="paid", amount_cents=7_000, wager="w", note="", actor=floor.sid, now=at)
    [row] = rows(floor, subject.entry.index)
    assert (row["Handed back"], row["Later"], row["Due"]) == ("$0.00", "$70.00", "$70.00")


def test_changed_wagers_are_shown_as_they_stood_when_betting_closed(floor: Floor) -> None:
    floor.open_table(NSW)
    placed = datetime.fromisoformat(wager()["placed_at"])

    def changed(what: str, **to: Any) -> dict[str, Any]:
        return {"changes": [{"what": what, "at": placed.isoformat(), **to}]}

    wagers = [
        wager(id="w-1", bet="small", stake=1_000, verdict="win", returned=4_000, **changed("raised", stake=2_000)),
        wager(id="w-2", bet="big", stake=1_000, verdict="win", returned=2_000, **changed("moved", bet="small")),
        wager(id="w-3", bet="big", stake=1_000, verdict="void", returned=1_000, **changed("withdrawn")),
    ]
    raised, moved, withdrawn = rows(floor, floor.play(wagers=wagers).entry.index)
    assert (raised["First stake"], raised["Stake"], raised["Due"]) == ("$10.00", "$20.00", "$40.00")
    assert raised["Box"].startswith("Small; First Small, $10.00; Raised to $20.00, ")
    assert moved["Box"].startswith("Small; First Big, $10.00; Moved to Small, ")
    assert (moved["Stake"], moved["Due"]) == ("$10.00", "$20.00")
    assert "Withdrawn, " in withdrawn["Box"]


def test_the_reason_of_a_void_round_has_its_label(floor: Floor) -> None:
    floor.open_table(NSW)
    void: dict[str, Any] = {"dice": None, "called": None, "entered": None, "no_result": {"reason": "nmb-not-pressed"}}
    subject = floor.play(wagers=[wager(verdict="void", returned=2_500)], **void)
    document = build(floor.harbour, {"round": subject.entry.index}, NOW)
    facts = {fact.name: fact.value for fact in document.document.sections[0].facts}
    assert facts["No result"] == "The “no more bets” button was not pressed"
