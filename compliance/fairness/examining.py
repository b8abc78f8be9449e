"""One gaming day of a casino, after it is over and audited: what is due is tested, what is rare is signalled.

Everything comes from the log as it stands at the end of that day, so whoever examines it finds the same; a day that was
examined is not examined again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, QuerySet

from compliance.accounts.models import Casino
from compliance.audit.models import PackedRound, PlayedDay
from compliance.audit.selectors import audited_up_to
from compliance.equipment.following import CONSUMER as EQUIPMENT
from compliance.fairness import kinds
from compliance.fairness.chance import RETURN, Comparison, compare_results
from compliance.fairness.levels import A_DAY, look_due, share_out
from compliance.fairness.models import Code, Examination, LastLook, Signal, SubjectKind
from compliance.fairness.returns import as_json, compare_return, days_of, write_return_days
from compliance.fairness.subjects import Subject, dice_behind, outcomes_of, rounds_of, subjects_on
from rounds.floor.gaming_days import gaming_day
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.ledger.appending import append, record
from rounds.ledger.following import followed_up_to

LOCK = 0x46414952
# After the end of a gaming day, for lines that come late.
GRACE = timedelta(hours=3)


@dataclass(frozen=True)
class Look:
    """A subject that is due, and what was tested of its first so many rounds. `held_to` is by test: its level, and
    whether it is below that."""

    subject: Subject
    rounds: int
    tests: Sequence[Comparison]
    held_to: Sequence[tuple[Fraction, bool]] = ()

    def below(self, code: Code) -> list[tuple[Comparison, Fraction]]:
        """Of that code, the rarest first."""
        found = [
            (test, level)
            for test, (level, is_below) in zip(self.tests, self.held_to, strict=True)
            if is_below and (test.test == RETURN) == (code == Code.RETURN)
        ]
        return sorted(found, key=lambda each: each[0].p_value)


def days_due(casino: Casino, now: datetime) -> Iterator[date]:
    """Gaming days that are over, audited and not examined yet, the oldest first."""
    log, today = casino.slug, gaming_day(casino, now - GRACE)
    known = set(Examination.objects.filter(casino=casino).values_list("gaming_day", flat=True))
    played = PlayedDay.objects.filter(log=log, gaming_day__lt=today).order_by("gaming_day")
    for day in played.values_list("gaming_day", flat=True).distinct():
        if day not in known and _is_ready(log, day):
            yield day


def _rounds_on(log: str, day: date) -> QuerySet[PackedRound]:
    return PackedRound.objects.filter(log=log, table__in=_tables_on(log, day), gaming_day=day)


def _is_ready(log: str, day: date) -> bool:
    last = _rounds_on(log, day).aggregate(last=Max("entry_index"))["last"]
    return last is not None and last < min(audited_up_to(log) or 0, followed_up_to(EQUIPMENT, log))


def _tables_on(log: str, day: date) -> list[str]:
    return sorted(set(PlayedDay.objects.filter(log=log, gaming_day=day).values_list("table", flat=True)))


@transaction.atomic
def examine_day(*, casino: Casino, day: date, now: datetime) -> Examination | None:
    """None where another worker has examined it meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK, casino.slug])
    if Examination.objects.filter(casino=casino, gaming_day=day).exists():
        return None
    ended_at = write_returns(casino, day, now)
    looks = _judged(list(_looks(casino, day, ended_at)))
    done = Examination(
        casino=casino, gaming_day=day, looks=[_look_record(look) for look in looks], level=_text(A_DAY),
        tests=sum(len(look.tests) for look in looks), examined_at=now,
    )  # fmt: skip
    signals = [signal for look in looks for signal in _signals(casino, day, look, done.tests, now)]
    record_examination(casino=casino, done=done, signals=signals, now=now)
    remember_looks(done)
    return done


def write_returns(casino: Casino, day: date, now: datetime) -> datetime:
    """What came back that day, worked out by what held at the end of its play, whenever it is done. That instant."""
    ended_at: datetime = _rounds_on(casino.slug, day).aggregate(last=Max("started_at"))["last"] or now
    write_return_days(casino, day, _tables_on(casino.slug, day), ended_at)
    return ended_at


def _looks(casino: Casino, day: date, at: datetime) -> Iterator[Look]:
    log = casino.slug
    known = {(row.subject_kind, row.subject, row.window): row.rounds for row in LastLook.objects.filter(casino=casino)}
    for subject in subjects_on(log, day):
        looked_at = known.get((subject.kind.value, subject.name, subject.window), 0)
        size = look_due(rounds_of(log, subject, day).count(), looked_at)
        if size:
            tests = list(_tests(casino, subject, day, size, at))
            if tests:
                yield Look(subject, size, tests)


