"""The form for a round from paper: the round, and one row per wager. Empty rows are ignored."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, get_args

from django import forms
from django.core.exceptions import ValidationError

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.core.web.ui.forms import LocalDateTimeField, doubts_about_time, set_zone
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.intake.api.rule_sets import EQUIPMENT_WORDS, OPTIONAL_EVENTS
from rounds.intake.pages.paper_wager_rows import NAME, ORDINARY, STREAK, RowKind, filled_rows, group_by_rules
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.round import NoResult, Round, RoundEvent, RoundEventName, Wager
from rounds.intake.summaries import EVENT_LABELS
from rounds.rulebook.labels import void_reason_label
from rounds.rulebook.selectors import pack_of, versions_in_force

# A gaming day may end after midnight.
ONE_DAY = timedelta(days=1)
TIME_FIELDS = ("bets_open_at", "no_more_bets_at", "tumbled_at", "uncovered_at")
# Events whose times these fields take; `no-more-bets` is what closes betting under the rules of the table.
TIME_FIELD_EVENTS = frozenset({"bets-open", "no-more-bets", "tumbled", "uncovered", "drawn"})


class PaperRoundForm(forms.Form):
    table = forms.ModelChoiceField(Table.objects.none(), label="Table", empty_label=None)
    round = forms.RegexField(
        NAME,
        label="Number of the round",
        help_text="As it stands on the paper: letters, figures, dots, hyphens.",
        error_messages={"invalid": "Use letters, figures, dots, colons and hyphens only."},
    )
    gaming_day = forms.DateField(label="Gaming day", widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    bets_open_at = LocalDateTimeField(label="Bets were opened")
    no_more_bets_at = LocalDateTimeField(label="Betting was closed", required=False)
    tumbled_at = LocalDateTimeField(label="The dice were tumbled or shaken", required=False)
    tumbles = forms.IntegerField(label="How often they were", required=False, min_value=0, max_value=100)
    uncovered_at = LocalDateTimeField(label="The dice were uncovered or the cards drawn", required=False)
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
    no_result = forms.ChoiceField(label="Why there was no result", required=False)
    why = forms.CharField(
        label="Why was it written on paper?",
        max_length=500,
        widget=forms.Textarea({"rows": 2}),
        help_text="For example: controller out of order from 20:10 to 20:55.",
        error_messages={"required": "Say why no controller reported this round."},
    )

    def __init__(self, *args: Any, casino: Casino, rows: int, streak_rows: int, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now
        packs = [pack_of(version) for version in versions_in_force(casino, now).values()]
        has_streaks = any(pack.law.streak is not None for pack in packs)
        self.rows = {ORDINARY: rows, STREAK: streak_rows if has_streaks else 0}
        self.event_fields = {f"event-{name}": name for name in get_args(RoundEventName) if _asked_by(packs, name)}
        for field, name in self.event_fields.items():
            asked_by = "; ".join(_asked_by(packs, name))
            self.fields[field] = LocalDateTimeField(
                label=EVENT_LABELS[name], required=False, help_text=f"Asked for by {asked_by}."
            )
        reasons = [(name, void_reason_label(name)) for name in get_args(engine_pack.VoidReasonName)]
        known = {name for pack in packs for name in pack.law.void}
        self.fields["no_result"].choices = [("", "There was a result"), *group_by_rules(reasons, known)]  # type: ignore[attr-defined]
        self.fields["no_more_bets_at"].help_text = _closing_text(packs)
        self.fields["table"].queryset = Table.objects.filter(casino=casino)  # type: ignore[attr-defined]
        set_zone(self, casino.zone)
        bets = {bet for pack in packs for wager in pack.law.wager.values() for bet in wager.bets}
        for kind, count in self.rows.items():
            for row in range(1, count + 1):
                self.fields.update(kind.fields(row, casino.zone, bets))

    @property
    def own_fields(self) -> list[forms.BoundField]:
        names = list(self.base_fields)
        place = names.index("outcome")
        return [self[name] for name in (*names[:place], *self.event_fields, *names[place:])]

    @property
    def wager_rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        return self._bound_rows(ORDINARY)

    @property
    def streak_rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        return self._bound_rows(STREAK)

    def _bound_rows(self, kind: RowKind) -> list[tuple[int, list[forms.BoundField]]]:
        return [(row, [self[name] for name in kind.field_names(row)]) for row in range(1, self.rows[kind] + 1)]

    def clean(self) -> dict[str, Any]:
        self._check_result()
        self._check_times()
        self._check_wager_rows()
        if not self.errors:
            try:
                self.played = self._build_round()
                self.played.check()
            except MalformedLine as problem:
                raise ValidationError(problem.sentence, code=problem.code) from problem
        return self.cleaned_data

    def doubts(self) -> list[str]:
        """Amounts, names and the order of events are left to the audit, which says what is due."""
        typed = self.cleaned_data
        table, opened_at = typed["table"], typed["bets_open_at"]
        zone = table.casino.zone
        doubts = doubts_about_time(opened_at, zone, self.now)
        if opened_at < table.added_at:
            doubts.append(f"{table} is on record only since {format_local(table.added_at, zone)}.")
        played_on = opened_at.astimezone(zone).date()
        if not timedelta(0) <= played_on - typed["gaming_day"] <= ONE_DAY:
            doubts.append(
                f"Bets were opened on {played_on:%-d %b %Y}, and the gaming day is {typed['gaming_day']:%-d %b %Y}."
            )
        return doubts

    def _check_result(self) -> None:
        typed = self.cleaned_data
        if typed.get("outcome") == "none":
            if not typed.get("no_result"):
                self.add_error("no_result", "Choose why there was no result.")
        elif not typed.get("faces") and "faces" not in self.errors:
            self.add_error("faces", "Enter the three numbers, or choose that there was no result.")

    def _check_times(self) -> None:
        typed = self.cleaned_data
        for name in (*TIME_FIELDS, *self.event_fields):
            at = typed.get(name)
            if at is not None and at > self.now:
                self.add_error(name, "This lies ahead. Enter when it happened.")
        if typed.get("tumbles") is not None and typed.get("tumbled_at") is None and "tumbled_at" not in self.errors:
            self.add_error("tumbled_at", "Enter when the dice were tumbled or shaken.")
        if typed.get("table") and typed.get("bets_open_at") and typed.get("no_more_bets_at"):
            closing = f"event-{self._closing_event_name()}"
            if typed.get(closing):
                self.add_error(
                    closing, "At this table it is what closed betting. Enter it once, as “Betting was closed”."
                )

    def _check_wager_rows(self) -> None:
        for kind, count in self.rows.items():
            for row in filled_rows(kind, count, self.cleaned_data):
                for name, sentence in row.validation_errors():
                    if name not in self.errors:
                        self.add_error(name, sentence)

    def _build_round(self) -> Round:
        typed = self.cleaned_data
        faces = tuple(int(one) for one in typed["faces"] if one.isdigit()) or None
        outcome = typed["outcome"]
        return Round(
            round=typed["round"],
            gaming_day=typed["gaming_day"],
            events=tuple(sorted(self._build_events(), key=lambda event: event.at)),
            wagers=tuple(self._build_wagers()),
            dice=faces if outcome == "dice" else None,  # type: ignore[arg-type]
            cards=faces if outcome == "cards" else None,  # type: ignore[arg-type]
            no_result=NoResult(reason=typed["no_result"]) if outcome == "none" else None,
        )

    def _build_events(self) -> Iterator[RoundEvent]:
        """The events in the usual order. Sorting by time is stable, so events in the same minute keep this order."""
        typed = self.cleaned_data
        yield RoundEvent(name="bets-open", at=typed["bets_open_at"])
        if typed["no_more_bets_at"]:
            yield RoundEvent(name=self._closing_event_name(), at=typed["no_more_bets_at"])
        if typed["tumbled_at"]:
            yield RoundEvent(name="tumbled", at=typed["tumbled_at"], count=typed["tumbles"])
        if typed["uncovered_at"]:
            yield RoundEvent(name="drawn" if typed["outcome"] == "cards" else "uncovered", at=typed["uncovered_at"])
        for field, name in self.event_fields.items():
            if typed[field]:
                yield RoundEvent(name=name, at=typed[field])

    def _closing_event_name(self) -> RoundEventName:
        """The event that closes betting under the table's rules, such as a call, a bell or a display."""
        pack = pack_for(self.cleaned_data["table"], self.cleaned_data["bets_open_at"])
        closing: RoundEventName = pack.conduct.no_more_bets.events[0] if pack else "no-more-bets-called"  # type: ignore[assignment]
        return closing

    def _build_wagers(self) -> Iterator[Wager]:
        for kind, count in self.rows.items():
            for row in filled_rows(kind, count, self.cleaned_data):
                yield row.to_wager(self.cleaned_data["bets_open_at"])


