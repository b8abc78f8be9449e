"""The parts of a dashboard: each a section with its figures, and most with a drawing of the same figures.

The page shows a section with its drawing by address; the period review takes both as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from msgspec.structs import replace
from reportlab.graphics.shapes import Drawing

from compliance.audit.codes import Severity
from compliance.reports.dashboard.figures import Figures
from compliance.reports.dashboard.play import Played
from compliance.reports.dashboard.returns import Return, percent
from compliance.reports.document import Fact, Figure, Grid, Heading, Row, Section
from compliance.reports.wording import amount, day_words
from compliance.web.charts import Point, Series, bar_chart, line_chart, ranked_chart
from compliance.web.moments import moment_text

MOST_BARS = 14
CENTS = 100
NOTHING = "Nothing of this period is played and audited yet."
HOW_COMPARED = (
    "Wagers that one result settles at known odds are compared with what those odds give back on average. Chance alone "
    "takes about one period in a hundred beyond the bounds. Super Streak, promotional tokens, cards, wagers outside "
    "the limits and rounds without approved rules are in the turnover and not in this comparison."
)


@dataclass(frozen=True)
class Panel:
    """`drawing` is made of the `points`; figures alone say it where there are none."""

    slug: str
    section: Callable[[Figures], Section]
    drawing: Callable[[Figures], Drawing] | None = None
    points: Callable[[Figures], Collection[object]] = lambda figures: ()
    words: str = ""

    def is_drawn(self, figures: Figures) -> bool:
        """Known without drawing it, which takes longer than all the rest of a page."""
        return bool(self.points(figures))

    def draw(self, figures: Figures) -> Drawing | None:
        return self.drawing(figures) if self.drawing and self.is_drawn(figures) else None

    def alt(self, figures: Figures) -> str:
        return f"{self.words}, {figures.period.words}. The figures are in the table below."


def sections_of(figures: Figures) -> tuple[list[Section], list[Drawing]]:
    """For a report: every section, and the drawings by the numbers that the sections give."""
    sections: list[Section] = []
    drawings: list[Drawing] = []
    for panel in PANELS.values():
        section, drawing = panel.section(figures), panel.draw(figures)
        if drawing is not None:
            section = replace(section, figure=Figure(len(drawings), panel.alt(figures)))
            drawings.append(drawing)
        sections.append(section)
    return sections, drawings


def short(figures: Figures) -> Section:
    played = figures.all
    facts = [
        Fact("Rounds", f"{played.rounds:,}, of which {played.without_result:,} without a result"),
        Fact("Wagers", f"{played.wagers:,}"),
        Fact("Turnover", amount(played.turnover_cents)),
        Fact("Handed back", amount(played.returned_cents)),
        *_compared_facts(played.compared),
        Fact("Findings that stand", f"{sum(one.count for one in figures.found):,}"),
    ]
    return Section(title="In short", texts=() if played.rounds else (NOTHING,), facts=tuple(facts))


def _compared_facts(compared: Return | None) -> list[Fact]:
    if compared is None:
        return []
    bounds = f"{percent(compared.lower_rate)} to {percent(compared.upper_rate)}"
    return [
        Fact(
            "Returned to players", f"{percent(compared.rate)} of {amount(compared.staked_cents)} that can be compared"
        ),
        Fact("Expected by the odds", f"{percent(compared.expected_rate)}; bounds {bounds}"),
        Fact("Compared", compared.verdict),
    ]


def rounds(figures: Figures) -> Section:
    headings = (
        Heading("Gaming day", 4), Heading("Rounds", 2, True), Heading("Without result", 2, True),
        Heading("Wagers", 2, True),
    )  # fmt: skip
    rows = tuple(
        Row((day_words(day), f"{one.rounds:,}", f"{one.without_result:,}", f"{one.wagers:,}"))
        for day, one in figures.by_day.items()
    )
    return Section(title="Rounds and wagers by day", grid=Grid(headings, rows, NOTHING))


def draw_rounds(figures: Figures) -> Drawing:
    points = [Point(_tick(day), one.rounds) for day, one in figures.by_day.items()]
    return bar_chart(title="Rounds by gaming day", x_label="Gaming day", y_label="Rounds", points=points)


def money(figures: Figures) -> Section:
    headings = (
        Heading("Gaming day", 4), Heading("Turnover", 3, True), Heading("Handed back", 3, True),
        Heading("Kept by the house", 3, True),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                day_words(day), amount(one.turnover_cents), amount(one.returned_cents),
                amount(one.turnover_cents - one.returned_cents),
            )
        )
        for day, one in figures.by_day.items()
    )  # fmt: skip
    return Section(title="Turnover by day", grid=Grid(headings, rows, NOTHING))


def draw_money(figures: Figures) -> Drawing:
    def line(name: str, cents: Callable[[Played], int]) -> Series:
        return Series(name, [Point(_tick(day), Fraction(cents(one), CENTS)) for day, one in figures.by_day.items()])

    lines = [line("Turnover", lambda one: one.turnover_cents), line("Handed back", lambda one: one.returned_cents)]
    return _lines("Turnover by gaming day", "Dollars", lines)


def returns(figures: Figures) -> Section:
    rows = tuple(
        Row((day_words(day), *_return_cells(one.compared))) for day, one in figures.by_day.items() if one.compared
    )
    headings = (Heading("Gaming day", 4), *RETURN_HEADINGS)
    grid = Grid(headings, rows, "No wager of this period can be compared.")
    return Section(title="Returned to players against what the odds give", texts=(HOW_COMPARED,), grid=grid)


RETURN_HEADINGS = (
    Heading("Staked", 3, True), Heading("Returned", 2, True), Heading("Expected", 2, True), Heading("Lowest", 2, True),
    Heading("Highest", 2, True), Heading("Compared", 3),
)  # fmt: skip


def _return_cells(one: Return | None) -> tuple[str, ...]:
    if one is None:
        return ("", "", "", "", "", "Not compared")
    rates = (one.rate, one.expected_rate, one.lower_rate, one.upper_rate)
    return (amount(one.staked_cents), *map(percent, rates), one.verdict)


def _compared_days(figures: Figures) -> list[tuple[date, Return]]:
    return [(day, one.compared) for day, one in figures.by_day.items() if one.compared]


def draw_returns(figures: Figures) -> Drawing:
    days = _compared_days(figures)

    def line(name: str, rate: Callable[[Return], Fraction]) -> Series:
        return Series(name, [Point(_tick(day), rate(one) * 100) for day, one in days])

    lines = [
        line("Returned", lambda one: one.rate), line("Expected", lambda one: one.expected_rate),
        line("Lowest", lambda one: one.lower_rate), line("Highest", lambda one: one.upper_rate),
    ]  # fmt: skip
    return _lines("Returned to players by gaming day", "Per cent of the stake", lines)


def tables(figures: Figures) -> Section:
    found = Counter[str]()
    for one in figures.found:
        found[one.table] += one.count
    headings = (
        Heading("Table", 3), Heading("Rounds", 2, True), Heading("Turnover", 3, True), *RETURN_HEADINGS[1:],
        Heading("Findings", 2, True),
    )  # fmt: skip
    names = sorted({*figures.by_table, *(table for table in found if table)})
    nobody = Played(0, 0, 0, 0, 0, None)
    rows = []
    for name in names:
        played = figures.by_table.get(name, nobody)
        cells = _return_cells(played.compared)[1:]
        rows.append(Row((name, f"{played.rounds:,}", amount(played.turnover_cents), *cells, f"{found[name]:,}")))
    return Section(title="By table", grid=Grid(headings, tuple(rows), NOTHING))


def draw_tables(figures: Figures) -> Drawing:
    counts = Counter[str]()
    for one in figures.found:
        counts[one.table or "None"] += one.count
    return _most("Findings by table", "Table", counts)


def codes(figures: Figures) -> Section:
    counts, differences = Counter[str](), Counter[str]()
    for one in figures.found:
        counts[one.code] += one.count
        differences[one.code] += one.difference_cents
    severity = {one.code: one.severity for one in figures.found}
    headings = (
        Heading("Code", 4), Heading("Severity", 2), Heading("Findings", 2, True),
        Heading("Handed back beyond what was due", 3, True),
    )  # fmt: skip
    rows = tuple(
        Row((code, severity[code].capitalize(), f"{number:,}", amount(differences[code])))
        for code, number in _in_order(counts)
    )
    return Section(title="Findings by code", grid=Grid(headings, rows, "Nothing was found in this period."))


def draw_codes(figures: Figures) -> Drawing:
    counts = Counter[str]()
    for one in figures.found:
        counts[one.code] += one.count
    return _most("Findings by code", "Code", counts)


def trend(figures: Figures) -> Section:
    by_day = _by_severity(figures)
    headings = (Heading("Gaming day", 4), *(Heading(one.value.capitalize(), 2, True) for one in Severity))
    rows = tuple(
        Row((day_words(day), *(f"{counts[one]:,}" for one in Severity)))
        for day, counts in by_day.items()
        if counts.total()
    )
    return Section(title="Findings by day", grid=Grid(headings, rows, "Nothing was found in this period."))


def _by_severity(figures: Figures) -> Mapping[date, Counter[Severity]]:
    """Of every day of the period, those without findings among them: the trend has no gaps."""
    by_day = {day: Counter[Severity]() for day in figures.period.days}
    for one in figures.found:
        by_day[one.day][one.severity] += one.count
    return by_day


def draw_trend(figures: Figures) -> Drawing:
    by_day = _by_severity(figures)
    lines = [
        Series(one.value.capitalize(), [Point(_tick(day), counts[one]) for day, counts in by_day.items()])
        for one in Severity
    ]
    return _lines("Findings by gaming day", "Findings", lines)


def coverage(figures: Figures) -> Section:
    done, until, casino = figures.audited, figures.audited_until, figures.casino
    facts = [
        Fact(
            "Audited up to",
            "Nothing yet" if until is None else f"All that was recorded by {moment_text(until, casino)}",
        ),
        Fact("Last audited", moment_text(done.last_at, casino) if done.last_at else "Never"),
        Fact("Stretches that wait", f"{done.waiting:,}, of which {done.reopened:,} are audited again"),
    ]
    return Section(title="Coverage", facts=tuple(facts))


def ledger(figures: Figures) -> Section:
    last, casino = figures.verified, figures.casino
    if last is None:
        verdict = "The log was never verified from its first entry."
    else:
        found = "Everything fits" if last.is_whole else "It does not fit"
        verdict = f"{found}: read up to entry {last.last_read:,}, {moment_text(last.recorded_at, casino)}"
    facts = (Fact("Entries", f"{figures.entries:,}"), Fact("Last verified", verdict))
    return Section(title="Ledger", facts=facts)


def duties(figures: Figures) -> Section:
    headings = (
        Heading("Duty", 5), Heading("Recorded", 2, True), Heading("Open or failed", 2, True),
        Heading("Missed or done wrongly", 3, True),
    )  # fmt: skip
    rows = tuple(Row((one.name, f"{one.recorded:,}", f"{one.waiting:,}", f"{one.missed:,}")) for one in figures.duties)
    words = "Missed or done wrongly: what the audit found against the duty in this period, and still stands."
    return Section(title="Duties", texts=(words,), grid=Grid(headings, rows))


def _tick(day: date) -> str:
    return f"{day.day} {day:%b}"


def _in_order(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _most(title: str, label: str, counts: Mapping[str, int]) -> Drawing:
    """The most frequent; the rest are in the table."""
    points = [Point(name, number) for name, number in _in_order(counts)[:MOST_BARS]]
    return ranked_chart(title=title, label=label, points=points)


def _lines(title: str, y_label: str, lines: Sequence[Series]) -> Drawing:
    return line_chart(title=title, x_label="Gaming day", y_label=y_label, series=lines)


def _listed(panels: Iterable[Panel]) -> Mapping[str, Panel]:
    return {panel.slug: panel for panel in panels}


def _days(figures: Figures) -> Collection[object]:
    return figures.by_day


def _found(figures: Figures) -> Collection[object]:
    return figures.found


PANELS = _listed(
    (
        Panel("short", short),
        Panel("rounds", rounds, draw_rounds, _days, "Rounds by gaming day"),
        Panel("money", money, draw_money, _days, "Turnover and what was handed back"),
        Panel("returns", returns, draw_returns, _compared_days, "Returned to players, with expectation and bounds"),
        Panel("tables", tables, draw_tables, _found, "Findings by table"),
        Panel("codes", codes, draw_codes, _found, "Findings by code"),
        Panel("trend", trend, draw_trend, _found, "Findings by day and severity"),
        Panel("coverage", coverage),
        Panel("ledger", ledger),
        Panel("duties", duties),
    )
)
