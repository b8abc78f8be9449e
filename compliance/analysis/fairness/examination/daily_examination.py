"""Examines one gaming day of a casino, once it is over and audited: tests the subjects that are due and records
signals.

The result depends only on the log up to the end of that day, so it is reproducible. A day is examined once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet

from compliance.analysis.fairness import entry_kinds
from compliance.analysis.fairness.examination.daily_returns import (
    daily_returns,
    run_return_test,
    write_return_days,
)
from compliance.analysis.fairness.models import Examination, LastTest, Signal, SignalCode, SubjectKind
from compliance.analysis.fairness.statistics.dice_tests import RETURN_TEST, DiceTestResult, compare_results
from compliance.analysis.fairness.statistics.significance import LEVEL_PER_DAY, holm_levels, rounds_due
from compliance.analysis.fairness.subjects import (
    FairnessSubject,
    dice_sets_of_subject,
    outcome_array,
    rounds_of_subject,
    subjects_on,
)
from compliance.audit.models import DailyTotals, PackedRound
from compliance.audit.selectors import audited_up_to
from compliance.core.accounts.models import Casino
from compliance.core.web.jobs.locks import Lock, lock_transaction
from compliance.tables.equipment.consumer import CONSUMER as EQUIPMENT
from rounds.engine import judge_later_void
from rounds.floor.facts.gaming_days import gaming_day
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.ledger import append, make_entry, position_of

# Wait after the end of a gaming day, for lines that arrive late.
GRACE_PERIOD = timedelta(hours=3)


@dataclass(frozen=True)
class SubjectTests:
    """A subject that is due, and the tests of its first `rounds` rounds. `levels`: for each test, its significance
    level and whether its p-value is below it."""

    subject: FairnessSubject
    rounds: int
    tests: Sequence[DiceTestResult]
    levels: Sequence[tuple[Fraction, bool]] = ()

    def significant_tests(self, code: SignalCode) -> list[tuple[DiceTestResult, Fraction]]:
        """The tests below their level that belong to this code, smallest p-value first."""
        found = [
            (test, level)
            for test, (level, is_below) in zip(self.tests, self.levels, strict=True)
            if is_below and (test.test == RETURN_TEST) == (code == SignalCode.RETURN)
        ]
        return sorted(found, key=lambda each: each[0].p_value)


def days_to_examine(casino: Casino, now: datetime) -> Iterator[date]:
    """Gaming days that are over, audited and not yet examined, oldest first."""
    log, today = casino.slug, gaming_day(casino, now - GRACE_PERIOD)
    known = set(Examination.objects.filter(casino=casino).values_list("gaming_day", flat=True))
    played = DailyTotals.objects.filter(log=log, gaming_day__lt=today).order_by("gaming_day")
    for day in played.values_list("gaming_day", flat=True).distinct():
        if day not in known and _is_day_audited(log, day):
            yield day


def _rounds_of_day(log: str, day: date) -> QuerySet[PackedRound]:
    return PackedRound.objects.filter(log=log, table__in=_tables_of_day(log, day), gaming_day=day)


def _is_day_audited(log: str, day: date) -> bool:
    last = _rounds_of_day(log, day).aggregate(last=Max("entry_index"))["last"]
    return last is not None and last < min(audited_up_to(log) or 0, position_of(EQUIPMENT, log))


def _tables_of_day(log: str, day: date) -> list[str]:
    return sorted(set(DailyTotals.objects.filter(log=log, gaming_day=day).values_list("table", flat=True)))


@transaction.atomic
def examine_day(*, casino: Casino, day: date, now: datetime) -> Examination | None:
    """None where another worker has already examined the day. An advisory lock per casino serializes workers."""
    lock_transaction(Lock.EXAMINATION, casino.slug)
    if Examination.objects.filter(casino=casino, gaming_day=day).exists():
        return None
    ended_at = write_daily_returns(casino, day, now)
    looks = _with_significance_levels(list(_subjects_to_test(casino, day, ended_at)))
    done = Examination(
        casino=casino,
        gaming_day=day,
        looks=[_tests_record(look) for look in looks],
        level=_format_figure(LEVEL_PER_DAY),
        tests=sum(len(look.tests) for look in looks),
        examined_at=now,
    )
    signals = [signal for look in looks for signal in _build_signals(casino, day, look, done.tests, now)]
    record_examination(casino=casino, done=done, signals=signals, now=now)
    update_last_tests(done)
    return done


def write_daily_returns(casino: Casino, day: date, now: datetime) -> datetime:
    """Computes and stores the returns of the day. Returns when its play ended, because facts are read as of that
    time."""
    ended_at: datetime = _rounds_of_day(casino.slug, day).aggregate(last=Max("started_at"))["last"] or now
    write_return_days(casino, day, _tables_of_day(casino.slug, day), ended_at)
    return ended_at


def _subjects_to_test(casino: Casino, day: date, at: datetime) -> Iterator[SubjectTests]:
    log = casino.slug
    known = {(row.subject_kind, row.subject, row.window): row.rounds for row in LastTest.objects.filter(casino=casino)}
    for subject in subjects_on(log, day):
        looked_at = known.get((subject.kind.value, subject.name, subject.window), 0)
        size = rounds_due(rounds_of_subject(log, subject, day).count(), looked_at)
        if size:
            tests = list(_run_tests(casino, subject, day, size, at))
            if tests:
                yield SubjectTests(subject, size, tests)


def _run_tests(
    casino: Casino, subject: FairnessSubject, day: date, size: int, at: datetime
) -> Iterator[DiceTestResult]:
    if subject.kind != SubjectKind.TABLE or not _has_cards(casino, subject.name, at):
        yield from compare_results(outcome_array(rounds_of_subject(casino.slug, subject, day)[:size]))
    if subject.kind == SubjectKind.TABLE and subject.since:
        found = run_return_test(daily_returns(casino, subject.name, subject.since, day))
        if found is not None:
            yield found


def _has_cards(casino: Casino, slug: str, at: datetime) -> bool:
    """Cards are drawn without replacement, so the dice tests do not apply; only the money of such tables is tested."""
    table = Table.objects.filter(casino=casino, slug=slug).select_related("casino").first()
    pack = pack_for(table, at) if table else None
    return pack is not None and pack.conduct.cards is not None


def _with_significance_levels(looks: Sequence[SubjectTests]) -> list[SubjectTests]:
    levels = iter(holm_levels([test.p_value for look in looks for test in look.tests]))
    return [SubjectTests(look.subject, look.rounds, look.tests, [next(levels) for _ in look.tests]) for look in looks]


# --- What is recorded -----------------------------------------------------------------------------------------------


def _tests_record(look: SubjectTests) -> dict[str, Any]:
    return {
        "kind": look.subject.kind.value,
        "name": look.subject.name,
        "window": look.subject.window or None,
        "rounds": look.rounds,
        "tests": [
            {
                "test": test.test,
                "method": test.method,
                "statistic": _format_figure(test.statistic),
                "degrees": test.degrees,
                "p_value": _format_figure(test.p_value),
                "level": _format_figure(level),
                "is_below": is_below,
            }
            for test, (level, is_below) in zip(look.tests, look.levels, strict=True)
        ],
    }


def _build_signals(casino: Casino, day: date, look: SubjectTests, tests: int, now: datetime) -> Iterator[Signal]:
    subject = look.subject
    for code in SignalCode:
        below = look.significant_tests(code)
        about = {
            "casino": casino,
            "code": code.value,
            "subject_kind": subject.kind.value,
            "subject": subject.name,
            "window": subject.window,
        }
        if not below or Signal.objects.filter(**about).exists():
            continue
        test, level = below[0]
        rounds = rounds_of_subject(casino.slug, subject, day).order_by()
        sets = [played.to_json() for played in dice_sets_of_subject(casino.slug, subject, day)]
        tables = sorted(set(rounds.values_list("table", flat=True)))
        last_at = rounds.aggregate(last=Max("started_at"))["last"]
        yield Signal(
            **about,
            log=casino.slug,
            gaming_day=day,
            test=test.test,
            rounds=test.rounds,
            statistic=_format_figure(test.statistic),
            degrees=test.degrees,
            p_value=_format_figure(test.p_value),
            level=_format_figure(level),
            tests=tests,
            cells=[cell.to_json() for cell in test.cells],
            played=sets,
            voids=list(_void_clauses(casino, tables, last_at)),
            found_at=now,
        )


def _void_clauses(casino: Casino, tables: Sequence[str], at: datetime) -> Iterator[dict[str, str]]:
    """The clauses by which the tables' rules void all rounds that something affected."""
    for table in Table.objects.filter(casino=casino, slug__in=tables).select_related("casino").order_by("slug"):
        pack = pack_for(table, at)
        if pack is not None:
            for reason in pack.law.void:
                judged = judge_later_void(pack, reason)
                if reason in judged.valid_reasons:
                    yield {"table": table.slug, "rules": pack.name, "reason": reason, "clause": judged.clause}


