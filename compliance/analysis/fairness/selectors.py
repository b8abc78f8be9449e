"""Read access to signals, last tests, and the status of dice sets, shakers and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from compliance.analysis.fairness.models import (
    DailyReturn,
    Examination,
    LastTest,
    Signal,
    SignalAcknowledgement,
    SubjectKind,
)
from compliance.analysis.fairness.statistics.significance import next_test_at
from compliance.analysis.fairness.subjects import (
    EQUIPMENT_KINDS,
    FairnessSubject,
    month_of,
    round_counts_by_equipment,
    rounds_of_subject,
    rounds_with_sets,
)
from compliance.audit.models import DailyTotals, PackedRound
from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Tag
from compliance.tables.equipment.projections import Custody
from rounds.floor.permissions import MAY_READ


def access_signal(user: User, casino: Casino, index: int) -> Signal:
    """A signal by its entry index. Missing and forbidden give the same error."""
    found = Signal.objects.filter(casino=casino, entry_index=index).select_related("casino").first()
    if found is None or not user.has_role(*MAY_READ, casino=casino):
        raise NotFound
    return found


def list_signals(casino: Casino, chosen: Mapping[str, Any]) -> QuerySet[Signal]:
    """Annotated with `is_seen`: whether anybody acknowledged it."""
    seen = Exists(SignalAcknowledgement.objects.filter(signal=OuterRef("pk")))
    signals = Signal.objects.filter(casino=casino).annotate(is_seen=seen)
    for name in ("code", "subject_kind"):
        if chosen.get(name):
            signals = signals.filter(**{name: chosen[name]})
    if chosen.get("subject"):
        signals = signals.filter(subject__icontains=chosen["subject"])
    if chosen.get("state"):
        signals = signals.filter(is_seen=chosen["state"] == "seen")
    return signals


def unseen_signals(casino: Casino) -> int:
    return list_signals(casino, {"state": "unseen"}).count()


def rounds_of_signal(signal: Signal) -> QuerySet[PackedRound]:
    """All rounds ever played with the signal's dice sets. Where no set is known, the rounds that were tested."""
    names = {each["dice"] for each in signal.played}
    if names:
        return rounds_with_sets(signal.log, names)
    return rounds_of_subject(
        signal.log, FairnessSubject(SubjectKind(signal.subject_kind), signal.subject, signal.window)
    )


def list_last_tests(casino: Casino, chosen: Mapping[str, Any]) -> QuerySet[LastTest]:
    """Annotated with `is_signalled`."""
    same = {name: OuterRef(name) for name in ("casino", "subject_kind", "subject", "window")}
    looks = LastTest.objects.filter(casino=casino).annotate(is_signalled=Exists(Signal.objects.filter(**same)))
    if chosen.get("subject_kind"):
        looks = looks.filter(subject_kind=chosen["subject_kind"])
    if chosen.get("subject"):
        looks = looks.filter(subject__icontains=chosen["subject"])
    return looks.select_related("examination").order_by("-examination__gaming_day", "subject_kind", "subject")


@dataclass(frozen=True)
class SubjectStatus:
    """Status of a subject in use: rounds so far, rounds at its last test, whether it is signalled."""

    subject: FairnessSubject
    rounds: int
    looked_at: int
    is_signalled: bool

    @property
    def words(self) -> str:
        return f"{self.subject.kind.label} {self.subject.name}"

    @property
    def tag(self) -> Tag:
        if self.is_signalled:
            return Tag("Signalled", "warning")
        return Tag("No signal", "success") if self.looked_at else Tag("Too few rounds yet", "neutral")

    @property
    def next_at(self) -> int:
        return next_test_at(self.looked_at)


def subject_statuses(casino: Casino, today: date) -> list[SubjectStatus]:
    """Dice sets and shakers now at tables, and every table with play this month. A fixed number of queries."""
    here = list(_subjects_in_use(casino, today))
    condition = Q(window=month_of(today)) | Q(window="", subject__in=[subject.name for subject, _ in here])
    looks = {(row.subject_kind, row.subject, row.window): row for row in list_last_tests(casino, {}).filter(condition)}
    found = []
    for subject, rounds in here:
        look = looks.get((subject.kind.value, subject.name, subject.window))
        is_signalled = look is not None and look.is_signalled  # type: ignore[attr-defined]
        found.append(SubjectStatus(subject, rounds, look.rounds if look else 0, is_signalled))
    return found


def _subjects_in_use(casino: Casino, today: date) -> Iterator[tuple[FairnessSubject, int]]:
    log, month, first = casino.slug, month_of(today), today.replace(day=1)
    here = Custody.objects.filter(log=log).at_table()
    for kind, piece in EQUIPMENT_KINDS.items():
        names = sorted(set(here.of_piece(piece).values_list("name", flat=True)))
        is_dice = kind == SubjectKind.DICE
        counted = round_counts_by_equipment(log, piece, names, None if is_dice else first)
        for name in names:
            yield FairnessSubject(kind, name, "" if is_dice else month), counted.get(name, 0)
    played = DailyTotals.objects.filter(log=log, gaming_day__gte=first).values("table")
    for row in played.annotate(decided=Sum(F("rounds") - F("without_result"))).order_by("table"):
        yield FairnessSubject(SubjectKind.TABLE, row["table"], month), row["decided"]


@dataclass(frozen=True)
class ExaminationTotals:
    """Totals for the head of the page."""

    days: int
    tests: int
    last: Examination | None


def examination_totals(casino: Casino) -> ExaminationTotals:
    done = Examination.objects.filter(casino=casino)
    counted = done.aggregate(days=Count("pk"), tests=Sum("tests"))
    return ExaminationTotals(counted["days"], counted["tests"] or 0, done.first())


def months_with_returns(casino: Casino, table: str) -> list[str]:
    """Months with returns at that table, newest first."""
    days = DailyReturn.objects.filter(casino=casino, table=table).dates("gaming_day", "month", order="DESC")
    return [month_of(day) for day in days]
