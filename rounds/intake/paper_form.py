"""The form for a round from paper: what happened, and a row for each wager. Rows left empty count for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, get_args

from django import forms
from django.core.exceptions import ValidationError

from compliance.accounts.models import Casino
from compliance.web.forms import LocalDateTimeField, MoneyField
from rounds.engine.bets import BETS, Bet
from rounds.engine.terms import Tender, VoidReasonName
from rounds.floor.models import Table
from rounds.intake.kinds.problems import Malformed
from rounds.intake.kinds.round import NoResult, Round, RoundEvent, Wager
from rounds.intake.kinds.words import MOST_CENTS

ROWS_AT_FIRST = 5
ROWS_MORE = 5
MOST_ROWS = 100
PARTS = ("seat", "bet", "stake", "tender", "verdict", "returned")
VERDICTS = [("win", "Won"), ("lose", "Lost"), ("void", "Void, handed back"), ("refused", "Not accepted")]


def bet_words(bet: Bet) -> str:
    """`double-single:1-1-3` as people read it: Double single 1 1 3."""
    return bet.code.replace("-", " ").replace(":", " ").capitalize()


def choices(words: Any) -> list[tuple[str, str]]:
    return [(word, word.replace("-", " ").capitalize()) for word in get_args(words)]


class PaperRoundForm(forms.Form):
    table = forms.ModelChoiceField(Table.objects.none(), label="Table", empty_label=None)
    round = forms.RegexField(
        r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$",
        label="Number of the round",
        help_text="As it stands on the paper: letters, figures, dots, hyphens.",
        error_messages={"invalid": "Use letters, figures, dots, colons and hyphens only."},
    )
    gaming_day = forms.DateField(label="Gaming day", widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    bets_open_at = LocalDateTimeField(label="Bets were opened")
    no_more_bets_at = LocalDateTimeField(label="No more bets was called", required=False)
    uncovered_at = LocalDateTimeField(label="The dice were uncovered or the cards drawn", required=False)
    tumbles = forms.IntegerField(
        label="How often the dice were tumbled or shaken", required=False, min_value=0, max_value=100
    )
    outcome = forms.ChoiceField(
        label="Result of", choices=[("dice", "Dice"), ("cards", "Cards"), ("none", "There was no result")]
    )
    faces = forms.RegexField(
        r"^\s*[1-6]\D*[1-6]\D*[1-6]\s*$",
        label="The three numbers",
        required=False,
        help_text="In the order they lay, such as 4 2 4.",
        error_messages={"invalid": "Enter three numbers from 1 to 6, such as 4 2 4."},
    )
    no_result = forms.ChoiceField(
        label="Why there was no result", required=False, choices=[("", "There was a result"), *choices(VoidReasonName)]
    )
    why = forms.CharField(
        label="Why was it written on paper?",
        max_length=500,
        widget=forms.Textarea({"rows": 2}),
        help_text="For example: controller out of order from 20:10 to 20:55.",
        error_messages={"required": "Say why no controller reported this round."},
    )

    def __init__(self, *args: Any, casino: Casino, rows: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows = rows
        self.fields["table"].queryset = Table.objects.filter(casino=casino)  # type: ignore[attr-defined]
        for name in ("bets_open_at", "no_more_bets_at", "uncovered_at"):
            self.fields[name].zone = casino.zone  # type: ignore[attr-defined]
        for row in range(1, rows + 1):
            self.fields.update(_wager_fields(row))

    @property
    def own_fields(self) -> list[forms.BoundField]:
        return [bound for bound in self if not bound.name.startswith("wager-")]

    @property
    def wager_rows(self) -> Iterator[tuple[int, list[forms.BoundField]]]:
        for row in range(1, self.rows + 1):
            yield row, [self[f"wager-{row}-{part}"] for part in PARTS]

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("outcome") == "none":
            if not typed.get("no_result"):
                self.add_error("no_result", "Choose why there was no result.")
        elif not typed.get("faces") and "faces" not in self.errors:
            self.add_error("faces", "Enter the three numbers, or choose that there was no result.")
        if not self.errors:
            try:
                self.played = self._round()
                self.played.check()
            except Malformed as problem:
                raise ValidationError(problem.sentence, code=problem.code) from problem
        return typed

    def _round(self) -> Round:
        typed = self.cleaned_data
        faces = tuple(int(one) for one in typed["faces"] if one.isdigit()) or None
        outcome = typed["outcome"]
        return Round(
            round=typed["round"],
            gaming_day=typed["gaming_day"],
            events=tuple(self._events()),
            wagers=tuple(self._wagers()),
            dice=faces if outcome == "dice" else None,  # type: ignore[arg-type]
            cards=faces if outcome == "cards" else None,  # type: ignore[arg-type]
            no_result=NoResult(reason=typed["no_result"]) if outcome == "none" else None,
        )

    def _events(self) -> Iterator[RoundEvent]:
        typed = self.cleaned_data
        opened: datetime = typed["bets_open_at"]
        if typed["tumbles"] is not None:
            yield RoundEvent(name="tumbled", at=opened, count=typed["tumbles"])
        yield RoundEvent(name="bets-open", at=opened)
        if typed["no_more_bets_at"]:
            yield RoundEvent(name="no-more-bets-called", at=typed["no_more_bets_at"])
        if typed["uncovered_at"]:
            yield RoundEvent(name="drawn" if typed["outcome"] == "cards" else "uncovered", at=typed["uncovered_at"])

    def _wagers(self) -> Iterator[Wager]:
        for row in range(1, self.rows + 1):
            typed: dict[str, Any] = {part: self.cleaned_data.get(f"wager-{row}-{part}") for part in PARTS}
            if not typed["bet"] and typed["stake"] is None:
                continue
            if not typed["seat"] or not typed["bet"] or typed["stake"] is None or typed["returned"] is None:
                raise Malformed("wager-incomplete", f"Wager {row}: enter seat, bet, stake and what was returned.")
            yield Wager(id=str(row), placed_at=self.cleaned_data["bets_open_at"], **typed)


def _wager_fields(row: int) -> dict[str, forms.Field]:
    named = f"wager-{row}-"
    return {
        f"{named}seat": forms.IntegerField(label=f"Seat, wager {row}", required=False, min_value=1, max_value=500),
        f"{named}bet": forms.ChoiceField(
            label=f"Bet, wager {row}",
            required=False,
            choices=[("", "No wager"), *((bet.code, bet_words(bet)) for bet in BETS.values() if not bet.is_streak)],
        ),
        f"{named}stake": MoneyField(label=f"Stake, wager {row}", required=False, min_cents=1, max_cents=MOST_CENTS),
        f"{named}tender": forms.ChoiceField(
            label=f"Wagered with, wager {row}", required=False, choices=choices(Tender)
        ),
        f"{named}verdict": forms.ChoiceField(label=f"What became of wager {row}", required=False, choices=VERDICTS),
        f"{named}returned": MoneyField(label=f"Returned in all, wager {row}", required=False),
    }
