"""Dashboard: figures computed by hand, charts of them, and a constant number of queries."""

from datetime import date, timedelta
from fractions import Fraction

from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.audit.models import DailyTotals
from compliance.audit.run.worker import consume_new_entries
from compliance.reports.dashboard.figures import DashboardFigures
from compliance.reports.dashboard.panels import summary_section
from compliance.reports.dashboard.return_to_player import format_percent
from compliance.reports.document.period import Period
from compliance.reports.document.structure import decode_document
from rounds.floor.fact_values import GamingDayValue, LimitsValue
from rounds.floor.models import Table
from tests.compliance.analysis.fairness.dice_play import signal_by_hand
from tests.compliance.audit.round_builders import void, wager
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report, verify_offline
from tests.pdf_text import extract_text
from tests.rounds.floor.crew import record_table_fact

PLACE = "/casinos/harbour/dashboard/"
BOTH = {"first": "2026-11-15", "last": "2026-11-16"}
SUNDAY = date(2026, 11, 15)
CHARTS = ("rounds", "money", "returns", "tables", "codes", "trend")


def play(office: ReviewScenario) -> None:
    """On Sunday small was overpaid by a dollar; on Monday small won and lost, total 10 won, and one round was void."""
    house = office.house
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100), gaming_day=SUNDAY)
    house.play((4, 2, 4), wager("small", 2_500, 5_000), wager("total:10", 1_000, 7_000))
    house.play((6, 5, 4), wager("small", 2_500, 0), wager("small", 500, 0, player="p-02", id="w-2"))
    house.play(None, wager("small", 2_500, 2_500, verdict="void"), **void("fewer-than-three"))
    office.audit()


def text(office: ReviewScenario, **period: str) -> str:
    page = browser_of(office.ines).get(PLACE, period)
    assert page.status_code == 200
    return page.content.decode()


# Sunday: $51.00 of $25.00. Monday: $120.00 of $65.00; small gives back 210/216 of $55.00, total 10 189/216 of $10.00,
# together $62.22, which is 95.73%. Both days: $171.00 of $90.00; expected $62.22 + $24.31 = $86.53, 96.14%.
MONDAY = ("16 November 2026", "$65.00", "$120.00", "184.62%", "95.73%")
TOGETHER = ("4, of which 1 without a result", "$90.00", "$171.00", "190.00%", "96.14%", "SETTLE-OVERPAID", "$1.00")


def test_the_figures_of_a_period(office: ReviewScenario) -> None:
    play(office)
    shown = text(office, **BOTH)
    for words in (*MONDAY, *TOGETHER, "15 November 2026", "204.00%", "97.22%", "Duties"):
        assert words in shown, words
    monday = text(office, first="2026-11-16", last="2026-11-16")
    assert "3, of which 1 without a result" in monday
    assert "15 November 2026" not in monday


def test_wagers_of_one_round_hang_on_one_result_and_so_do_the_bounds(office: ReviewScenario) -> None:
    """$25 on small and $25 on big: $50 come back unless the dice show three of a kind, which is 6 times in 216.

    On average 97.22%, with a deviation of $8.21; 2.576 of those are $21.15, 42.30% of the stakes. If each wager had
    dice of its own the deviation would be $35.34, and the bounds from nothing to 279.29%."""
    office.house.open_table()
    office.house.play((4, 2, 4), wager("small", 2_500, 5_000), wager("big", 2_500, 0, id="w-2"))
    office.audit()
    shown = text(office, first="2026-11-16", last="2026-11-16")
    for words in ("97.22%", "54.92%", "139.52%", "100.00%", "Within the bounds"):
        assert words in shown, words


def test_each_chart_is_a_picture_with_its_figures_below(office: ReviewScenario) -> None:
    play(office)
    page, shown = browser_of(office.cora), text(office, **BOTH)
    for chart in CHARTS:
        assert f"{PLACE}{chart}.svg?first=2026-11-15&amp;last=2026-11-16" in shown, chart
        answer = page.get(f"{PLACE}{chart}.svg", BOTH)
        assert answer.headers["Content-Type"] == "image/svg+xml"
    assert page.get(f"{PLACE}nonsense.svg", BOTH).status_code == 404
    assert page.get(f"{PLACE}rounds.svg", {"first": "x", "last": "y"}).status_code == 404


