"""Panels of the dashboard: each a section of figures, most with a chart of them.

The page loads the chart by URL; the period review includes both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from msgspec.structs import replace
from reportlab.graphics.shapes import Drawing

from compliance.audit.catalogue.finding_code import Severity
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Figure, Grid, LabelledValue, ReportColumn, Row, Section
from compliance.core.web.ui.charts import Point, Series, bar_chart, horizontal_bar_chart, line_chart
from compliance.reports.dashboard.figures import DashboardFigures
from compliance.reports.dashboard.play_by_day import PlaySummary
from compliance.reports.dashboard.return_to_player import ReturnToPlayer, format_percent
from compliance.reports.document.formatting import format_day
from rounds.engine.money import format_cents

MAX_BARS = 14
CENTS = 100
NOTHING = "Nothing of this period is played and audited yet."
COMPARISON_TEXT = (
    "Wagers that one result settles at known odds are compared with what those odds give back on average. Chance alone "
    "takes about one period in a hundred beyond the bounds. Super Streak, promotional tokens, cards, wagers outside "
    "the limits and rounds without approved rules are in the turnover and not in this comparison."
)


@dataclass(frozen=True)
class Panel:
    """`drawing` renders the `points`. Without points there is only the section."""

    slug: str
    section: Callable[[DashboardFigures], Section]
    drawing: Callable[[DashboardFigures], Drawing] | None = None
    points: Callable[[DashboardFigures], Collection[object]] = lambda figures: ()
    words: str = ""

    def is_drawn(self, figures: DashboardFigures) -> bool:
        """Whether there is a chart. Answered without drawing it, which takes longer than the rest of the page."""
        return bool(self.points(figures))

    def draw(self, figures: DashboardFigures) -> Drawing | None:
        return self.drawing(figures) if self.drawing and self.is_drawn(figures) else None

    def alt(self, figures: DashboardFigures) -> str:
        return f"{self.words}, {figures.period.words}. The figures are in the table below."


def build_sections(figures: DashboardFigures) -> tuple[list[Section], list[Drawing]]:
    """For a report: all sections, and the charts by the numbers that the sections refer to."""
    sections: list[Section] = []
    drawings: list[Drawing] = []
    for panel in PANELS.values():
        section, drawing = panel.section(figures), panel.draw(figures)
        if drawing is not None:
            section = replace(section, figure=Figure(len(drawings), panel.alt(figures)))
            drawings.append(drawing)
        sections.append(section)
    return sections, drawings


def summary_section(figures: DashboardFigures) -> Section:
    played = figures.total
    facts = [
        LabelledValue("Rounds", f"{played.rounds:,}, of which {played.without_result:,} without a result"),
        LabelledValue("Wagers", f"{played.wagers:,}"),
        LabelledValue("Turnover", format_cents(played.turnover_cents)),
        LabelledValue("Handed back", format_cents(played.returned_cents)),
        *_return_facts(played.compared),
        LabelledValue("Findings that stand", f"{sum(one.count for one in figures.finding_counts):,}"),
        LabelledValue("Serious findings", f"{figures.serious_findings:,}"),
        LabelledValue("Unpaid by the findings", format_cents(figures.unpaid_cents)),
        LabelledValue("Handed back beyond what was due", format_cents(figures.over_cents)),
        LabelledValue("Fairness signals", f"{len(figures.fairness_signals):,}"),
    ]
    return Section(title="In short", texts=() if played.rounds else (NOTHING,), facts=tuple(facts))


def _return_facts(compared: ReturnToPlayer | None) -> list[LabelledValue]:
    if compared is None:
        return []
    bounds = f"{format_percent(compared.lower_rate)} to {format_percent(compared.upper_rate)}"
    return [
        LabelledValue(
            "Returned to players",
            f"{format_percent(compared.rate)} of {format_cents(compared.staked_cents)} that can be compared",
        ),
        LabelledValue("Expected by the odds", f"{format_percent(compared.expected_rate)}; bounds {bounds}"),
        LabelledValue("Compared", compared.verdict),
    ]


def rounds_section(figures: DashboardFigures) -> Section:
    headings = (
        ReportColumn("Gaming day", 4),
        ReportColumn("Rounds", 2, True),
        ReportColumn("Without result", 2, True),
        ReportColumn("Wagers", 2, True),
    )
    rows = tuple(
        Row((format_day(day), f"{one.rounds:,}", f"{one.without_result:,}", f"{one.wagers:,}"))
        for day, one in figures.by_day.items()
    )
    return Section(title="Rounds and wagers by day", grid=Grid(headings, rows, NOTHING))


def draw_rounds(figures: DashboardFigures) -> Drawing:
    points = [Point(_day_label(day), one.rounds) for day, one in figures.by_day.items()]
    return bar_chart(title="Rounds by gaming day", x_label="Gaming day", y_label="Rounds", points=points)


def money_section(figures: DashboardFigures) -> Section:
    headings = (
        ReportColumn("Gaming day", 4),
        ReportColumn("Turnover", 3, True),
        ReportColumn("Handed back", 3, True),
        ReportColumn("Kept by the house", 3, True),
    )
    rows = tuple(
        Row(
            (
                format_day(day),
                format_cents(one.turnover_cents),
                format_cents(one.returned_cents),
                format_cents(one.turnover_cents - one.returned_cents),
            )
        )
        for day, one in figures.by_day.items()
    )
    return Section(title="Turnover by day", grid=Grid(headings, rows, NOTHING))


def draw_money(figures: DashboardFigures) -> Drawing:
    def money_series(name: str, cents: Callable[[PlaySummary], int]) -> Series:
        return Series(
            name, [Point(_day_label(day), Fraction(cents(one), CENTS)) for day, one in figures.by_day.items()]
        )

    lines = [
        money_series("Turnover", lambda one: one.turnover_cents),
        money_series("Handed back", lambda one: one.returned_cents),
    ]
    return _draw_lines("Turnover by gaming day", "Dollars", lines)


def returns_section(figures: DashboardFigures) -> Section:
    rows = tuple(
        Row((format_day(day), *_return_cells(one.compared))) for day, one in figures.by_day.items() if one.compared
    )
    headings = (ReportColumn("Gaming day", 4), *RETURN_HEADINGS)
    grid = Grid(headings, rows, "No wager of this period can be compared.")
    return Section(title="Returned to players against what the odds give", texts=(COMPARISON_TEXT,), grid=grid)


RETURN_HEADINGS = (
    ReportColumn("Staked", 3, True),
    ReportColumn("Returned", 2, True),
    ReportColumn("Expected", 2, True),
    ReportColumn("Lowest", 2, True),
    ReportColumn("Highest", 2, True),
    ReportColumn("Compared", 3),
)


def _return_cells(one: ReturnToPlayer | None) -> tuple[str, ...]:
    if one is None:
        return ("", "", "", "", "", "Not compared")
    rates = (one.rate, one.expected_rate, one.lower_rate, one.upper_rate)
    return (format_cents(one.staked_cents), *map(format_percent, rates), one.verdict)


def _comparable_days(figures: DashboardFigures) -> list[tuple[date, ReturnToPlayer]]:
    return [(day, one.compared) for day, one in figures.by_day.items() if one.compared]


def draw_returns(figures: DashboardFigures) -> Drawing:
    days = _comparable_days(figures)

    def rate_series(name: str, rate: Callable[[ReturnToPlayer], Fraction]) -> Series:
        return Series(name, [Point(_day_label(day), rate(one) * 100) for day, one in days])

    lines = [
        rate_series("Returned", lambda one: one.rate),
        rate_series("Expected", lambda one: one.expected_rate),
        rate_series("Lowest", lambda one: one.lower_rate),
        rate_series("Highest", lambda one: one.upper_rate),
    ]
    return _draw_lines("Returned to players by gaming day", "Per cent of the stake", lines)


def tables_section(figures: DashboardFigures) -> Section:
    found = Counter[str]()
    for one in figures.finding_counts:
        found[one.table] += one.count
    headings = (
        ReportColumn("Table", 3),
        ReportColumn("Rounds", 2, True),
        ReportColumn("Turnover", 3, True),
        *RETURN_HEADINGS[1:],
        ReportColumn("Findings", 2, True),
    )
    names = sorted({*figures.by_table, *(table for table in found if table)})
    nobody = PlaySummary(0, 0, 0, 0, 0, None)
    rows = []
    for name in names:
        played = figures.by_table.get(name, nobody)
        cells = _return_cells(played.compared)[1:]
        rows.append(Row((name, f"{played.rounds:,}", format_cents(played.turnover_cents), *cells, f"{found[name]:,}")))
    return Section(title="By table", grid=Grid(headings, tuple(rows), NOTHING))


def draw_tables(figures: DashboardFigures) -> Drawing:
    counts = Counter[str]()
    for one in figures.finding_counts:
        counts[one.table or "None"] += one.count
    return _draw_most_frequent("Findings by table", "Table", counts)


def codes_section(figures: DashboardFigures) -> Section:
    counts, over, short = Counter[str](), Counter[str](), Counter[str]()
    for one in figures.finding_counts:
        counts[one.code] += one.count
        over[one.code] += one.over_cents
        short[one.code] += one.short_cents
    severity = {one.code: one.severity for one in figures.finding_counts}
    headings = (
        ReportColumn("Code", 4),
        ReportColumn("Severity", 2),
        ReportColumn("Findings", 2, True),
        ReportColumn("Handed back beyond what was due", 3, True),
        ReportColumn("Short of what was due", 3, True),
    )
    rows = tuple(
        Row((code, severity[code].capitalize(), f"{number:,}", format_cents(over[code]), format_cents(short[code])))
        for code, number in _sort_by_count(counts)
    )
    return Section(title="Findings by code", grid=Grid(headings, rows, "Nothing was found in this period."))


def draw_codes(figures: DashboardFigures) -> Drawing:
    counts = Counter[str]()
    for one in figures.finding_counts:
        counts[one.code] += one.count
    return _draw_most_frequent("Findings by code", "Code", counts)


def trend_section(figures: DashboardFigures) -> Section:
    by_day = _daily_counts_by_severity(figures)
    headings = (ReportColumn("Gaming day", 4), *(ReportColumn(one.value.capitalize(), 2, True) for one in Severity))
    rows = tuple(
        Row((format_day(day), *(f"{counts[one]:,}" for one in Severity)))
        for day, counts in by_day.items()
        if counts.total()
    )
    return Section(title="Findings by day", grid=Grid(headings, rows, "Nothing was found in this period."))


def _daily_counts_by_severity(figures: DashboardFigures) -> Mapping[date, Counter[Severity]]:
    """For every day of the period, days without findings included, so that the trend has no gaps."""
    by_day = {day: Counter[Severity]() for day in figures.period.days}
    for one in figures.finding_counts:
        by_day[one.day][one.severity] += one.count
    return by_day


def draw_trend(figures: DashboardFigures) -> Drawing:
    by_day = _daily_counts_by_severity(figures)
    lines = [
        Series(one.value.capitalize(), [Point(_day_label(day), counts[one]) for day, counts in by_day.items()])
        for one in Severity
    ]
    return _draw_lines("Findings by gaming day", "Findings", lines)


def coverage_section(figures: DashboardFigures) -> Section:
    done, until, casino = figures.audit_progress, figures.audited_until, figures.casino
    facts = [
        LabelledValue(
            "Audited up to",
            "Nothing yet" if until is None else f"All that was recorded by {format_local(until, casino)}",
        ),
        *([LabelledValue("Being audited again", done.sentence)] if done.reopened and until else []),
        LabelledValue("Last audited", format_local(done.last_at, casino) if done.last_at else "Never"),
        LabelledValue("Stretches that wait", f"{done.waiting:,}, of which {done.reopened:,} are audited again"),
    ]
    return Section(title="Coverage", facts=tuple(facts))


def ledger_section(figures: DashboardFigures) -> Section:
    last, casino = figures.verification, figures.casino
    if last is None:
        verdict = "The log was never verified from its first entry."
    else:
        found = "Everything fits" if last.is_whole else "It does not fit"
        verdict = f"{found}: read up to entry {last.last_read:,}, {format_local(last.recorded_at, casino)}"
    facts = (LabelledValue("Entries", f"{figures.entry_count:,}"), LabelledValue("Last verified", verdict))
    return Section(title="Ledger", facts=facts)


def duties_section(figures: DashboardFigures) -> Section:
    headings = (
        ReportColumn("Duty", 5),
        ReportColumn("Recorded", 2, True),
        ReportColumn("Open or failed", 2, True),
        ReportColumn("Missed or done wrongly", 3, True),
    )
    rows = tuple(Row((one.name, f"{one.recorded:,}", f"{one.waiting:,}", f"{one.missed:,}")) for one in figures.duties)
    words = "Missed or done wrongly: what the audit found against the duty in this period, and still stands."
    return Section(title="Duties", texts=(words,), grid=Grid(headings, rows))


def _day_label(day: date) -> str:
    return f"{day.day} {day:%b}"


def _sort_by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _draw_most_frequent(title: str, label: str, counts: Mapping[str, int]) -> Drawing:
    """Chart of the most frequent values; the table has them all."""
    points = [Point(name, number) for name, number in _sort_by_count(counts)[:MAX_BARS]]
    return horizontal_bar_chart(title=title, label=label, points=points)


def _draw_lines(title: str, y_label: str, lines: Sequence[Series]) -> Drawing:
    return line_chart(title=title, x_label="Gaming day", y_label=y_label, series=lines)


def _panels_by_slug(panels: Iterable[Panel]) -> Mapping[str, Panel]:
    return {panel.slug: panel for panel in panels}


def _days_played(figures: DashboardFigures) -> Collection[object]:
    return figures.by_day


def _finding_counts(figures: DashboardFigures) -> Collection[object]:
    return figures.finding_counts


PANELS = _panels_by_slug(
    (
        Panel("short", summary_section),
        Panel("rounds", rounds_section, draw_rounds, _days_played, "Rounds by gaming day"),
        Panel("money", money_section, draw_money, _days_played, "Turnover and what was handed back"),
        Panel(
            "returns",
            returns_section,
            draw_returns,
            _comparable_days,
            "Returned to players, with expectation and bounds",
        ),
        Panel("tables", tables_section, draw_tables, _finding_counts, "Findings by table"),
        Panel("codes", codes_section, draw_codes, _finding_counts, "Findings by code"),
        Panel("trend", trend_section, draw_trend, _finding_counts, "Findings by day and severity"),
        Panel("coverage", coverage_section),
        Panel("ledger", ledger_section),
        Panel("duties", duties_section),
    )
)
