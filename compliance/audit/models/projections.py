"""Projections of the ledger, which the audit reads instead of entries. Written by the consumer, rebuilt by commands."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models


class PackedRound(models.Model):
    """A round as binary columns, so that a million wagers can be read at once. A projection of `round` entries.

    Written by the audit's consumer; changes only in `taken_back_index`. Rebuilt by `manage.py repack_rounds`;
    `verify_ledger` compares it with the entries. Kept as long as the entries.
    """

    log = models.TextField()
    entry_index = models.BigIntegerField()
    table = models.TextField()
    round = models.TextField()
    gaming_day = models.DateField()
    # From the first event to the last, or to the last wager placed after that.
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    # Index into the engine's outcomes; -1 where the round has none.
    outcome = models.SmallIntegerField()
    tumbles = models.IntegerField(null=True, blank=True)
    # Whether the columns encode the whole round: one result, reported the same everywhere; lights that worked; no
    # player with limits of their own.
    is_plain = models.BooleanField()
    is_void = models.BooleanField()
    have_lights_failed = models.BooleanField()
    events = models.BinaryField()
    wagers = models.BinaryField()
    # The correction that took the round back, by a controller or a person.
    taken_back_index = models.BigIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["log", "entry_index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="audit_packedround_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["log", "table", "started_at"], name="audit_packedround_of_table"),
            models.Index(fields=["log", "table", "ended_at"], name="audit_packedround_ended"),
            models.Index(fields=["log", "table", "gaming_day"], name="audit_packedround_of_day"),
        ]

    def __str__(self) -> str:
        return f"{self.log}/{self.entry_index}"


class OpenedStreak(models.Model):
    """Where a Super Streak wager was placed. It is settled in a later round, by the results in between.

    A projection of `round` entries, written and rebuilt together with PackedRound; never changed.
    """

    log = models.TextField()
    entry_index = models.BigIntegerField()
    table = models.TextField()
    wager = models.TextField()
    gaming_day = models.DateField()

    class Meta:
        ordering: ClassVar = ["log", "entry_index", "wager"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index", "wager"], name="audit_openedstreak_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["log", "table", "wager"], name="audit_openedstreak_wager")]

    def __str__(self) -> str:
        return f"{self.log}/{self.entry_index} {self.wager}"


class VoidedRound(models.Model):
    """A later decision about a settled round: the round or some wagers are void, wagers are forfeited, stakes were
    refunded.

    A projection of decision entries, written by the audit's consumer and rebuilt together with PackedRound. Deleted
    when the decision is taken back.
    """

    log = models.TextField()
    entry_index = models.BigIntegerField()
    set_index = models.BigIntegerField()
    # Why the whole round is void. Empty where only some wagers are, or where stakes were refunded.
    reason = models.CharField(max_length=50, blank=True)
    # Cents by wager id.
    refunds = models.JSONField(default=dict)
    # Wager ids.
    voided = models.JSONField(default=list)
    forfeited = models.JSONField(default=list)
    at = models.DateTimeField()
    decided_as = models.CharField(max_length=32, blank=True)

    class Meta:
        ordering: ClassVar = ["log", "entry_index", "set_index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index", "set_index"], name="audit_voidedround_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["log", "set_index"], name="audit_voidedround_by_set")]

    def __str__(self) -> str:
        return f"{self.log}/{self.entry_index} by {self.set_index}"


class TimelineEvent(models.Model):
    """An entry other than a round: its kind, its table, and when it happened.

    A projection of the log, written by the audit's consumer; changes only in `taken_back_index`. Rebuilt together with
    PackedRound. Timeline checks use it to find earlier entries; their content is read from the entries.
    """

    log = models.TextField()
    entry_index = models.BigIntegerField()
    kind = models.TextField()
    # Empty where it concerns no single table.
    table = models.TextField(blank=True)
    # By the controller's clock. For people's records: the time the entry states, or when it was recorded.
    at = models.DateTimeField()
    taken_back_index = models.BigIntegerField(null=True, blank=True)

    class Meta:
        db_table = "audit_happening"
        ordering: ClassVar = ["log", "entry_index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="audit_happening_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["log", "table", "kind", "at"], name="audit_happening_of_table"),
            models.Index(fields=["log", "kind", "at"], name="audit_happening_of_kind"),
            models.Index(fields=["log", "table", "at"], name="audit_happening_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.log}/{self.entry_index} {self.kind}"


class DailyTotals(models.Model):
    """Play at a table on a gaming day, within one audited range.

    `variance` is the variance of what the compared wagers return (see DailyBetTotals), in square cents, summed over
    rounds. The lists are equally long, with one item per row of DailyBetTotals. Written by the audit; deleted and
    written again when its range is audited again, or by `manage.py sum_play`.
    """

    log = models.TextField()
    # First entry of the audited range.
    first = models.BigIntegerField()
    gaming_day = models.DateField()
    table = models.TextField()
    rounds = models.PositiveIntegerField()
    without_result = models.PositiveIntegerField()
    variance = models.DecimalField(max_digits=40, decimal_places=0)
    bets = ArrayField(models.TextField(), default=list)
    sorts = ArrayField(models.TextField(), default=list)
    returns = ArrayField(models.TextField(), default=list)
    wagers = ArrayField(models.IntegerField(), default=list)
    staked_cents = ArrayField(models.BigIntegerField(), default=list)
    returned_cents = ArrayField(models.BigIntegerField(), default=list)

    class Meta:
        db_table = "audit_playedday"
        ordering: ClassVar = ["log", "gaming_day", "table", "first"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "first", "gaming_day", "table"], name="audit_playedday_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["log", "gaming_day"], name="audit_playedday_of_day")]

    def __str__(self) -> str:
        return f"{self.log}/{self.table} {self.gaming_day}"


class WagerCategory(models.TextChoices):
    """Whether wagers can be compared with the average that the odds give."""

    COMPARED = "compared", "Compared with what the odds give"
    APART = "apart", "Settled, and not compared"
    UNSETTLED = "unsettled", "Not decided by a result"


class DailyBetTotals(models.Model):
    """Stakes and returns on one bet at a table on a gaming day, within one audited range.

    A database view over the lists of DailyTotals: writing a row per bet would cost more than computing them. `returns`
    is the exact share of a stake that the odds in force return on average, such as 35/36; empty where wagers are not
    compared.
    """

    id = models.BigIntegerField(primary_key=True)
    log = models.TextField()
    first = models.BigIntegerField()
    gaming_day = models.DateField()
    table = models.TextField()
    bet = models.TextField()
    sort = models.TextField(choices=WagerCategory.choices)
    returns = models.TextField()
    wagers = models.IntegerField()
    staked_cents = models.BigIntegerField()
    returned_cents = models.BigIntegerField()

    app_privileges = ("SELECT",)

    class Meta:
        managed = False
        db_table = "audit_playedbet"
        ordering: ClassVar = ["log", "gaming_day", "table", "bet", "first"]

    def __str__(self) -> str:
        return f"{self.log}/{self.table} {self.gaming_day} {self.bet}"
