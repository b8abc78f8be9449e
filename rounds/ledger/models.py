"""The ledger's tables. Their SQL is in migration 0001: partitions, triggers and keys that Django cannot express.

Only this package writes them. Other apps append, consume, prove and read through its functions.
"""

from typing import ClassVar

from django.db import models

from rounds.transparency_log.formats.leaf import make_header

APPEND_ONLY = ("SELECT", "INSERT")


class Log(models.Model):
    """A log: one for each casino, and `site`.

    Created by ledger_open_log() with its own partition; never changed, kept for ever.
    """

    app_privileges = ("SELECT",)

    slug = models.TextField(unique=True)
    opened_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "ledger_log"

    def __str__(self) -> str:
        return self.slug


class Head(models.Model):
    """A log's size and tree frontier. The one ledger row that changes; locked while entries are appended."""

    app_privileges = ("SELECT", "UPDATE")

    log = models.OneToOneField(Log, models.DO_NOTHING, primary_key=True)
    size = models.BigIntegerField()
    frontier = models.BinaryField()

    class Meta:
        managed = False
        db_table = "ledger_head"

    def __str__(self) -> str:
        return f"{self.log_id} at {self.size}"


class Entry(models.Model):
    """One recorded fact. Written by append(), never changed, kept for ever."""

    app_privileges = APPEND_ONLY

    pk = models.CompositePrimaryKey("log_id", "index")
    log = models.ForeignKey(Log, models.DO_NOTHING, related_name="entries")
    index = models.BigIntegerField()
    kind = models.TextField()
    # Null for acts of people, which have no table and no controller.
    table = models.TextField(null=True)  # noqa: DJ001
    controller = models.TextField(null=True)  # noqa: DJ001
    sequence = models.BigIntegerField(null=True)
    recorded_at = models.DateTimeField()
    body = models.BinaryField()
    leaf_sha256 = models.BinaryField()

    class Meta:
        managed = False
        db_table = "ledger_entry"

    def __str__(self) -> str:
        return f"{self.log_id}/{self.index} {self.kind}"

    def header(self, log: str) -> bytes:
        """The leaf's header, rebuilt from the columns. If a column was changed, it no longer matches the leaf hash."""
        return make_header(
            kind=self.kind,
            log=log,
            recorded_at=self.recorded_at,
            table=self.table,
            controller=self.controller,
            sequence=self.sequence,
        )


class Tile(models.Model):
    """256 hashes of one tree level. Written by append() when the tile is full; never changed, kept for ever."""

    app_privileges = APPEND_ONLY

    pk = models.CompositePrimaryKey("log_id", "level", "index")
    log = models.ForeignKey(Log, models.DO_NOTHING, related_name="+")
    level = models.SmallIntegerField()
    index = models.BigIntegerField()
    hashes = models.BinaryField()
    root = models.BinaryField()

    class Meta:
        managed = False
        db_table = "ledger_tile"

    def __str__(self) -> str:
        return f"{self.log_id}/{self.level}/{self.index}"


class SignedCheckpoint(models.Model):
    """A signed statement of a log's size and root, as published.

    Written by sign_log(); never changed, kept for ever.
    """

    app_privileges = APPEND_ONLY

    pk = models.CompositePrimaryKey("log_id", "size")
    log = models.ForeignKey(Log, models.DO_NOTHING, related_name="checkpoints")
    size = models.BigIntegerField()
    root = models.BinaryField()
    note = models.BinaryField()
    signed_at = models.DateTimeField()
    # Over `signed_at` and the log's `opened_at`. Null in checkpoints from before times were signed.
    times_signature = models.BinaryField(null=True)

    class Meta:
        managed = False
        db_table = "ledger_checkpoint"

    def __str__(self) -> str:
        return f"{self.log_id} at {self.size}"


class Reversal(models.Model):
    """Which correction took back which entry, at most one each. Written by correct(); never changed, kept for ever."""

    app_privileges = APPEND_ONLY

    pk = models.CompositePrimaryKey("log_id", "corrected_index")
    log = models.ForeignKey(Log, models.DO_NOTHING, related_name="+")
    corrected_index = models.BigIntegerField()
    correction_index = models.BigIntegerField()

    class Meta:
        managed = False
        db_table = "ledger_reversal"

    def __str__(self) -> str:
        return f"{self.log_id}/{self.corrected_index} by {self.correction_index}"


class Halt(models.Model):
    """That a log is read-only because it was restored or no longer has what was signed. Written by the process that
    detects it, never changed, kept for ever. Ends with the `Epoch` of the same number.

    `note` is the checkpoint known outside the database, if there was one.
    """

    app_privileges = APPEND_ONLY

    pk = models.CompositePrimaryKey("log_id", "epoch")
    log = models.ForeignKey(Log, models.DO_NOTHING, related_name="halts")
    epoch = models.IntegerField()
    size = models.BigIntegerField()
    reason = models.TextField()
    note = models.BinaryField(null=True)
    halted_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "ledger_halt"

    def __str__(self) -> str:
        return f"{self.log_id} before epoch {self.epoch}"


class Epoch(models.Model):
    """That a log continues after a halt.

    Written with the entry that says what was lost; never changed, kept for ever.
    """

    app_privileges = APPEND_ONLY

    pk = models.CompositePrimaryKey("log_id", "number")
    log = models.ForeignKey(Log, models.DO_NOTHING, related_name="epochs")
    number = models.IntegerField()
    entry_index = models.BigIntegerField()

    class Meta:
        managed = False
        db_table = "ledger_epoch"

    def __str__(self) -> str:
        return f"{self.log_id} in epoch {self.number}"


class Cursor(models.Model):
    """The position of a consumer in a log. Updated in the same transaction as the consumer's own state."""

    consumer = models.TextField()
    log = models.ForeignKey(Log, models.DO_NOTHING, related_name="+")
    next_index = models.BigIntegerField(default=0)

    class Meta:
        db_table = "ledger_cursor"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["consumer", "log"], name="ledger_cursor_once"),
            models.CheckConstraint(condition=models.Q(next_index__gte=0), name="ledger_cursor_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.consumer} at {self.next_index}"


class IndexedTerm(models.Model):
    """That an entry names a round or a person.

    A projection: the search consumer writes it, and it can be rebuilt from the log at any time.
    """

    app_privileges = ("SELECT", "INSERT", "DELETE")

    pk = models.CompositePrimaryKey("log_id", "what", "value", "index")
    log = models.ForeignKey(Log, models.DO_NOTHING, db_constraint=False, related_name="+")
    what = models.TextField()
    value = models.TextField()
    index = models.BigIntegerField()

    class Meta:
        db_table = "ledger_mention"
        indexes: ClassVar = [models.Index(fields=["log", "index"], name="ledger_mention_by_index")]

    def __str__(self) -> str:
        return f"{self.log_id}/{self.index} names {self.what} {self.value}"


class VerificationRequest(models.Model):
    """A verification that was requested or is running: one for each log, updated with its progress, deleted when its
    result is recorded.

    `asked_by` is a name for display only; it is empty for the daily verification.
    """

    log = models.OneToOneField(Log, models.DO_NOTHING, primary_key=True, db_constraint=False, related_name="+")
    asked_at = models.DateTimeField(null=True)
    asked_by = models.TextField(default="")
    # When the requested verification began. Entries verified before that do not count for it.
    begun_at = models.DateTimeField(null=True)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    moved_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "ledger_verifying"

    def __str__(self) -> str:
        return f"{self.log_id}: {self.done} of {self.total}"
