"""What came of rules that were tried over what was played: who tried what, totals, and the largest amounts."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F
from django.db.models.functions import Abs

from compliance.accounts.models import Casino
from compliance.reports.assembling import assemble
from compliance.reports.basis import basis_of
from compliance.reports.document import Drawn, Fact, Grid, Heading, Row, Section
from compliance.reports.wording import amount
from compliance.trials.models import By, Sum, Trial
from compliance.trials.selectors import trials_of
from compliance.web.errors import NotFound
from compliance.web.moments import moment_text
from rounds.rulebook.calculator.words import bet_words, plain

# On paper nobody reads more; the page has them all, and as a file.
MOST_LISTED = 200
FIGURES = (
    Heading("Judged otherwise", 2, True), Heading("Due now", 3, True), Heading("Due then", 3, True),
    Heading("More due", 3, True), Heading("Less due", 3, True),
)  # fmt: skip
NAMED: Mapping[By, tuple[Heading, ...]] = {
    By.TABLE: (Heading("Table", 4),),
    By.BET: (Heading("Box", 4),),
    By.CLAUSE: (Heading("Clause", 3), Heading("Settled by", 4)),
    By.HOLDER: (Heading("Player", 4), Heading("Gaming day", 3)),
}
SINGLE = (
    Heading("Round", 3), Heading("Table", 2), Heading("Gaming day", 3), Heading("Wager", 2), Heading("Box", 3),
    Heading("Player", 3), Heading("Found now", 3), Heading("Found then", 3), Heading("Due now", 3, True),
    Heading("Due then", 3, True), Heading("Came back", 3, True),
)  # fmt: skip
NOTHING = "Nothing would be judged otherwise."


def trial_of(casino: Casino, number: int) -> Trial | None:
    """One that is done."""
    found = trials_of(casino).filter(pk=number).select_related("version__approved_by", "version__casino").first()
    return found if found is not None and found.is_done else None


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    trial = trial_of(casino, int(chosen["trial"]))
    if trial is None:
        raise NotFound
    return assemble(
        casino, now,
        title="What would change",
        subject=f"{trial.what}, tried at {casino.name}: {trial.period_words.lower()}",
        sections=(_tried(trial), _comes_to(trial), *(_added_up(trial, by) for by in NAMED), _single(trial)),
        basis=basis_of(casino, [trial.version] if trial.version else []),
    )  # fmt: skip


def _tried(trial: Trial) -> Section:
    facts = [
        Fact("Trial", str(trial.pk)),
        Fact("Tried", trial.what),
        Fact("Digest of the rules", trial.pack_id),
        *(Fact(f"Reading: {plain(name)}", plain(choice)) for name, choice in sorted(trial.readings.items())),
        Fact("Over", trial.period_words),
        Fact("Tables", trial.tables_words),
        Fact("Asked for by", trial.asked_by_name),
        Fact("Asked for", moment_text(trial.asked_at, trial.casino)),
    ]
    if trial.ended_at is not None:
        facts.append(Fact("Done", moment_text(trial.ended_at, trial.casino)))
    text = (
        "What was tried is taken to have governed every round of its rules. Nobody is bound by it: it is no "
        "finding, and it changes none."
    )
    return Section(title="What was tried", texts=(text,), facts=tuple(facts))


def _comes_to(trial: Trial) -> Section:
    facts = (
        Fact("Rounds played by these rules", f"{trial.rounds:,}"),
        Fact("Wagers in them", f"{trial.wagers:,}"),
        Fact("Judged otherwise", f"{trial.differences:,}"),
        Fact("More due to players", amount(trial.more_cents or 0)),
        Fact("Less due to players", amount(trial.less_cents or 0)),
        Fact("Rounds not audited yet, which do not count", f"{trial.rounds_waiting or 0:,}"),
    )
    return Section(title="What it comes to", facts=facts)


def _added_up(trial: Trial, by: By) -> Section:
    rows = trial.sums.filter(by=by)
    count = rows.count()
    if count > MOST_LISTED:
        rows = rows.order_by((F("more_cents") + F("less_cents")).desc(), "pk")
    listed = tuple(Row((*_names(row), *_figures(row))) for row in rows[:MOST_LISTED])
    return Section(
        title=by.label, texts=tuple(_left_out(count)), grid=Grid((*NAMED[by], *FIGURES), listed, NOTHING)
    )  # fmt: skip


def _left_out(count: int) -> Iterator[str]:
    if count > MOST_LISTED:
        yield f"The {MOST_LISTED} with the largest amounts, of {count:,}. The page of the trial has them all."


def _names(row: Sum) -> tuple[str, ...]:
    name = row.name_words
    if row.by == By.HOLDER:
        return name, row.day_words
    return (name, plain(row.reading)) if row.by == By.CLAUSE else (name,)


def _figures(row: Sum) -> tuple[str, ...]:
    amounts = (row.due_now_cents, row.due_then_cents, row.more_cents, row.less_cents)
    return f"{row.differences:,}", *map(amount, amounts)


def _single(trial: Trial) -> Section:
    found = trial.found.all()
    if (trial.differences or 0) > MOST_LISTED:
        found = found.order_by(Abs("more_cents").desc(), "subject_index", "pk")
    rows = tuple(
        Row(
            (
                one.round or f"Entry {one.subject_index:,}", one.table, f"{one.gaming_day:%Y-%m-%d}", one.wager,
                bet_words(one.bet), one.holder, one.code_now or "Nothing", one.code_then or "Nothing",
                amount(one.due_now_cents), amount(one.due_then_cents), amount(one.returned_cents),
            ),
            one.subject_index,
        )
        for one in found[:MOST_LISTED]
    )  # fmt: skip
    return Section(
        title="One by one", texts=tuple(_left_out(trial.differences or 0)), grid=Grid(SINGLE, rows, NOTHING)
    )  # fmt: skip
