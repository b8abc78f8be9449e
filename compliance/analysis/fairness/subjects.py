"""Fairness subjects: which rounds were played with which dice set and shaker, and at which table.

Of two sets at a table the one placed last is in use. A round counts if it has a result and was not taken back; voiding
it later does not change how the dice fell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, TypeAlias

import numpy as np
from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery

from compliance.analysis.fairness.models import SubjectKind
from compliance.analysis.fairness.statistics.dice_tests import Results
from compliance.audit.models import PackedRound
from compliance.tables.equipment.projections import Custody, Piece

EQUIPMENT_KINDS = {SubjectKind.DICE: Piece.DICE, SubjectKind.SHAKER: Piece.SHAKER}
PLAY_ORDER = ("started_at", "entry_index")
# QuerySet[Any], because some are annotated with `in_use`.
RoundQuerySet: TypeAlias = QuerySet[Any]


@dataclass(frozen=True, order=True)
class FairnessSubject:
    """What is tested. `window` is a calendar month such as 2026-11; empty for dice, whose rounds are all counted."""

    kind: SubjectKind
    name: str
    window: str = ""

    @property
    def since(self) -> date | None:
        return date.fromisoformat(f"{self.window}-01") if self.window else None


def month_of(day: date) -> str:
    return f"{day:%Y-%m}"


def rounds_with_result(log: str) -> RoundQuerySet:
    return PackedRound.objects.filter(log=log, outcome__gte=0, is_void=False, taken_back_index=None)


def _annotate_equipment(rounds: RoundQuerySet, log: str, piece: Piece) -> RoundQuerySet:
    """Annotated with `in_use`: the piece placed last among those at the table when the round began."""
    there = Custody.objects.filter(log=log, piece=piece, table=OuterRef("table"), at__lte=OuterRef("started_at"))
    there = there.filter(Q(removed_at=None) | Q(removed_at__gt=OuterRef("started_at")))
    found: RoundQuerySet = rounds.annotate(in_use=Subquery(there.order_by("-at", "-index").values("name")[:1]))
    return found


def subjects_on(log: str, day: date) -> list[FairnessSubject]:
    """Every subject with play on a gaming day, in order."""
    played = rounds_with_result(log).filter(gaming_day=day).order_by()
    found = [
        FairnessSubject(kind, name, "" if kind == SubjectKind.DICE else month_of(day))
        for kind, piece in EQUIPMENT_KINDS.items()
        for name in _equipment_names(_annotate_equipment(played, log, piece))
    ]
    tables = played.values_list("table", flat=True).distinct()
    return sorted([*found, *(FairnessSubject(SubjectKind.TABLE, name, month_of(day)) for name in tables)])


def _equipment_names(rounds: RoundQuerySet) -> list[str]:
    return sorted(set(rounds.exclude(in_use=None).values_list("in_use", flat=True)))


def rounds_of_subject(log: str, subject: FairnessSubject, until: date | None = None) -> RoundQuerySet:
    """The subject's rounds in order of play."""
    rounds = rounds_with_result(log).order_by(*PLAY_ORDER)
    if until is not None:
        rounds = rounds.filter(gaming_day__lte=until)
    if subject.since is not None:
        rounds = rounds.filter(gaming_day__gte=subject.since)
    if subject.kind == SubjectKind.TABLE:
        return rounds.filter(table=subject.name)
    return _rounds_with_equipment(rounds, log, EQUIPMENT_KINDS[subject.kind], [subject.name])


def _rounds_with_equipment(rounds: RoundQuerySet, log: str, piece: Piece, names: Iterable[str]) -> RoundQuerySet:
    """The rounds in which one of these pieces was at the table and in use."""
    stays = Custody.objects.filter(log=log, piece=piece, name__in=names).values_list("table", "at", "removed_at")
    between = Q(pk=None)
    for table, placed, removed in stays:
        stay = Q(table=table, started_at__gte=placed)
        between |= stay & Q(started_at__lt=removed) if removed else stay
    return _annotate_equipment(rounds.filter(between), log, piece).filter(in_use__in=names)


def round_counts_by_equipment(log: str, piece: Piece, names: Iterable[str], since: date | None) -> dict[str, int]:
    """How many rounds each of these pieces played."""
    rounds = rounds_with_result(log).order_by().filter(**{"gaming_day__gte": since} if since else {})
    counted = _rounds_with_equipment(rounds, log, piece, sorted(names)).values("in_use").annotate(rounds=Count("pk"))
    return {row["in_use"]: row["rounds"] for row in counted}


def rounds_with_sets(log: str, names: Iterable[str]) -> RoundQuerySet:
    """All rounds ever played with these dice sets, annotated with the set as `in_use`."""
    return _rounds_with_equipment(rounds_with_result(log).order_by(*PLAY_ORDER), log, Piece.DICE, sorted(names))


def outcome_array(rounds: RoundQuerySet) -> Results:
    return np.array(list(rounds.values_list("outcome", flat=True)), np.int64)


@dataclass(frozen=True)
class DiceSetUse:
    """A dice set in use at a table: range of entries, and number of rounds."""

    dice: str
    table: str
    first: int
    last: int
    rounds: int

    def to_json(self) -> dict[str, str | int]:
        return asdict(self)


def dice_sets_of_subject(log: str, subject: FairnessSubject, until: date) -> list[DiceSetUse]:
    """The dice sets in use in a subject's rounds, each with all rounds it played up to that day."""
    if subject.kind == SubjectKind.DICE:
        names = [subject.name]
    else:
        names = _equipment_names(
            _annotate_equipment(rounds_of_subject(log, subject, until).order_by(), log, Piece.DICE)
        )
    found = rounds_with_sets(log, names).filter(gaming_day__lte=until).order_by("in_use", "table")
    counted = found.values("in_use", "table").annotate(
        first=Min("entry_index"), last=Max("entry_index"), rounds=Count("pk")
    )
    return [DiceSetUse(row["in_use"], row["table"], row["first"], row["last"], row["rounds"]) for row in counted]
