"""The daily audit report: a gaming day in figures, its findings, and how far it was audited."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.audit.models import Finding, PackedRound
from compliance.audit.packing import VERDICT_PLACE, unpack_wagers
from compliance.reports.basis import basis_of
from compliance.reports.contents.findings import findings_section, last_decisions
from compliance.reports.document import Document, Drawn, Fact, Figure, Grid, Heading, Row, Section
from compliance.reports.wording import amount, day_words
from compliance.web.charts import Point, bar_chart, svg
from compliance.web.moments import moment_text
from rounds.rulebook.models import RuleVersion

ROUNDS_AT_ONCE = 5_000


@dataclass
class TableDay:
    """One table on one gaming day. Open streaks are counted when they end."""

    rounds: int = 0
    voids: int = 0
    wagers: int = 0
    staked_cents: int = 0
    returned_cents: int = 0


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    day = date.fromisoformat(chosen["day"])
    rounds = PackedRound.objects.filter(log=casino.slug, gaming_day=day, taken_back_index=None)
    tables = _tables(casino, day)
    indexes = list(rounds.order_by("entry_index").values_list("entry_index", flat=True))
    found = _found(casino, indexes)
    decided = last_decisions(found)
    versions = RuleVersion.objects.filter(casino=casino, approved_at__isnull=False).select_related(
        "approved_by", "casino"
    )
    used = [one for one in versions if one.effective_at and one.effective_at <= now]
    basis = basis_of(casino, _newest(used), indexes)
    drawing = bar_chart(
        title=f"Findings by table, {day_words(day)}", x_label="Table", y_label="Findings",
        points=[Point(table, Counter(one.table for one in found)[table]) for table in sorted(tables)] or [Point("", 0)],
    )  # fmt: skip
    entries = {index for one in found for index in (one.entry_index, one.subject_index)}
    entries |= {one.entry_index for one in decided.values()} | basis.entries
    document = Document(
        title="Daily audit report",
        casino=casino.name,
        log=casino.slug,
        made_at=moment_text(now, casino),
        subject=f"{casino.name}, gaming day {day_words(day)}",
        sections=(
            _short(tables, found),
            _by_table(tables, found),
            Section(title="Findings by table", figure=Figure(0, f"{len(found):,} findings at {len(tables):,} tables.")),
            findings_section(found, decided, casino),
        ),
        basis=basis.sections,
        entries=tuple(sorted(entries)),
        figures=(svg(drawing).decode(),),
    )
    return Drawn(document, [drawing])


def _newest(versions: list[RuleVersion]) -> list[RuleVersion]:
    return list(
        {one.rules: one for one in sorted(versions, key=lambda one: one.effective_at or one.proposed_at)}.values()
    )


def _tables(casino: Casino, day: date) -> dict[str, TableDay]:
    tables: dict[str, TableDay] = {}
    rows = PackedRound.objects.filter(log=casino.slug, gaming_day=day, taken_back_index=None)
    for table, is_void, packed in rows.values_list("table", "is_void", "wagers").iterator(ROUNDS_AT_ONCE):
        wagers = unpack_wagers([bytes(packed)])
        settled = wagers[wagers["verdict"] != VERDICT_PLACE["open"]]
        one = tables.setdefault(table, TableDay())
        one.rounds += 1
        one.voids += bool(is_void)
        one.wagers += len(settled)
        one.staked_cents += int(settled["stake"].sum())
        one.returned_cents += int(settled["returned"].sum())
    return tables


def _found(casino: Casino, indexes: list[int]) -> list[Finding]:
    if not indexes:
        return []
    rows = Finding.objects.standing().filter(log=casino.slug, subject_index__range=(indexes[0], indexes[-1]))
    wanted = set(indexes)
    return [one for one in rows.order_by("at", "pk").defer("explanation") if one.subject_index in wanted]


def _short(tables: Mapping[str, TableDay], found: list[Finding]) -> Section:
    staked, returned = (
        sum(getattr(one, name) for one in tables.values()) for name in ("staked_cents", "returned_cents")
    )
    codes = Counter(one.code for one in found)
    rows = tuple(Row((code, f"{number:,}")) for code, number in sorted(codes.items()))
    return Section(
        title="In short",
        facts=(
            Fact("Tables played", f"{len(tables):,}"),
            Fact("Rounds", f"{sum(one.rounds for one in tables.values()):,}"),
            Fact("Without result", f"{sum(one.voids for one in tables.values()):,}"),
            Fact("Wagers settled", f"{sum(one.wagers for one in tables.values()):,}"),
            Fact("Staked", amount(staked)),
            Fact("Handed back", amount(returned)),
            Fact("Findings", f"{len(found):,}"),
        ),
        grid=Grid((Heading("Code", 4), Heading("Findings", 1, True)), rows, "Nothing was found."),
    )


def _by_table(tables: Mapping[str, TableDay], found: list[Finding]) -> Section:
    counted = Counter(one.table for one in found)
    rows = tuple(
        Row(
            (
                table, f"{one.rounds:,}", f"{one.wagers:,}", amount(one.staked_cents), amount(one.returned_cents),
                f"{counted[table]:,}",
            )
        )
        for table, one in sorted(tables.items())
    )  # fmt: skip
    headings = (
        Heading("Table", 3), Heading("Rounds", 2, True), Heading("Wagers", 2, True), Heading("Staked", 3, True),
        Heading("Handed back", 3, True), Heading("Findings", 2, True),
    )  # fmt: skip
    return Section(title="By table", grid=Grid(headings, rows, "No round was played on this day."))