def test_an_empty_period_and_one_that_makes_no_sense(office: ReviewScenario) -> None:
    empty = text(office, first="2026-01-01", last="2026-01-31")
    assert "Nothing of this period is played and audited yet." in empty
    assert "Nothing was found in this period." in empty
    assert f"{PLACE}rounds.svg" not in empty
    wrong = text(office, first="2026-02-01", last="2026-01-31")
    assert "The last day must not come before the first." in wrong
    assert 'value="2026-02-01"' in wrong
    assert "Duties" not in wrong


def test_a_finding_belongs_to_the_gaming_day_of_its_instant(office: ReviewScenario) -> None:
    """Played at 8 pm in Sydney on 16 November; with a cut-over at 9 pm that is still the gaming day of the 15th."""
    record_table_fact(office.house.crew, None, GamingDayValue(cut_over="21:00"))
    office.overpay()
    assert "SETTLE-OVERPAID" in text(office, first="2026-11-15", last="2026-11-15")
    assert "SETTLE-OVERPAID" not in text(office, first="2026-11-16", last="2026-11-16")


def test_what_a_day_came_to_is_worked_out_again_when_more_of_it_is_audited(office: ReviewScenario) -> None:
    play(office)
    browser = browser_of(office.ines)

    def wagers_read() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert browser.get(PLACE, BOTH).status_code == 200
        return sum('FROM "audit_playedbet"' in query["sql"] for query in captured.captured_queries)

    assert [wagers_read(), wagers_read()] == [1, 0]
    office.house.play((4, 2, 4), wager("small", 2_000, 4_000))
    office.audit()
    assert [wagers_read(), wagers_read()] == [1, 0]
    # Monday's $65.00 and $20.00 more; Sunday's $25.00 beside them.
    shown = text(office, **BOTH)
    assert "$85.00" in shown
    assert "$110.00" in shown
    call_command("sum_play")
    assert [wagers_read(), wagers_read()] == [1, 0]


def test_what_was_audited_before_is_said_while_it_is_audited_again(office: ReviewScenario) -> None:
    play(office)
    table = Table.objects.get(slug="sb-1")
    assert "Being audited again" not in text(office, **BOTH)
    office.house.state(table, LimitsValue(min=500, max=1_000), at=table.added_at)
    consume_new_entries("harbour")
    shown = text(office, **BOTH)
    assert "All that was recorded by" in shown
    assert "Being audited again" in shown
    assert "Nothing yet" not in shown


def test_too_much_and_too_little_are_not_set_off_against_each_other(office: ReviewScenario) -> None:
    """$1.00 too much for one wager; $70.00 too little for another, which won and was not paid."""
    office.house.open_table()
    office.house.play((4, 2, 4), wager("small", 2_500, 5_100), wager("total:10", 1_000, 0, id="w-2"))
    office.audit()
    shown = text(office, first="2026-11-16", last="2026-11-16")
    assert "Short of what was due" in shown
    assert "$1.00" in shown
    assert "$70.00" in shown
    assert "Unpaid by the findings" in shown[: shown.index("Rounds and wagers by day")]
    figures = DashboardFigures(Period(office.casino, date(2026, 11, 16), date(2026, 11, 16)), office.now)
    facts = {fact.name: fact.value for fact in summary_section(figures).facts}
    assert (facts["Unpaid by the findings"], facts["Handed back beyond what was due"]) == ("$70.00", "$1.00")
    assert "−$" not in shown[shown.index("Findings by code") : shown.index("Findings by day")]


def test_only_what_there_is_to_draw_is_drawn(office: ReviewScenario) -> None:
    """All findings are of Monday, so Sunday has no charts of findings, and the page refers to none."""
    play(office)
    sunday = {"first": "2026-11-15", "last": "2026-11-15"}
    shown, page = text(office, **sunday), browser_of(office.ines)
    for chart in CHARTS:
        is_drawn = chart in ("rounds", "money", "returns")
        assert (f"{PLACE}{chart}.svg" in shown) is is_drawn, chart
        assert page.get(f"{PLACE}{chart}.svg", sunday).status_code == (200 if is_drawn else 404)


