"""The calculator's form. It asks only for circumstances that the chosen document knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.templatetags.static import static

from compliance.core.web.ui.forms import MoneyField
from rounds.engine import (
    BETS,
    Bet,
    EngineError,
    Outcome,
    PostedOdds,
    Rules,
    WagerLimits,
    WagerQuestion,
    bets,
    compile_rules,
    errors,
    parse_odds,
)
from rounds.engine.money import format_cents
from rounds.rulebook.calculator.available_rules import AvailableRules
from rounds.rulebook.calculator.calculation import BoxGroup, find_relevant_circumstances, layout_boxes
from rounds.rulebook.labels import VOID_REASON_LABELS, humanize_slug

ASK, HISTORY, NO_RESULT = "ask", "history", "none"
MAX_RESULTS = 60


class DiceInput(forms.Widget):
    """Radio buttons for three dice: three rows of six faces."""

    template_name = "rulebook/calculator-dice.html"
    use_fieldset = True

    def __init__(self, word: str = "die") -> None:
        super().__init__()
        self.word = word

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> tuple[str, ...]:
        return tuple(data.get(f"{name}-{number}", "") for number in (1, 2, 3))

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        chosen = value if isinstance(value, tuple) else ("", "", "")
        context["rows"] = [
            {
                "label": f"{order} {self.word}",
                "name": f"{name}-{number}",
                "faces": [
                    (face, f"id_{name}_{number}_{face}", chosen[number - 1] == str(face), static(f"web/die-{face}.svg"))
                    for face in bets.FACES
                ],
            }
            for number, order in enumerate(("First", "Second", "Third"), start=1)
        ]
        return context

    def id_for_label(self, id_: str, index: Any = None) -> str:
        return f"{id_}_1_1"


class DiceField(forms.Field):
    """A result of three dice or cards; None if nothing is selected."""

    def __init__(self, *, word: str = "die", **kwargs: Any) -> None:
        super().__init__(widget=DiceInput(word), required=False, **kwargs)
        self.word = word

    def clean(self, value: Any) -> Outcome | None:
        faces = [face for face in value if face]
        if not faces:
            return None
        try:
            return bets.parse_outcome([int(face) for face in value])
        except (ValueError, EngineError):
            raise ValidationError(f"Choose one face in each row: every {self.word} shows 1 to 6.") from None


class BoxInput(forms.Widget):
    """Radio buttons for every box of the layout, in the rows of the layout."""

    template_name = "rulebook/calculator-boxes.html"
    use_fieldset = True
    groups: Sequence[BoxGroup] = ()

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return super().get_context(name, value, attrs) | {"groups": self.groups, "chosen": value}

    def id_for_label(self, id_: str, index: Any = None) -> str:
        first = next((box.bet.code for group in self.groups for box in group.boxes), "")
        return f"{id_}_{first}"


class BoxField(forms.Field):
    def clean(self, value: Any) -> Bet:
        if value not in BETS:
            raise ValidationError("Choose the box that the wager was on.", code="required")
        return BETS[value]


class PostedOddsField(forms.CharField):
    """ "60 to 1", or several odds separated by commas, one for each level."""

    def clean(self, value: Any) -> PostedOdds | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            odds = tuple(parse_odds(" ".join(part.lower().split())) for part in text.split(","))
        except EngineError:
            raise ValidationError("Write the odds as they are posted, such as 60 to 1.") from None
        return odds if len(odds) > 1 else Fraction(odds[0])


class OptionalChoiceField(forms.ChoiceField):
    """An optional select list. An invalid value can only come from a hand-edited URL."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, error_messages={"invalid_choice": "Choose one from the list."}, **kwargs)


