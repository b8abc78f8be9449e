"""Dice, shakers and shoes that come and go; cards counted, and cards that do not belong."""

from typing import Any

from django import forms

from compliance.equipment.forms.fields import NameField, RecordForm, choices_of
from compliance.equipment.states import Custody, Piece
from rounds.intake.kinds import equipment as lines
from rounds.intake.kinds.words import Body, Staff

REASONS = choices_of("time", "damaged", "closing", "inspection", "other")
TYPES = choices_of("manual", "automated")


def present(form: RecordForm, piece: Piece) -> list[Custody]:
    table = form.scene.table
    here = Custody.objects.filter(log=table.casino.slug, table=table.slug).of(piece).present()
    return list(here.order_by("-at"))


class PieceLeaves(RecordForm):
    """A choice among what is at the table: the usual case is one piece, and one tap."""

    button = "Take away"

    def offer(self, name: str, piece: Piece) -> None:
        field: Any = self.fields[name]
        field.choices = [(each.name, f"{each.name} {each.type}".strip()) for each in present(self, piece)]
        if len(field.choices) == 1:
            field.initial = field.choices[0][0]
        if not field.choices:
            field.help_text = "Nothing is recorded at this table."


class DicePlacedForm(RecordForm):
    title, button = "Put dice to use", "Put to use"

    dice = NameField(label="Set of dice", help_text="As it is marked, such as set-0912.")
    shaker = NameField(label="In shaker or tumbler", required=False)
    sealed = forms.BooleanField(label="The dice are sealed", required=False)

    def guidance(self) -> list[str]:
        duty = self.scene.pack.duties.dice_custody if self.scene.pack else None
        if duty is None:
            return []
        return [f"They may stay at the table for {duty.at_most_hours} hours, closed hours too (rule {duty.clause})."]

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        return lines.DicePlaced(dice=typed["dice"], shaker=typed["shaker"] or None, sealed=typed["sealed"], by=by)


class DiceRemovedForm(PieceLeaves):
    title = "Take dice away"

    dice = forms.ChoiceField(label="Set of dice", widget=forms.RadioSelect)
    reason = forms.ChoiceField(label="Why", choices=REASONS, widget=forms.RadioSelect, initial="time")

    def prepare(self) -> None:
        self.offer("dice", Piece.DICE)

    def guidance(self) -> list[str]:
        reasons = self.scene.pack.law.void if self.scene.pack else {}
        if "damaged-dice" not in reasons:
            return []
        return [
            "If they are damaged, a shift manager determines which rounds were affected "
            f"(rule {reasons['damaged-dice'].clause})."
        ]

    def body(self, by: Staff) -> Body:
        return lines.DiceRemoved(dice=self.cleaned_data["dice"], reason=self.cleaned_data["reason"], by=by)


class ShakerPlacedForm(RecordForm):
    title, button = "Put a shaker to use", "Put to use"

    shaker = NameField(label="Shaker or tumbler")
    type = forms.ChoiceField(label="Which kind", choices=TYPES, widget=forms.RadioSelect)

    def guidance(self) -> list[str]:
        duty = self.scene.pack.duties.shaker_swap if self.scene.pack else None
        if duty is None:
            return []
        return [
            f"The {duty.removed} one leaves the table before a {duty.before_using} one is used (rule {duty.clause})."
        ]

    def body(self, by: Staff) -> Body:
        return lines.ShakerPlaced(shaker=self.cleaned_data["shaker"], type=self.cleaned_data["type"], by=by)


class ShakerRemovedForm(PieceLeaves):
    title = "Take a shaker away"

    shaker = forms.ChoiceField(label="Shaker or tumbler", widget=forms.RadioSelect)

    def prepare(self) -> None:
        self.offer("shaker", Piece.SHAKER)

    def body(self, by: Staff) -> Body:
        name = self.cleaned_data["shaker"]
        kind = next(each.type for each in present(self, Piece.SHAKER) if each.name == name)
        return lines.ShakerRemoved(shaker=name, type=kind, by=by)  # type: ignore[arg-type]


class ShoeChangedForm(RecordForm):
    title, button = "Change the shoe", "Change"

    shoe = NameField(label="New shoe")
    decks = forms.IntegerField(label="Decks in it", min_value=1, max_value=100)
    cards = forms.IntegerField(label="Cards in it", min_value=0, max_value=10_000, required=False)

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        before = present(self, Piece.SHOE)
        return lines.ShoeChanged(
            shoe=typed["shoe"], decks=typed["decks"], cards=typed["cards"],
            previous=before[0].name if before else None, by=by,
        )  # fmt: skip


class DeckCountForm(RecordForm):
    title, button = "Count the cards", "Record the count"

    shoe = NameField(label="Shoe")
    decks = forms.IntegerField(label="Decks in it", min_value=1, max_value=100)
    foreign = forms.IntegerField(label="Cards that do not belong", min_value=0, max_value=10_000, initial=0)

    def prepare(self) -> None:
        for face in range(1, 7):
            self.fields[f"face_{face}"] = forms.IntegerField(label=f"Cards with {face}", min_value=0, max_value=10_000)
        here = present(self, Piece.SHOE)
        if here:
            self.fields["shoe"].initial = here[0].name
        self.order_fields(["shoe", "decks", *(f"face_{face}" for face in range(1, 7)), "foreign"])

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        by_face = tuple(lines.FaceCount(face=face, cards=typed[f"face_{face}"]) for face in range(1, 7))
        counted = sum(each.cards for each in by_face) + typed["foreign"]
        return lines.DeckCount(
            shoe=typed["shoe"], decks=typed["decks"], cards=counted, by_face=by_face, foreign=typed["foreign"], by=by
        )  # fmt: skip


class ForeignCardForm(RecordForm):
    title = "Report a foreign card"

    shoe = NameField(label="Shoe")
    round = NameField(label="Round", required=False, help_text="The round in progress is void; earlier ones stand.")
    note = forms.CharField(label="What was found", max_length=300, required=False)

    def prepare(self) -> None:
        here = present(self, Piece.SHOE)
        if here:
            self.fields["shoe"].initial = here[0].name

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        return lines.ForeignCard(shoe=typed["shoe"], round=typed["round"] or None, note=typed["note"] or None, by=by)
