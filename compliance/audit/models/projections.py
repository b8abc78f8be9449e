"""What the audit reads instead of the log: projections, made by following it and made again by command."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models


class PackedRound(models.Model):
    """A round as columns, for reading a million wagers at once. A projection of `round` entries.

    Written by following the log; rebuilt by `manage.py repack_rounds`; `verify_ledger` compares it with the entries.
    """

    log = models.TextField()
    entry_index = models.BigIntegerField()
    table = models.TextField()
    round = models.TextField()
    gaming_day = models.DateField()
    # From its first event to its last, or to the last wager that came after that.
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    # Place among the engine's outcomes; -1 where the round has none.
    outcome = models.SmallIntegerField()
    tumbles = models.IntegerField(null=True, blank=True)
    # A round that the columns tell whole: a result, lights, no limits of a single player's.
    is_plain = models.BooleanField()
    is_void = models.BooleanField()
    have_lights_failed = models.BooleanField()
    events = models.BinaryField()
    wagers = models.BinaryField()
    # The correction that took the round back, whoever made it.
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
    """Where a Super Streak wager was first reported: it is settled in another round, by the results in between.

    A projection of `round` entries, written and made again together with PackedRound.
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
    """What a later determination says of a round that was settled already: that it is void, or single wagers of it,
    which are forfeited, and what was handed back.

    A projection of entries, written by following the log and made again together with PackedRound.
    """

    log = models.TextField()
    entry_index = models.BigIntegerField()
    set_index = models.BigIntegerField()
    # Why the whole round is void; empty where only single wagers are, or where stakes were handed back.
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
    """That an entry other than a round was made: which kind, at which table, and when it was so.

    A projection of the log, written by following it and made again together with PackedRound. Checks over time find
    by it what happened before; what an entry says is read from the entry.
    """

    log = models.TextField()
    entry_index = models.BigIntegerField()
    kind = models.TextField()
    # Empty for what concerns no single table.
    table = models.TextField(blank=True)
    # By the controller's clock; for what no controller said, when it was recorded.
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
    """How much was played at a table on a gaming day, as far as one audited range holds it.

    `variance` is that of what the compared wagers give back (see PlayedBet), in square cents, summed over the rounds.
    The lists are equally long, with a place for each bet: a row of PlayedBet.
    Written by the audit, and written again when its range is audited again or by `manage.py sum_play`."""

    log = models.TextField()
    # Where the audited range begins.
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
    """What can be said of wagers against what chance would give."""

    COMPARED = "compared", "Compared with what the odds give"
    APART = "apart", "Settled, and not compared"
    UNSETTLED = "unsettled", "Not decided by a result"


class DailyBetTotals(models.Model):
    """What was staked and handed back on one bet at a table on a gaming day, as far as one audited range holds it: a
    view of the database over the lists of PlayedDay, because a row for each would cost more to write than to work out.

    `returns` is the exact part of a stake that the odds in force give back on average, such as 35/36; empty where no
    comparison is made."""

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
