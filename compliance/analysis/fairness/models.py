"""Ledger records of examinations, signals and acknowledgements; derived rows of last tests and daily returns."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.analysis.fairness.statistics.dice_tests import TEST_LABELS
from compliance.core.accounts.ledger.person_act import PersonActModel
from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import Role
from compliance.core.web.ui.links import casino_url
from rounds.ledger import LedgerModel, WithdrawableModel, encode_timestamp

# Roles that may acknowledge signals. For a person with several, the first in this order is recorded.
MAY_ACKNOWLEDGE = (Role.INSPECTOR, Role.AUTHORITY_OFFICER, Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR)
# Figures are stored as short texts, because ledger entries contain no floats.
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
    """A gaming day of a casino was examined: which subjects were due, and each test with its level.

    Written once per day by the Celery task, with its entry, even where nothing was due. Never changes; kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    # For each subject that was due: name, rounds, and tests with p-value and level as texts.
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
    """The last test of a subject, so that the page need not read years of examinations.

    A cache of Examination, updated with it; not a ledger record, so `verify_ledger` compares the examinations instead.
    Rebuilt by `manage.py rebuild_fairness`.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    subject_kind = models.CharField(max_length=8, choices=SubjectKind.choices)
    subject = models.CharField(max_length=64)
    window = models.CharField(max_length=7, blank=True)
    rounds = models.PositiveIntegerField()
    examination = models.ForeignKey(Examination, models.PROTECT, related_name="+")
    # The test with the smallest p-value.
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
    def tested_label(self) -> str:
        return TEST_LABELS[self.test]


class Signal(LedgerModel):
    """A dice set, shaker or table gave results that chance alone would hardly give. It proves nothing.

    At most one per code, subject and window. Written with its entry by the task that examined the day. Never changes,
    triggers no re-audit; kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    code = models.CharField(max_length=16, choices=SignalCode.choices)
    subject_kind = models.CharField(max_length=8, choices=SubjectKind.choices)
    subject = models.CharField(max_length=64)
    # The calendar month that was counted for a shaker or table. Empty for dice, which are counted since their first
    # round.
    window = models.CharField(max_length=7, blank=True)
    gaming_day = models.DateField()
    test = models.CharField(max_length=16, choices=list(TEST_LABELS.items()))
    rounds = models.PositiveIntegerField()
    statistic = models.CharField(max_length=24)
    degrees = models.PositiveIntegerField()
    p_value = models.CharField(max_length=24)
    # The significance level of this test, which shares the day's level with `tests` tests.
    level = models.CharField(max_length=24)
    tests = models.PositiveIntegerField()
    # Label, counted, expected, lower, upper: the points of the chart.
    cells = models.JSONField()
    # {"dice", "table", "first", "last", "rounds"}: the range of entries in which each dice set was in use.
    played = models.JSONField()
    # {"table", "rules", "reason", "clause"}: where a table's rules void all affected rounds, and for which reason.
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
    def tested_label(self) -> str:
        return TEST_LABELS[self.test]

    @property
    def subject_label(self) -> str:
        return f"{self.get_subject_kind_display()} {self.subject}"

    def get_absolute_url(self) -> str:
        return casino_url("fairness:signal", self.log, signal=self.entry_index)

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


class SignalAcknowledgement(PersonActModel, WithdrawableModel):
    """A person acknowledged a signal with a note. Written by acknowledge_signal; never changes; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    signal = models.ForeignKey(Signal, models.PROTECT, related_name="seen")
    note = models.CharField(max_length=1_000)
    acted_as = models.CharField(max_length=32, choices=[(role.value, role.label) for role in MAY_ACKNOWLEDGE])

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
    """Money returned at a table on a gaming day, against the exact average: see statistics/payout_drift.py.

    A cache, derived from the audited rounds when the day is examined. `bets` has a row per bet and basis; `growth` is
    the log of the test's betting score. Signals based on it carry their own figures. Rebuilt by `manage.py
    rebuild_fairness`.
    """

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
