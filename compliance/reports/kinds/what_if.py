"""Result of alternative rules applied to past play: who ran it with which rules, totals, and the largest
differences."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F
from django.db.models.functions import Abs

from compliance.analysis.what_if.models import TotalDimension, Trial, TrialTotal
from compliance.analysis.what_if.selectors import count_changes, list_trials
from compliance.core.accounts.models import Casino
from compliance.core.web.errors import NotFound
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.structure import IllustratedDocument
from rounds.engine.money import format_cents
from rounds.rulebook.labels import bet_label, humanize_slug

# The PDF lists only these; the page and its export have all.
MAX_LISTED = 200
FIGURES = (
    ReportColumn("Judged otherwise", 2, True),
    ReportColumn("Due now", 3, True),
    ReportColumn("Due then", 3, True),
    ReportColumn("More due", 3, True),
    ReportColumn("Less due", 3, True),
)
NAME_HEADINGS: Mapping[TotalDimension, tuple[ReportColumn, ...]] = {
    TotalDimension.TABLE: (ReportColumn("Table", 4),),
    TotalDimension.BET: (ReportColumn("Box", 4),),
    TotalDimension.CLAUSE: (ReportColumn("Clause", 3), ReportColumn("Settled by", 4)),
    TotalDimension.HOLDER: (ReportColumn("Player", 4), ReportColumn("Gaming day", 3)),
}
WAGER_HEADINGS = (
    ReportColumn("Round", 3),
    ReportColumn("Table", 2),
    ReportColumn("Gaming day", 3),
    ReportColumn("Wager", 2),
    ReportColumn("Box", 3),
    ReportColumn("Player", 3),
    ReportColumn("Found now", 3),
    ReportColumn("Found then", 3),
    ReportColumn("Due now", 3, True),
    ReportColumn("Due then", 3, True),
    ReportColumn("Came back", 3, True),
)
NOTHING = "Nothing would be judged otherwise."


def trial_of(casino: Casino, number: int) -> Trial | None:
    """A finished trial by its number."""
    found = list_trials(casino).filter(pk=number).select_related("version__approved_by", "version__casino").first()
    return found if found is not None and found.is_done else None


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    trial = trial_of(casino, int(chosen["trial"]))
    if trial is None:
        raise NotFound
    return assemble_document(
        casino,
        now,
        title="What would change",
        subject=f"{trial.what}, tried at {casino.name}: {trial.period_text.lower()}",
        sections=(
            _trial_section(trial),
            _totals_section(trial),
            *(_grouped_totals_section(trial, by) for by in NAME_HEADINGS),
            _wagers_section(trial),
        ),
        basis=build_basis(casino, [trial.version] if trial.version else []),
    )


def _trial_section(trial: Trial) -> Section:
    facts = [
        LabelledValue("Trial", str(trial.pk)),
        LabelledValue("Tried", trial.what),
        LabelledValue("Digest of the rules", trial.pack_id),
        *(
            LabelledValue(f"Reading: {humanize_slug(name)}", humanize_slug(choice))
            for name, choice in sorted(trial.readings.items())
        ),
        LabelledValue("Over", trial.period_text),
        LabelledValue("Tables", trial.tables_text),
        LabelledValue("Asked for by", trial.asked_by_name),
        LabelledValue("Asked for", format_local(trial.asked_at, trial.casino)),
    ]
    if trial.ended_at is not None:
        facts.append(LabelledValue("Done", format_local(trial.ended_at, trial.casino)))
    text = (
        "What was tried is taken to have governed every round of its rules. Nobody is bound by it: it is no "
        "finding, and it changes none."
    )
    return Section(title="What was tried", texts=(text,), facts=tuple(facts))


def _totals_section(trial: Trial) -> Section:
    facts = (
        LabelledValue("Rounds played by these rules", f"{trial.rounds:,}"),
        LabelledValue("Wagers in them", f"{trial.wagers:,}"),
        LabelledValue("Judged otherwise", count_changes(trial).text),
        LabelledValue("More due to players", format_cents(trial.more_cents or 0)),
        LabelledValue("Less due to players", format_cents(trial.less_cents or 0)),
        LabelledValue("Rounds not audited yet, which do not count", f"{trial.rounds_waiting or 0:,}"),
    )
    return Section(title="What it comes to", facts=facts)


def _grouped_totals_section(trial: Trial, by: TotalDimension) -> Section:
    rows = trial.sums.filter(by=by)
    count = rows.count()
    if count > MAX_LISTED:
        rows = rows.order_by((F("more_cents") + F("less_cents")).desc(), "pk")
    listed = tuple(Row((*_name_cells(row), *_amount_cells(row))) for row in rows[:MAX_LISTED])
    return Section(
        title=by.label, texts=tuple(_truncation_note(count)), grid=Grid((*NAME_HEADINGS[by], *FIGURES), listed, NOTHING)
    )


def _truncation_note(count: int) -> Iterator[str]:
    if count > MAX_LISTED:
        yield f"The {MAX_LISTED} with the largest amounts, of {count:,}. The page of the trial has them all."


def _name_cells(row: TrialTotal) -> tuple[str, ...]:
    name = row.name_label
    if row.by == TotalDimension.HOLDER:
        return name, row.day_text
    return (name, humanize_slug(row.reading)) if row.by == TotalDimension.CLAUSE else (name,)


def _amount_cells(row: TrialTotal) -> tuple[str, ...]:
    amounts = (row.due_now_cents, row.due_then_cents, row.more_cents, row.less_cents)
    return f"{row.differences:,}", *map(format_cents, amounts)


def _wagers_section(trial: Trial) -> Section:
    found = trial.found.all()
    if (trial.differences or 0) > MAX_LISTED:
        found = found.order_by(Abs("more_cents").desc(), "subject_index", "pk")
    rows = tuple(
        Row(
            (
                one.round or f"Entry {one.subject_index:,}",
                one.table,
                f"{one.gaming_day:%Y-%m-%d}",
                one.wager,
                bet_label(one.bet),
                one.holder,
                one.code_now or "Nothing",
                one.code_then or "Nothing",
                format_cents(one.due_now_cents),
                format_cents(one.due_then_cents),
                format_cents(one.returned_cents),
            ),
            one.subject_index,
        )
        for one in found[:MAX_LISTED]
    )
    return Section(
        title="One by one",
        texts=tuple(_truncation_note(trial.differences or 0)),
        grid=Grid(WAGER_HEADINGS, rows, NOTHING),
    )
