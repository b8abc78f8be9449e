"""What was examined, what was signalled, who looked at it: recorded. What came back each day: derived."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse

from compliance.analysis.fairness.statistics.dice_tests import TEST_LABELS
from compliance.core.accounts.ledger.person_act import PersonActModel
from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import Role
from rounds.ledger import LedgerModel, encode_timestamp

# Who looks at signals for others, in the order in which a person who holds several roles is taken to act.
MAY_MARK = (Role.INSPECTOR, Role.AUTHORITY_OFFICER, Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR)
# Figures are kept as texts of a few digits, because no record of the ledger has floats.
FIGURE, MONTH = r"^-?[0-9.]+(e[+-][0-9]+)?$", r"^([0-9]{4}-[0-9]{2})?$"
APPEND_ONLY = ("SELECT", "INSERT")
REBUILDABLE = ("SELECT", "INSERT", "UPDATE", "DELETE")


class SignalCode(models.TextChoices):
    FACES = "FAIR-FACES", "Results"
    RETURN = "FAIR-RETURN", "Returned to players"


class SubjectKind(models.TextChoices):
    DICE = "dice", "Dice set"
    SHAKER = "shaker", "Shaker"
    TABLE = "table", "Table"


class Examination(LedgerModel):
    """That a gaming day of a casino was examined: which subjects were due, each test, and what it was held to.

    Written once a day by the bell, with its entry, also where nothing was due; never changes; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    # Of each subject that was due: what it is, its rounds, and its tests with p-value and level, as texts.
    looks = models.JSONField(default=list)
    level = models.CharField(max_length=40)
    tests = models.PositiveIntegerField()
    examined_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["-gaming_day", "-pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["casino", "gaming_day"], name="fairness_day_examined_once"),
        ]

    def __str__(self) -> str:
        return f"{self.casino_id} {self.gaming_day}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "gaming_day": self.gaming_day.isoformat(),
            "looks": self.looks,
            "level": self.level,
            "tests": self.tests,
            "examined_at": encode_timestamp(self.examined_at),
        }


