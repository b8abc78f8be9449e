"""Totals of findings count the money of each wager once."""

from datetime import timedelta

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.disputes.services import record_payment
from compliance.reports.dashboard.figures import DashboardFigures
from compliance.reports.dashboard.panels import codes_section
from compliance.reports.document.period import Period
from compliance.reports.kinds.findings import build_discrepancy_report
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, Floor, floor
from tests.compliance.disputes.subject.test_assessment import wager

__all__ = ["floor"]

BEYOND, SHORT = "Handed back beyond what was due", "Short of what was due"


def unpaid_cents(floor: Floor) -> int:
    return DashboardFigures(period_of(floor), NOW).unpaid_cents


def period_of(floor: Floor) -> Period:
    return Period(floor.harbour, NOW.date() - timedelta(days=1), NOW.date() + timedelta(days=1))


def totals(floor: Floor) -> tuple[tuple[str, str], dict[str, tuple[str, str]]]:
    """The report's totals beyond and short of what was due, and the dashboard's by code, which are the report's too."""
    list(audit_log(floor.harbour))
    section = build_discrepancy_report(floor.harbour, {}, NOW).document.sections[0]
    facts = {fact.name: fact.value for fact in section.facts}
    on_dashboard = codes_section(DashboardFigures(period_of(floor), NOW))
    assert section.grid is not None
    assert on_dashboard.grid is not None
    by_code = {row.cells[0]: (row.cells[-2], row.cells[-1]) for row in section.grid.rows}
    assert {row.cells[0]: (row.cells[-2], row.cells[-1]) for row in on_dashboard.grid.rows} == by_code
    about_money = {code: both for code, both in by_code.items() if code.startswith(("SETTLE", "DISPUTE-UPHELD"))}
    return (facts[BEYOND], facts[SHORT]), about_money


def test_a_wager_paid_too_little_and_its_upheld_dispute(floor: Floor) -> None:
    """Seventy due by the rules, nothing returned; the first decision and the review are both for the patron."""
    floor.open_table(NSW)
    subject = floor.play(wagers=[wager(id="w", bet="total:10", stake=1_000, verdict="lose", returned=0)])
    dispute = floor.log(subject, wagers=["w"])
    floor.decide(dispute, floor.gina, outcome="upheld", amount_cents=7_000)
    short, nothing = ("$0.00", "$70.00"), ("$0.00", "$0.00")
    once = short, {"SETTLE-WINNER-UNPAID": short, "DISPUTE-UPHELD": nothing}
    assert totals(floor) == once
    assert unpaid_cents(floor) == 7_000
    floor.tell(dispute, "review")
    floor.decide(dispute, floor.sid, rung=1, outcome="upheld", amount_cents=7_000)
    assert totals(floor) == once
    assert Finding.objects.current().filter(code="DISPUTE-UPHELD").count() == 2


def test_a_dispute_upheld_against_the_record_counts_and_its_payment_evens_it_out(floor: Floor) -> None:
    """By the record the wager on big lost. The decision says that it lay on small, which only the dispute states."""
    floor.open_table(NSW)
    subject = floor.play(wagers=[wager(id="w", bet="big", stake=1_000, verdict="lose", returned=0)])
    dispute = floor.log(subject, wagers=["w"])
    floor.decide(dispute, floor.gina, outcome="upheld", amount_cents=2_000)
    short, over = ("$0.00", "$20.00"), ("$20.00", "$0.00")
    assert totals(floor) == (short, {"DISPUTE-UPHELD": short})
    assert unpaid_cents(floor) == 2_000
    at = NOW + 8 * MINUTE
    record_payment(dispute=dispute, way="paid", amount_cents=2_000, wager="w", note="", actor=floor.sid, now=at)
    assert totals(floor) == (("$20.00", "$20.00"), {"DISPUTE-UPHELD": short, "SETTLE-LOSER-PAID": over})
    assert unpaid_cents(floor) == 0
