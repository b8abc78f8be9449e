"""Base form of manual records: time, acting person, and conversion of names to the ledger's spelling."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.core.validators import RegexValidator

from compliance.core.accounts.roles import Role
from compliance.core.web.ui.forms import LocalDateTimeField, doubts_about_time, set_zone
from compliance.tables.equipment.forms.plausibility import doubts_about_opening, doubts_about_round
from rounds.engine import Pack
from rounds.floor.models import Table
from rounds.intake.protocol.fields import Body, Staff

NAME = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}\Z", "Use letters, figures, dots, colons and hyphens, such as set-0912."
)
SLUG = RegexValidator(r"^[a-z0-9][a-z0-9-]{0,49}\Z", "Use small letters, figures and hyphens, such as dark-blue.")
PSEUDONYM = RegexValidator(
    r"^[a-z][a-z0-9-]{0,39}\Z", "Use the player's mark of the day, such as p-07. Never a name, never a card number."
)


class NameField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TextInput({"autocapitalize": "none", "spellcheck": "false"}))
        super().__init__(max_length=64, validators=[NAME], **kwargs)


@dataclass(frozen=True)
class TableContext:
    """What a form knows of the table that it is filled in for."""

    table: Table
    pack: Pack | None
    now: datetime


class RecordForm(forms.Form):
    """`title` is the page heading, `button` the submit label. `body` returns the body of the entry for the acting
    person and role."""

    title: ClassVar[str]
    button: ClassVar[str] = "Record"
    # Whether it happens only while the table is open.
    is_in_play: ClassVar[bool] = False
    # Roles that the rules require for this record, if any.
    at = LocalDateTimeField(label="When")

    def __init__(self, *args: Any, table_context: TableContext, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table_context = table_context
        set_zone(self, table_context.table.casino.zone)
        self.fields["at"].initial = table_context.now
        self.order_fields([name for name in self.fields if name != "at"])
        self.prepare()

    def prepare(self) -> None:
        """Hook for what depends on the table: choices and hints."""

    def clean_at(self) -> datetime:
        """Forms have minute precision: a time within the current minute means now."""
        at: datetime = self.cleaned_data["at"]
        is_this_minute = at.replace(second=0, microsecond=0) == self.table_context.now.replace(second=0, microsecond=0)
        at = self.table_context.now if is_this_minute else at
        if at > self.table_context.now:
            raise forms.ValidationError("That time has not come yet. Enter when it happened, at the latest now.")
        return at

    def doubts(self) -> list[str]:
        """Implausible input, pointed out before it is recorded."""
        table, at = self.table_context.table, self.cleaned_data["at"]
        return [
            *doubts_about_time(at, table.casino.zone, self.table_context.now),
            *(doubts_about_opening(table, at) if self.is_in_play else ()),
            *doubts_about_round(table, self.cleaned_data.get("round", "")),
        ]

    def preferred_roles(self) -> tuple[Role, ...]:
        return ()

    @abstractmethod
    def body(self, by: Staff) -> Body:
        """The input as the body of a controller's line."""

    def outcome(self) -> str:
        """What else follows from the record, in one sentence."""
        return ""

    def guidance(self) -> list[str]:
        """What the rules in force say about this record, one sentence each."""
        return []


def choices_from(*values: str) -> list[tuple[str, str]]:
    return [(value, value.replace("-", " ").capitalize()) for value in values]
