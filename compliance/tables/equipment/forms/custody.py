"""Forms for dice, shakers and shoes placed at a table or removed from it, card counts and foreign cards."""

from typing import Any

from django import forms

from compliance.tables.equipment.forms.base import NameField, RecordForm, choices_from
from compliance.tables.equipment.projections import Custody, Piece
from rounds.engine import DAMAGED_DICE, judge_later_void
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.fields import Body, Staff

REASONS = choices_from("time", "damaged", "closing", "inspection", "other")
TYPES = choices_from("manual", "automated")


def pieces_at_table(form: RecordForm, piece: Piece) -> list[Custody]:
    table = form.table_context.table
    here = Custody.objects.filter(log=table.casino.slug, table=table.slug).of_piece(piece).at_table()
    return list(here.order_by("-at"))


class RemovalForm(RecordForm):
    """Chooses among the pieces at the table. A single piece is preselected."""

    button = "Take away"

    def set_piece_choices(self, name: str, piece: Piece) -> None:
        field: Any = self.fields[name]
        field.choices = [(each.name, f"{each.name} {each.type}".strip()) for each in pieces_at_table(self, piece)]
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
        duty = self.table_context.pack.duties.dice_custody if self.table_context.pack else None
        if duty is None:
            return []
        return [f"They may stay at the table for {duty.at_most_hours} hours, closed hours too (rule {duty.clause})."]

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        return lines.DicePlaced(dice=typed["dice"], shaker=typed["shaker"] or None, sealed=typed["sealed"], by=by)


class DiceRemovedForm(RemovalForm):
    title = "Take dice away"

    dice = forms.ChoiceField(label="Set of dice", widget=forms.RadioSelect)
    reason = forms.ChoiceField(label="Why", choices=REASONS, widget=forms.RadioSelect, initial="time")

    def prepare(self) -> None:
        self.set_piece_choices("dice", Piece.DICE)

    def guidance(self) -> list[str]:
        pack = self.table_context.pack
        judged = judge_later_void(pack, DAMAGED_DICE) if pack else None
        if judged is None or not judged.is_void:
            return []
        return [f"If they are damaged, a shift manager determines which rounds were affected (rule {judged.clause})."]

    def body(self, by: Staff) -> Body:
        return lines.DiceRemoved(dice=self.cleaned_data["dice"], reason=self.cleaned_data["reason"], by=by)


class ShakerPlacedForm(RecordForm):
    title, button = "Put a shaker to use", "Put to use"

    shaker = NameField(label="Shaker or tumbler")
    type = forms.ChoiceField(label="Which kind", choices=TYPES, widget=forms.RadioSelect)

    def guidance(self) -> list[str]:
        duty = self.table_context.pack.duties.shaker_swap if self.table_context.pack else None
        if duty is None:
            return []
        return [
            f"The {duty.removed} one leaves the table before a {duty.before_using} one is used (rule {duty.clause})."
        ]

    def body(self, by: Staff) -> Body:
        return lines.ShakerPlaced(shaker=self.cleaned_data["shaker"], type=self.cleaned_data["type"], by=by)


class ShakerRemovedForm(RemovalForm):
    title = "Take a shaker away"

    shaker = forms.ChoiceField(label="Shaker or tumbler", widget=forms.RadioSelect)

    def prepare(self) -> None:
        self.set_piece_choices("shaker", Piece.SHAKER)

    def body(self, by: Staff) -> Body:
        name = self.cleaned_data["shaker"]
        kind = next(each.type for each in pieces_at_table(self, Piece.SHAKER) if each.name == name)
        return lines.ShakerRemoved(shaker=name, type=kind, by=by)  # type: ignore[arg-type]


class ShoeChangedForm(RecordForm):
    title, button = "Change the shoe", "Change"

    shoe = NameField(label="New shoe")
    decks = forms.IntegerField(label="Decks in it", min_value=1, max_value=100)
    cards = forms.IntegerField(label="Cards in it", min_value=0, max_value=10_000, required=False)

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        before = pieces_at_table(self, Piece.SHOE)
        return lines.ShoeChanged(
            shoe=typed["shoe"],
            decks=typed["decks"],
            cards=typed["cards"],
            previous=before[0].name if before else None,
            by=by,
        )


class DeckCountForm(RecordForm):
    title, button = "Count the cards", "Record the count"

    shoe = NameField(label="Shoe")
    decks = forms.IntegerField(label="Decks in it", min_value=1, max_value=100)
    foreign = forms.IntegerField(label="Cards that do not belong", min_value=0, max_value=10_000, initial=0)

    def prepare(self) -> None:
        for face in range(1, 7):
            self.fields[f"face_{face}"] = forms.IntegerField(label=f"Cards with {face}", min_value=0, max_value=10_000)
        here = pieces_at_table(self, Piece.SHOE)
        if here:
            self.fields["shoe"].initial = here[0].name
        self.order_fields(["shoe", "decks", *(f"face_{face}" for face in range(1, 7)), "foreign"])

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        by_face = tuple(lines.FaceCount(face=face, cards=typed[f"face_{face}"]) for face in range(1, 7))
        counted = sum(each.cards for each in by_face) + typed["foreign"]
        return lines.DeckCount(
            shoe=typed["shoe"], decks=typed["decks"], cards=counted, by_face=by_face, foreign=typed["foreign"], by=by
        )


class ForeignCardForm(RecordForm):
    title = "Report a foreign card"

    shoe = NameField(label="Shoe")
    round = NameField(label="Round", required=False)
    note = forms.CharField(label="What was found", max_length=300, required=False)

    def guidance(self) -> list[str]:
        rules = self.table_context.pack.law.void if self.table_context.pack else {}
        clauses = [rule.clause for name, rule in rules.items() if name == "foreign-card"]
        return [f"The round in progress is void (rule {clause})." for clause in clauses]

    def prepare(self) -> None:
        here = pieces_at_table(self, Piece.SHOE)
        if here:
            self.fields["shoe"].initial = here[0].name

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        return lines.ForeignCard(shoe=typed["shoe"], round=typed["round"] or None, note=typed["note"] or None, by=by)