def test_the_page_takes_as_many_queries_for_a_year_of_many_tables(office: ReviewScenario) -> None:
    play(office)
    few = queries(office, BOTH)
    days = [date(2026, month, day) for month in range(1, 11) for day in range(1, 29)]
    DailyTotals.objects.bulk_create(
        DailyTotals(
            log="harbour",
            first=0,
            gaming_day=day,
            table=f"t-{table}",
            rounds=500,
            without_result=1,
            variance=10,
            bets=["small", "big"],
            sorts=["compared"] * 2,
            returns=["35/36"] * 2,
            wagers=[400] * 2,
            staked_cents=[40_000] * 2,
            returned_cents=[39_000] * 2,
        )
        for day in days
        for table in range(5)
    )
    assert queries(office, {"first": "2026-01-01", "last": "2026-11-16"}) == few == 28


def queries(office: ReviewScenario, period: dict[str, str]) -> int:
    browser = browser_of(office.ines)
    browser.get(PLACE, period)
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(PLACE, period).status_code == 200
    return len(captured)


def test_the_period_review_has_the_same_figures_and_is_proved(committed_office: ReviewScenario) -> None:
    office = committed_office
    play(office)
    report = make_report(office, "review", **BOTH)
    checked = verify_offline(report.path(".pdf"))
    assert checked.returncode == 0, checked.stdout
    on_paper = extract_text(report.path(".pdf").read_bytes())
    for words in (*MONDAY, *TOGETHER, "Serious findings", "Rule versions", "Readings", "Within the bounds"):
        assert words in on_paper, words
    page = browser_of(office.ines)
    for number in range(len(CHARTS)):
        assert page.get(f"/casinos/harbour/reports/{report.pk}/figure-{number}.svg").status_code == 200


def test_the_period_review_lists_the_signals_of_the_period(committed_office: ReviewScenario) -> None:
    office = committed_office
    play(office)
    signal = signal_by_hand(office.casino, office.now)
    day = signal.gaming_day.isoformat()
    report = make_report(office, "review", first=day, last=day)
    assert verify_offline(report.path(".pdf")).returncode == 0
    document = decode_document(report.path(".json").read_bytes())
    [section] = [each for each in document.sections if each.title == "Fairness signals"]
    assert section.grid is not None
    assert [(row.cells[0], row.entry) for row in section.grid.rows] == [(signal.code, signal.entry_index)]
    facts = {fact.name: fact.value for each in document.sections if each.title == "In short" for fact in each.facts}
    assert {"Serious findings", "Unpaid by the findings", "Fairness signals"} <= set(facts)
    assert facts["Fairness signals"] == "1"


def test_percentages_are_rounded_exactly() -> None:
    assert [format_percent(Fraction(35, 36)), format_percent(Fraction(1, 8)), format_percent(Fraction(2))] == [
        "97.22%",
        "12.50%",
        "200.00%",
    ]


def test_the_summary_counts_serious_findings_and_fairness_signals(office: ReviewScenario) -> None:
    play(office)
    signal = signal_by_hand(office.casino, office.now)
    day = signal.gaming_day.isoformat()

    def summary(**period: str) -> dict[str, str]:
        page = browser_of(office.ines).get(PLACE, period)
        figures = DashboardFigures(Period(office.casino, *map(date.fromisoformat, period.values())), office.now)
        facts = {fact.name: fact.value for fact in summary_section(figures).facts}
        assert all(str(value) in page.content.decode() for value in facts.values())
        return facts

    shown = summary(**BOTH)
    assert (shown["Findings that stand"], shown["Serious findings"]) == ("1", "1")
    assert summary(first=day, last=day)["Fairness signals"] == "1"
    later = (signal.gaming_day + timedelta(days=1)).isoformat()
    assert summary(first=later, last=later)["Fairness signals"] == "0"