class CalculatorForm(forms.Form):
    """Sent by GET. `is_unsubmitted`: redisplayed with its values but without validation, before the answer is asked
    for."""

    bet = BoxField(widget=BoxInput, label="Which box?")
    stake = MoneyField(label="Stake", min_cents=1)

    def __init__(self, query: QueryDict, available_rules: Sequence[AvailableRules], chosen: AvailableRules) -> None:
        super().__init__(query or None)
        self.query, self.available_rules, self.chosen, self.pack = query, available_rules, chosen, chosen.pack
        self.is_unsubmitted = not query.get(ASK)
        tables = self.pack.law.pay_table
        asked_table = query.get("pay_table", "")
        self.pay_table = asked_table if asked_table in tables else next(iter(tables))
        self.circumstances, self.has_streak = find_relevant_circumstances(self.pack), self.pack.law.streak is not None
        self.fields |= dict(self._rules_fields()) | dict(self._result_fields()) | dict(self._stake_fields())
        self.fields |= dict(self._reading_choice_fields())
        widget = self.fields["bet"].widget
        assert isinstance(widget, BoxInput)
        widget.groups = layout_boxes(self.rules, query.get("bet", ""))

    @property
    def rules(self) -> Rules:
        """The rules under the adopted readings. Readings chosen in this form do not change the layout."""
        return compile_rules(self.pack, self.pay_table, self.chosen.adopted)

    @property
    def is_streak(self) -> bool:
        bet = BETS.get(self.query.get("bet", ""))
        return bet is not None and bet.is_streak and self.has_streak

    @property
    def history(self) -> list[Outcome | None]:
        """The results after a streak wager (None: a round without a result). Invalid values are skipped."""
        results: list[Outcome | None] = []
        for text in self.query.getlist(HISTORY)[:MAX_RESULTS]:
            if text == NO_RESULT:
                results.append(None)
                continue
            try:
                results.append(bets.parse_outcome([int(face) for face in text.split("-")]))
            except (ValueError, EngineError):
                continue
        return results

    @property
    def reading_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("reading-")]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """The rarely needed fields, shown in a collapsed section. The opening result is among them for streaks only."""
        shown_elsewhere = {"bet", "stake", "rules", "pay_table", "dice", "next"}
        if not self.is_streak:
            shown_elsewhere.add("opening")
        return [self[name] for name in self.fields if name not in shown_elsewhere and "reading-" not in name]

    @property
    def has_more(self) -> bool:
        return any(_is_filled(bound) or bound.errors for bound in self.more_fields)

    @property
    def told(self) -> list[tuple[str, str]]:
        """(label, value) of the rarely needed fields that were filled in, shown with the answer and in print."""
        filled = [bound for bound in self.more_fields if _is_filled(bound)]
        return [(str(bound.label), _display_value(bound, self.cleaned_data.get(bound.name))) for bound in filled]

    @property
    def has_readings(self) -> bool:
        return any(bound.data not in (None, "", bound.field.initial) for bound in self.reading_fields)

    @property
    def pay_table_field(self) -> forms.BoundField | None:
        return self["pay_table"] if "pay_table" in self.fields else None

    def _rules_fields(self) -> Iterator[tuple[str, forms.Field]]:
        by_state: dict[str, list[tuple[str, str]]] = {}
        for entry in self.available_rules:
            by_state.setdefault(entry.state_label, []).append((entry.key, entry.label))
        yield "rules", OptionalChoiceField(choices=list(by_state.items()), label="Rules")
        if len(self.pack.law.pay_table) > 1:
            tables = [
                (name, f"Pay table {name}" + (f", {table.layout}" if table.layout else ""))
                for name, table in self.pack.law.pay_table.items()
            ]
            yield "pay_table", OptionalChoiceField(choices=tables, label="Pay table")

    def _result_fields(self) -> Iterator[tuple[str, forms.Field]]:
        word = "card" if self.circumstances.cards else "die"
        yield "dice", DiceField(word=word, label="Which cards?" if self.circumstances.cards else "Which dice?")
        if self.has_streak:
            yield "next", DiceField(word=word, label="Next result after the wager")
            yield "opening", DiceField(word=word, label="Result on the table when the wager was made")
        reasons = [
            (name, f"{VOID_REASON_LABELS[name]} (clause {reason.clause})")
            for name, reason in self.pack.law.void.items()
        ]
        choices = [("", "The round has a result"), *reasons]
        yield "void", OptionalChoiceField(choices=choices, label="Is the round void?")
        if self.circumstances.lights_failed:
            label = "The winning areas did not light, or lit wrongly"
            yield "lights_failed", forms.BooleanField(required=False, label=label)
        if self.circumstances.result_called:
            yield "called", DiceField(word=word, label="Result that was called, if the lights failed")

    def _stake_fields(self) -> Iterator[tuple[str, forms.Field]]:
        def checkbox(label: str) -> forms.BooleanField:
            return forms.BooleanField(required=False, label=label)

        asks = self.circumstances
        if asks.posted_odds:
            hint = "Such as 60 to 1. A box paid by the number of dice has several: 1 to 1, 2 to 1, 3 to 1."
            yield "posted", PostedOddsField(required=False, label="Odds posted at the table", help_text=hint)
        if asks.minimum:
            yield "minimum", MoneyField(required=False, label="Minimum on the sign", min_cents=1)
        if asks.maximum:
            yield "maximum", MoneyField(required=False, label="Maximum on the sign", min_cents=1)
        if asks.payable_unit:
            yield "multiples", checkbox("The sign asks for multiples of the minimum")
            yield "unit", MoneyField(required=False, label="Smallest chip to pay with", min_cents=1)
        if asks.warned:
            yield "warned", checkbox("The player had been warned about the minimum")
        if asks.found_later:
            yield "found_later", checkbox("Found above the maximum only on a later game")
        if asks.promotional_token:
            yield "token", checkbox("The stake is a promotional token")
        if asks.unregistered:
            yield "unregistered", checkbox("The terminal did not register the bet")

    def _reading_choice_fields(self) -> Iterator[tuple[str, forms.Field]]:
        for name, reading in self.pack.readings.items():
            adopted = self.chosen.adopted.get(name, reading.default)
            choices = [(key, humanize_slug(key) + (" (adopted)" if key == adopted else "")) for key in reading.choices]
            label = f"{humanize_slug(name)}, clause {reading.clause}"
            choice = OptionalChoiceField(choices=choices, label=label, help_text=reading.explains)
            choice.initial = adopted
            yield f"reading-{name}", choice

    def full_clean(self) -> None:
        if self.is_unsubmitted:
            self._errors, self.cleaned_data = ErrorDict(), {}
        else:
            super().full_clean()

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        low, high = given.get("minimum"), given.get("maximum")
        if low and high and low > high:
            self.add_error("maximum", "The maximum must not be below the minimum.")
        if given.get("multiples") and not low and "minimum" not in self.errors:
            self.add_error("minimum", "Enter the minimum that stakes must be multiples of.")
        return given

    @property
    def readings(self) -> dict[str, str]:
        """The readings adopted by the version, overridden by those chosen in this form."""
        chosen = {name: self.cleaned_data.get(f"reading-{name}") for name in self.pack.readings}
        return dict(self.chosen.adopted) | {name: choice for name, choice in chosen.items() if choice}

    def build_question(self) -> WagerQuestion:
        given = self.cleaned_data
        history = [*self.history, given["next"]] if given.get("next") else self.history
        return WagerQuestion(
            bet=given["bet"],
            stake_cents=given["stake"],
            outcome=None if self.is_streak else given.get("dice"),
            limits=WagerLimits(
                given.get("minimum"), given.get("maximum"), bool(given.get("multiples")), given.get("unit")
            ),
            posted_odds=given.get("posted"),
            is_promotional_token=bool(given.get("token")),
            was_warned=bool(given.get("warned")),
            was_registered=not given.get("unregistered"),
            was_found_later=bool(given.get("found_later")),
            void_reason=given.get("void") or None,
            opening=given.get("opening") if self.is_streak else None,
            history=tuple(history) if self.is_streak else (),
            have_lights_failed=bool(given.get("lights_failed")),
            called=given.get("called"),
        )

    def add_engine_error(self, error: EngineError) -> None:
        """Adds the engine's error to the field that can fix it."""
        name, message = FIELD_ERRORS.get(error.code, (None, ""))
        if (
            error.code is errors.ErrorCode.BAD_DICE
            and self.cleaned_data.get("lights_failed")
            and "called" in self.fields
        ):
            name, message = "called", "The lights failed, so the result called decides. Enter it."
        self.add_error(name if name in self.fields else None, message or f"{error.message}.")


