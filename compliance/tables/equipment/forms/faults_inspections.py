"""Forms for faults, their repair, and inspections."""

import re
from typing import Any

from django import forms

from compliance.core.accounts.roles import Role
from compliance.tables.equipment.duties import fault_duty
from compliance.tables.equipment.forms.base import NameField, RecordForm, choices_from
from compliance.tables.equipment.projections import Fault
from rounds.engine import pack as engine_pack
from rounds.floor.facts.gaming_days import shift_at
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.fields import Body, Faces, Staff
from rounds.rulebook.selectors import roles_for_title

EQUIPMENT = choices_from(
    "electrical-device",
    "touch-screen",
    "entry-terminal",
    "tumbler",
    "automated-shaker",
    "manual-shaker",
    "display",
    "terminal",
    "sign",
    "shoe",
    "other",
)
EFFECTS = choices_from("not-lit", "lit-wrongly", "failed", "broken", "power", "other")
OCCASIONS = choices_from("before-opening", "start-of-shift", "after-repair")
ITEMS = choices_from("electrical-device", "automated-shaker")


class FaultForm(RecordForm):
    title, button = "Report a fault", "Report the fault"
    is_in_play = True

    equipment = forms.ChoiceField(label="What fails", choices=EQUIPMENT)
    effect = forms.ChoiceField(label="How", choices=EFFECTS, widget=forms.RadioSelect)
    ceased = forms.BooleanField(label="Play has stopped", required=False)
    witnessed = forms.BooleanField(label="The wagers on the layout were settled in my presence", required=False)
    round = NameField(label="Round", required=False)
    note = forms.CharField(label="What happened", max_length=300, required=False, widget=forms.Textarea({"rows": 3}))

    def guidance(self) -> list[str]:
        duty = fault_duty(self.table_context.table, self.table_context.now, "electrical-device", "not-lit")
        sentences = []
        if duty.told:
            sentences.append(
                f"Where the result is not lit or lit wrongly: {duty.notification_text} "
                "For an earlier time, the rules in force at that time apply."
            )
        if duty.witness:
            sentences.append(f"The wagers are settled in the presence of the {duty.witness} (rule {duty.clause}).")
        if duty.stops_play:
            sentences.append(f"No further play until it is mended (rule {duty.clause}).")
        return sentences

    def doubts(self) -> list[str]:
        """Also what the rules in force at an earlier time do not say, and those in force now do."""
        table, typed, now = self.table_context.table, self.cleaned_data, self.table_context.now
        duty, today = (fault_duty(table, at, typed["equipment"], typed["effect"]) for at in (typed["at"], now))
        stops = f"By the rules in force now there is no play until it is mended (rule {today.clause})."
        return [
            *super().doubts(),
            *([stops] if today.stops_play and not duty.stops_play else ()),
            *([duty.notification_text] if today.told and not duty.told else ()),
        ]

    def outcome(self) -> str:
        typed = self.cleaned_data
        duty = fault_duty(self.table_context.table, typed["at"], typed["equipment"], typed["effect"])
        return duty.notification_text

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        return lines.Fault(
            fault=f"P-{typed['at']:%Y%m%dT%H%M%S}",
            equipment=typed["equipment"],
            effect=typed["effect"],
            round=typed["round"] or None,
            note=typed["note"] or None,
            by=by,
            settled_before=by if typed["witnessed"] else None,
            play_ceased_at=typed["at"] if typed["ceased"] else None,
        )


class FaultClearedForm(RecordForm):
    title, button = "Record a repair", "It is mended"

    fault = forms.ChoiceField(label="Fault", widget=forms.RadioSelect)
    note = forms.CharField(label="What was done, and how it was tried", max_length=300)

    def prepare(self) -> None:
        table = self.table_context.table
        failing = Fault.objects.filter(log=table.casino.slug, table=table.slug).not_repaired().order_by("at")
        field: Any = self.fields["fault"]
        field.choices = [
            (fault.name, f"{fault.equipment.replace('-', ' ')}, {fault.effect.replace('-', ' ')} ({fault.name})")
            for fault in failing
        ]
        if len(field.choices) == 1:
            field.initial = field.choices[0][0]

    def body(self, by: Staff) -> Body:
        return lines.FaultCleared(fault=self.cleaned_data["fault"], note=self.cleaned_data["note"], by=by)


class InspectionForm(RecordForm):
    """One inspected item: occasion, number of trials, numbers used, outcome."""

    title, button = "Try the equipment", "Record the inspection"

    item = forms.ChoiceField(label="What was tried", choices=ITEMS, widget=forms.RadioSelect)
    occasion = forms.ChoiceField(label="When in the day", choices=OCCASIONS, widget=forms.RadioSelect)
    trials = forms.IntegerField(label="How often", min_value=0, max_value=1_000)
    entered = forms.CharField(
        label="Numbers entered",
        required=False,
        max_length=200,
        help_text="For the electrical device: the three values of each trial, such as 1 2 3, one trial a comma.",
    )
    passed = forms.TypedChoiceField(
        label="Did it work every time?",
        choices=[("yes", "Yes"), ("no", "No")],
        widget=forms.RadioSelect,
        coerce=lambda word: word == "yes",
    )

    def duties(self) -> tuple[engine_pack.InspectionDuty, ...]:
        return (self.table_context.pack.duties.inspections or ()) if self.table_context.pack else ()

    def guidance(self) -> list[str]:
        return [
            f"{duty.when.replace('-', ' ').capitalize()}: the {duty.inspected_by} tries the "
            f"{duty.item.replace('-', ' ')}, at least {_repetitions_text(duty.trials)} (rule {duty.clause})."
            for duty in self.duties()
        ]

    def clean_entered(self) -> tuple[Faces, ...]:
        groups = [group for group in re.split(r"[,;/]", self.cleaned_data["entered"]) if group.strip()]
        trials = [re.findall(r"\d+", group) for group in groups]
        if any(len(faces) != 3 or not {*faces} <= {*"123456"} for faces in trials):
            raise forms.ValidationError("Enter three values from 1 to 6 for each trial, such as 1 2 3, 4 4 4.")
        return tuple((int(a), int(b), int(c)) for a, b, c in trials)

    def preferred_roles(self) -> tuple[Role, ...]:
        typed, pack = self.cleaned_data, self.table_context.pack
        fitting = [duty for duty in self.duties() if (duty.item, duty.when) == (typed["item"], typed["occasion"])]
        return roles_for_title(pack, fitting[0].inspected_by) if pack and fitting else ()

    def body(self, by: Staff) -> Body:
        typed = self.cleaned_data
        shift = shift_at(self.table_context.table.casino, typed["at"])
        return lines.Inspection(
            item=typed["item"],
            occasion=typed["occasion"],
            trials=typed["trials"],
            passed=typed["passed"],
            by=by,
            entered=typed["entered"],
            shift=_to_ledger_name(shift.name) if shift else None,
        )


def _to_ledger_name(text: str) -> str | None:
    """Converts a shift's name to the spelling of names in the ledger."""
    return re.sub(r"[^A-Za-z0-9._:-]+", "-", text).strip("-")[:64] or None


def _repetitions_text(trials: int) -> str:
    return "once" if trials == 1 else f"{trials} times"