@transaction.atomic
def record_examination(*, casino: Casino, done: Examination, signals: Sequence[Signal], now: datetime) -> None:
    entries = [make_entry(entry_kinds.EXAMINED, done.entry_body())]
    entries += [
        make_entry(
            entry_kinds.SIGNAL,
            each.entry_body(),
            table=each.subject if each.subject_kind == SubjectKind.TABLE else None,
        )
        for each in signals
    ]
    receipts = append(casino.slug, entries, now)
    for row, receipt in zip((done, *signals), receipts, strict=True):
        row.log, row.entry_index = receipt.log, receipt.index
        row.save(force_insert=True)


def update_last_tests(done: Examination) -> None:
    """Stores, for each subject, its newest test with the smallest p-value."""
    for look in done.looks:
        rarest = min(look["tests"], key=lambda test: float(test["p_value"]))
        LastTest.objects.update_or_create(
            casino=done.casino,
            subject_kind=look["kind"],
            subject=look["name"],
            window=look["window"] or "",
            defaults={
                "rounds": look["rounds"],
                "examination": done,
                "test": rarest["test"],
                "p_value": rarest["p_value"],
            },
        )


def _format_figure(value: float | Fraction) -> str:
    """Three significant digits, as text, because ledger entries contain no floats."""
    return f"{float(value):.3g}"