def _is_filled(bound: forms.BoundField) -> bool:
    return any(bound.data) if isinstance(bound.data, tuple) else bool(bound.data)


def _display_value(bound: forms.BoundField, value: Any) -> str:
    if isinstance(bound.field, MoneyField):
        return format_cents(value)
    if isinstance(bound.field, DiceField):
        return bets.format_outcome(value)
    if isinstance(bound.field, forms.ChoiceField):
        return str(dict(bound.field.choices)[value])  # type: ignore[arg-type]
    return "Yes" if value is True else str(bound.data)


FIELD_ERRORS: Mapping[errors.ErrorCode, tuple[str, str]] = {
    errors.ErrorCode.BAD_DICE: ("dice", "Choose one face in each row, or say why the round is void."),
    errors.ErrorCode.BAD_ODDS: (
        "posted",
        "This box has several odds, one for each number of dice. Enter all, with commas.",
    ),
    errors.ErrorCode.POSTED_BELOW_MINIMUM: ("posted", ""),
    errors.ErrorCode.NOT_A_WHOLE_CENT: (
        "stake",
        "At these odds the winnings are not whole cents, and these rules do not say how to round. Enter another stake.",
    ),
    errors.ErrorCode.OPENING_NEEDED: (
        "opening",
        "This wager takes its direction from the result on the table when it was made. Enter that result.",
    ),
}


def query_without(query: QueryDict, *names: str) -> QueryDict:
    """A mutable copy without these fields. Dice fields have three keys each."""
    rows = {f"{name}-{number}" for name in names for number in (1, 2, 3)}
    copy = query.copy()
    for key in [key for key in copy if key in names or key in rows]:
        del copy[key]
    return copy