def _closing_text(packs: Collection[Pack]) -> str:
    """As which event the close of betting is recorded under each of the rule sets."""
    closing = {pack.title: EVENT_LABELS[pack.conduct.no_more_bets.events[0]] for pack in packs}
    listed = "; ".join(f"{label} ({title})" for title, label in closing.items())
    return f"By what closes it under the rules of the table: {listed}." if listed else ""


def _asked_by(packs: Collection[Pack], event: str) -> list[str]:
    """The rule sets, with their clauses, that ask for an event which the other fields of the form do not take."""
    clauses = {pack.title: [*dict.fromkeys(_clauses_asking(pack.conduct, event))] for pack in packs}
    return [f"{title}, {' and '.join(asking)}" for title, asking in clauses.items() if asking]


def _clauses_asking(conduct: engine_pack.Conduct, event: str) -> Iterator[str]:
    """The clauses that require the event in every round with a result or place it before another one. Those about
    lights and payments are left out, because a round may lack these events."""
    closing = conduct.no_more_bets.events[0]
    if event in TIME_FIELD_EVENTS or event == closing or event in OPTIONAL_EVENTS:
        return
    for required in conduct.required_events:
        if event in required.any_of and closing not in required.any_of and required.after is None:
            yield _clause_with_equipment(required.clause, required.only_with)
    for step in conduct.order:
        if event == step.first:
            yield _clause_with_equipment(step.clause, step.only_with)


def _clause_with_equipment(clause: str, only_with: str) -> str:
    return f"{clause} {EQUIPMENT_WORDS[only_with]}" if only_with else clause
