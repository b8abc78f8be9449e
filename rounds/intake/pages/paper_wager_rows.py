"""Wager rows of the form for a round from paper: fields, validation, and conversion into wagers.

A Super Streak wager is entered twice with one number: in the round after which it was made and in the one that ends it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, get_args
from zoneinfo import ZoneInfo

from django import forms

from compliance.core.web.ui.forms import LocalDateTimeField, MoneyField
from rounds.engine import BETS, pack
from rounds.intake.protocol.fields import MAX_STAKE_CENTS
from rounds.intake.protocol.round import Wager
from rounds.intake.round_view import TENDER_LABELS
from rounds.rulebook.labels import bet_label

# The pattern of `Name` in protocol/fields.py.
NAME = r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$"
RUNNING = "open"
VERDICTS = [("win", "Won"), ("lose", "Lost"), ("void", "Void, handed back"), ("refused", "Not accepted")]
STREAK_VERDICTS = [(RUNNING, "It was made after this round and is running"), *VERDICTS]
MISSING_MESSAGES = {
    "number": "Enter the number of the wager.",
    "seat": "Enter the seat.",
    "bet": "Choose the bet.",
    "stake": "Enter the stake.",
    "made_at": "Enter when it was made.",
    "returned": "Enter what was returned, 0 if nothing.",
}


Choices: TypeAlias = list[tuple[str, str]]


def group_by_rules(choices: Choices, under_rules: Collection[str]) -> list[tuple[str, str | Choices]]:
    """The choices of the rules in force first. The others stay: what was played is recorded even if no rule has it."""
    groups = {
        "By the rules in force": [each for each in choices if each[0] in under_rules],
        "Not in the rules in force": [each for each in choices if each[0] not in under_rules],
    }
    return [*choices] if not all(groups.values()) else list(groups.items())


@dataclass(frozen=True)
class RowKind:
    """A kind of row: ordinary or Super Streak. `parts` are its fields in order; `word` names the row in labels."""

    name: str
    word: str
    parts: tuple[str, ...]
    at_first: int
    more: int
    most: int

    @property
    def is_streak(self) -> bool:
        return "number" in self.parts

    def field_names(self, row: int) -> list[str]:
        return [f"{self.name}-{row}-{part}" for part in self.parts]

    def fields(self, row: int, zone: ZoneInfo, bets: Collection[str]) -> dict[str, forms.Field]:
        made = _row_fields(self, f"{self.word} {row}", zone, bets)
        return {name: made[part] for name, part in zip(self.field_names(row), self.parts, strict=True)}


ORDINARY = RowKind("wager", "wager", ("seat", "bet", "stake", "tender", "verdict", "returned"), 5, 5, 100)
STREAK = RowKind(
    "streak",
    "Super Streak wager",
    ("number", "seat", "bet", "stake", "tender", "made_at", "verdict", "returned"),
    2,
    3,
    50,
)
# Select fields that always have a value, so they do not show that a row was filled in.
PRESELECTED = ("tender", "verdict")


def _row_fields(kind: RowKind, row: str, zone: ZoneInfo, under_rules: Collection[str]) -> dict[str, forms.Field]:
    """`under_rules`: the bets of the rules in force."""
    of_kind = [(bet.code, bet_label(bet.code)) for bet in BETS.values() if bet.is_streak is kind.is_streak]
    bets = of_kind if kind.is_streak else group_by_rules(of_kind, under_rules)
    tenders = [(name, TENDER_LABELS[name]) for name in get_args(pack.Tender)]
    verdicts = STREAK_VERDICTS if kind.is_streak else VERDICTS
    return {
        "number": forms.RegexField(
            NAME,
            label=f"Number, {row}",
            required=False,
            help_text="The same number in the round after which it was made and in the round that ended it.",
            error_messages={"invalid": "Use letters, figures, dots, colons and hyphens only."},
        ),
        "seat": forms.IntegerField(label=f"Seat, {row}", required=False, min_value=1, max_value=500),
        "bet": forms.ChoiceField(label=f"Bet, {row}", required=False, choices=[("", "No wager"), *bets]),
        "stake": MoneyField(label=f"Stake, {row}", required=False, min_cents=1, max_cents=MAX_STAKE_CENTS),
        "tender": forms.ChoiceField(label=f"Wagered with, {row}", required=False, choices=tenders),
        "made_at": LocalDateTimeField(label=f"Made, {row}", required=False, zone=zone),
        "verdict": forms.ChoiceField(label=f"What became of {row}", required=False, choices=verdicts),
        "returned": MoneyField(label=f"Returned in all, {row}", required=False),
    }


@dataclass(frozen=True)
class WagerRow:
    """One row as entered. It counts as filled in once any field outside PRESELECTED has a value."""

    kind: RowKind
    row: int
    typed: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        return not any(value not in (None, "") for part, value in self.typed.items() if part not in PRESELECTED)

    @property
    def is_running(self) -> bool:
        return bool(self.typed["verdict"] == RUNNING)

    def validation_errors(self) -> Iterator[tuple[str, str]]:
        """Yields (field, message) for fields that are missing or contradict each other."""
        for name, part in zip(self.kind.field_names(self.row), self.kind.parts, strict=True):
            is_missing = self.typed[part] in (None, "")
            if part == "returned" and self.is_running:
                if not is_missing:
                    yield name, "Nothing is returned while the wager runs. Leave this empty."
            elif is_missing and part in MISSING_MESSAGES:
                yield name, MISSING_MESSAGES[part]

    def to_wager(self, placed_at: datetime) -> Wager:
        typed = dict(self.typed)
        number, made_at = typed.pop("number", f"w{self.row}"), typed.pop("made_at", placed_at)
        return Wager(id=number, placed_at=made_at, **typed)


def filled_rows(kind: RowKind, rows: int, cleaned: Mapping[str, Any]) -> Iterator[WagerRow]:
    """The rows that were filled in. An invalid field is missing in `cleaned` and has its own error already."""
    for row in range(1, rows + 1):
        names = zip(kind.field_names(row), kind.parts, strict=True)
        one = WagerRow(kind, row, {part: cleaned.get(name) for name, part in names})
        if not one.is_empty:
            yield one
