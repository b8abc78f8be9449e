"""Forms for closing and reopening a table."""

from datetime import timedelta
from typing import Any

from django import forms

from compliance.core.web.local_time import format_local
from compliance.core.web.ui.forms import LocalDateTimeField, ReasonField, set_zone
from compliance.tables.closures.closing_rules import ClosingRule
from compliance.tables.closures.table_activity import recent_rounds

SOONEST, AT_TIME = "soonest", "then"
YES_NO = [("yes", "Yes"), ("no", "No")]
# Wagers this recent are pointed out if nobody is said to be at the table.
JUST_PLAYED = timedelta(minutes=5)


class OccupancyForm(forms.Form):
    """Declared by the supervisor at the table. The page shows the recent rounds next to it, to check it against."""

    players_present = forms.ChoiceField(label="Are players at the table?", widget=forms.RadioSelect, choices=YES_NO)
    streak_in_progress = forms.ChoiceField(
        label="Is a Super Streak game in progress?", widget=forms.RadioSelect, choices=YES_NO
    )

    def __init__(self, *args: Any, rule: ClosingRule, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rule = rule
        if not rule.offers_streaks:
            del self.fields["streak_in_progress"]

    def occupancy(self) -> dict[str, bool]:
        typed = self.cleaned_data
        return {
            "players_present": typed["players_present"] == "yes",
            "streak_in_progress": typed.get("streak_in_progress") == "yes",
        }

    def doubts(self) -> list[str]:
        if self.cleaned_data["players_present"] == "yes":
            return []
        since, casino = self.rule.now - JUST_PLAYED, self.rule.table.casino
        return [
            f"Round {each.name} had {each.wagers} wager{'s' if each.wagers > 1 else ''} on "
            f"{format_local(each.at, casino)}, and you say that no players are at the table."
            for each in recent_rounds(self.rule.table)
            if each.wagers and each.at >= since
        ][:1]


class AnnounceForm(OccupancyForm):
    when = forms.ChoiceField(
        label="When does it close?",
        widget=forms.RadioSelect,
        initial=SOONEST,
        choices=[(SOONEST, "As soon as the rules allow"), (AT_TIME, "At this time")],
    )
    closes_at = LocalDateTimeField(label="Time of closing", required=False)
    reason = forms.CharField(label="Note", max_length=500, required=False, widget=forms.Textarea({"rows": 2}))

    def __init__(self, *args: Any, rule: ClosingRule, **kwargs: Any) -> None:
        super().__init__(*args, rule=rule, **kwargs)
        set_zone(self, rule.table.casino.zone)
        self.initial.setdefault("closes_at", rule.suggested_at)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("when") == AT_TIME and not typed.get("closes_at") and "closes_at" not in self.errors:
            self.add_error("closes_at", "Enter the time of closing.")
        return typed


class EmergencyForm(OccupancyForm):
    reason = ReasonField(
        500, help_text="It is kept with the record, and inspectors read it.", label="What is the emergency?"
    )