def _tests(casino: Casino, subject: Subject, day: date, size: int, at: datetime) -> Iterator[Comparison]:
    if subject.kind != SubjectKind.TABLE or not _has_cards(casino, subject.name, at):
        yield from compare_results(outcomes_of(rounds_of(casino.slug, subject, day)[:size]))
    if subject.kind == SubjectKind.TABLE and subject.since:
        found = compare_return(days_of(casino, subject.name, subject.since, day))
        if found is not None:
            yield found


def _has_cards(casino: Casino, slug: str, at: datetime) -> bool:
    """Cards that are not put back do not fall like dice: of those tables the money alone is examined."""
    table = Table.objects.filter(casino=casino, slug=slug).select_related("casino").first()
    pack = pack_for(table, at) if table else None
    return pack is not None and pack.conduct.cards is not None


def _judged(looks: Sequence[Look]) -> list[Look]:
    held_to = iter(share_out([test.p_value for look in looks for test in look.tests]))
    return [Look(look.subject, look.rounds, look.tests, [next(held_to) for _ in look.tests]) for look in looks]


# --- What is recorded -----------------------------------------------------------------------------------------------


def _look_record(look: Look) -> dict[str, Any]:
    return {
        "kind": look.subject.kind.value,
        "name": look.subject.name,
        "window": look.subject.window or None,
        "rounds": look.rounds,
        "tests": [
            {
                "test": test.test, "method": test.method, "statistic": _text(test.statistic), "degrees": test.degrees,
                "p_value": _text(test.p_value), "level": _text(level), "is_below": is_below,
            }
            for test, (level, is_below) in zip(look.tests, look.held_to, strict=True)
        ],
    }  # fmt: skip


def _signals(casino: Casino, day: date, look: Look, tests: int, now: datetime) -> Iterator[Signal]:
    subject = look.subject
    for code in Code:
        below = look.below(code)
        about = {
            "casino": casino, "code": code.value, "subject_kind": subject.kind.value, "subject": subject.name,
            "window": subject.window,
        }  # fmt: skip
        if not below or Signal.objects.filter(**about).exists():
            continue
        test, level = below[0]
        rounds = rounds_of(casino.slug, subject, day).order_by()
        sets = [played.as_record() for played in dice_behind(casino.slug, subject, day)]
        tables = sorted(set(rounds.values_list("table", flat=True)))
        last_at = rounds.aggregate(last=Max("started_at"))["last"]
        yield Signal(
            **about, log=casino.slug, gaming_day=day, test=test.test, rounds=test.rounds,
            statistic=_text(test.statistic), degrees=test.degrees, p_value=_text(test.p_value), level=_text(level),
            tests=tests, cells=[as_json(cell) for cell in test.cells], played=sets,
            voids=list(_voids(casino, tables, last_at)), found_at=now,
        )  # fmt: skip


def _voids(casino: Casino, tables: Sequence[str], at: datetime) -> Iterator[dict[str, str]]:
    """Where the rules in force at a table void all rounds that something affected: by which clause."""
    for table in Table.objects.filter(casino=casino, slug__in=tables).select_related("casino").order_by("slug"):
        pack = pack_for(table, at)
        if pack is not None:
            for reason, void in pack.law.void.items():
                if void.covers == "all-affected-rounds":
                    yield {"table": table.slug, "rules": pack.name, "reason": reason, "clause": str(void.clause)}


@transaction.atomic
def record_examination(*, casino: Casino, done: Examination, signals: Sequence[Signal], now: datetime) -> None:
    entries = [record(kinds.EXAMINED, done.as_record())]
    entries += [
        record(kinds.SIGNAL, each.as_record(), table=each.subject if each.subject_kind == SubjectKind.TABLE else None)
        for each in signals
    ]
    receipts = append(casino.slug, entries, now)
    for row, receipt in zip((done, *signals), receipts, strict=True):
        row.log, row.entry_index = receipt.log, receipt.index
        row.save(force_insert=True)


def remember_looks(done: Examination) -> None:
    """Of each subject the newest look, with the rarest of its tests."""
    for look in done.looks:
        rarest = min(look["tests"], key=lambda test: float(test["p_value"]))
        LastLook.objects.update_or_create(
            casino=done.casino, subject_kind=look["kind"], subject=look["name"], window=look["window"] or "",
            defaults={
                "rounds": look["rounds"], "examination": done, "test": rarest["test"], "p_value": rarest["p_value"]
            },
        )  # fmt: skip


def _text(value: float | Fraction) -> str:
    """Three figures. A record of the ledger has no floats."""
    return f"{float(value):.3g}"