class LastTest(models.Model):
    """How a subject stood when it was last looked at: so that the page need not read years of examinations.

    A cache of examinations, written with them: no record, so not compared by `verify_ledger`, which compares the
    examinations themselves. `manage.py rebuild_fairness` makes it again."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    subject_kind = models.CharField(max_length=8, choices=SubjectKind.choices)
    subject = models.CharField(max_length=64)
    window = models.CharField(max_length=7, blank=True)
    rounds = models.PositiveIntegerField()
    examination = models.ForeignKey(Examination, models.PROTECT, related_name="+")
    # The rarest of its tests.
    test = models.CharField(max_length=16, choices=list(TEST_LABELS.items()))
    p_value = models.CharField(max_length=24)

    app_privileges = REBUILDABLE

    class Meta:
        db_table = "fairness_lastlook"
        ordering: ClassVar = ["subject_kind", "subject", "window"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["casino", "subject_kind", "subject", "window"], name="fairness_last_look_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject_kind} {self.subject}"

    @property
    def test_label(self) -> str:
        return TEST_LABELS[self.test]


class Signal(LedgerModel):
    """That chance alone would hardly give what a dice set, a shaker or a table gave. Nothing is proved by it.

    At most one for each code and subject in its window. Written with its entry by the bell that examined the day; never
    changes, opens nothing again; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    code = models.CharField(max_length=16, choices=SignalCode.choices)
    subject_kind = models.CharField(max_length=8, choices=SubjectKind.choices)
    subject = models.CharField(max_length=64)
    # The calendar month in which a shaker or table was counted; empty for dice, which are counted since they came.
    window = models.CharField(max_length=7, blank=True)
    gaming_day = models.DateField()
    test = models.CharField(max_length=16, choices=list(TEST_LABELS.items()))
    rounds = models.PositiveIntegerField()
    statistic = models.CharField(max_length=24)
    degrees = models.PositiveIntegerField()
    p_value = models.CharField(max_length=24)
    # What the p-value was held to, sharing the day's level with so many tests.
    level = models.CharField(max_length=24)
    tests = models.PositiveIntegerField()
    # Label, counted, expected, lower, upper: the picture.
    cells = models.JSONField()
    # {"dice", "table", "first", "last", "rounds"}: entries between which each set of dice concerned played there.
    played = models.JSONField()
    # {"table", "rules", "reason", "clause"} where the rules of a table void all affected rounds, and for what.
    voids = models.JSONField()
    found_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["-found_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "-found_at", "-id"], name="fairness_signal_of_casino")]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["casino", "code", "subject_kind", "subject", "window"], name="fairness_signal_once"
            ),
            models.CheckConstraint(condition=Q(code__in=list(SignalCode)), name="fairness_signal_code_known"),
            models.CheckConstraint(condition=Q(test__in=list(TEST_LABELS)), name="fairness_signal_test_known"),
            models.CheckConstraint(condition=Q(rounds__gt=0), name="fairness_signal_rests_on_rounds"),
            models.CheckConstraint(
                condition=Q(statistic__regex=FIGURE, p_value__regex=FIGURE, level__regex=FIGURE, window__regex=MONTH),
                name="fairness_signal_has_figures",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} of {self.subject}"

    @property
    def reference(self) -> str:
        return f"Signal {self.entry_index:,}"

    @property
    def test_label(self) -> str:
        return TEST_LABELS[self.test]

    @property
    def subject_label(self) -> str:
        return f"{self.get_subject_kind_display()} {self.subject}"

    def get_absolute_url(self) -> str:
        return reverse("fairness:signal", kwargs={"casino": self.log, "signal": self.entry_index})

    def entry_body(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "subject": {"kind": self.subject_kind, "name": self.subject, "window": self.window or None},
            "gaming_day": self.gaming_day.isoformat(),
            "test": self.test,
            "rounds": self.rounds,
            "statistic": self.statistic,
            "degrees": self.degrees,
            "p_value": self.p_value,
            "level": self.level,
            "tests": self.tests,
            "cells": self.cells,
            "played": self.played,
            "voids": self.voids,
            "found_at": encode_timestamp(self.found_at),
        }


class SignalAcknowledgement(PersonActModel):
    """That a person looked at a signal, and what they wrote about it. Never changes; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    signal = models.ForeignKey(Signal, models.PROTECT, related_name="seen")
    note = models.CharField(max_length=1_000)
    acted_as = models.CharField(max_length=32, choices=[(role.value, role.label) for role in MAY_MARK])

    read_with = ("signal",)
    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        db_table = "fairness_signalseen"
        abstract = False
        ordering: ClassVar = ["at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="fairness_signalseen_one_entry"),
            models.CheckConstraint(condition=~Q(note=""), name="fairness_seen_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.by_name}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {"signal": self.signal.entry_index, "note": self.note, "as": self.acted_as, **self.act_fields()}


class DailyReturn(models.Model):
    """What came back at a table on a gaming day, against the exact average: see drift.py.

    Derived from the audited rounds' columns when the day is examined. `bets` has a row for each bet and what its
    results are drawn from; `growth` is the purse's. A cache of what the audited rounds give, which `verify_ledger`
    compares; what was signalled by it is in the signal's own entry. `manage.py rebuild_fairness` makes it again."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    table = models.CharField(max_length=50)
    rounds = models.PositiveIntegerField()
    variance = models.FloatField()
    bets = models.JSONField()
    growth = models.JSONField()

    app_privileges = REBUILDABLE

    class Meta:
        db_table = "fairness_returnday"
        ordering: ClassVar = ["gaming_day", "table"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["casino", "gaming_day", "table"], name="fairness_return_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.gaming_day}"
