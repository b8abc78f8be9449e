"""What the audit reads instead of the log: projections, made by following it and made again by command."""

from typing import ClassVar

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
    started_at = models.DateTimeField()
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


class Happening(models.Model):
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
