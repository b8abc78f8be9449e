"""What intake keeps beside the entries: whose signature a batch bore, what was refused, how each feed is doing."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.models import Casino, User, person_reference
from rounds.floor.models import Controller
from rounds.ledger import LedgerModel, encode_timestamp, tree

HEARTBEAT_SECONDS = 10
# Three heart-beats missed.
SILENT_AFTER = timedelta(seconds=3 * HEARTBEAT_SECONDS)
APPEND_ONLY = ("SELECT", "INSERT")
UPDATABLE = ("SELECT", "INSERT", "UPDATE")


class Batch(models.Model):
    """One signed batch that brought new entries: its signature and the digests of all its lines, in order.

    Written by intake with the entries it brought, which lie at `first_index` and after. Never changed, kept for ever:
    with it a single exported round proves which controller signed it.
    """

    app_privileges = APPEND_ONLY

    log = models.TextField()
    first_index = models.BigIntegerField()
    entries = models.PositiveIntegerField()
    controller = models.ForeignKey(Controller, models.PROTECT, related_name="batches")
    key_id = models.CharField(max_length=16)
    # Verbatim, because it is part of what was signed.
    sent_at_text = models.CharField(max_length=40)
    sent_at = models.DateTimeField()
    received_at = models.DateTimeField()
    signature = models.BinaryField(max_length=64)
    line_digests = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["log", "first_index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "first_index"], name="intake_batch_place"),
            models.CheckConstraint(condition=Q(entries__gt=0), name="intake_batch_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.log}/{self.first_index}, {self.entries} entries"

    def digests(self) -> list[bytes]:
        joined = bytes(self.line_digests)
        return tree.split_hashes(joined, len(joined) // tree.HASH_BYTES)


class QuarantinedQuerySet(models.QuerySet["Quarantined"]):
    def unresolved(self) -> "QuarantinedQuerySet":
        return self.filter(dealt_with=None)


class Quarantined(LedgerModel):
    """A line that was refused, byte for byte, and why. Written by intake with its entry; never changed or deleted.

    The same bytes refused again for the same reason are not kept twice: a controller may try for hours.
    """

    read_with = ("controller",)
    app_privileges = APPEND_ONLY

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="quarantined")
    controller = models.ForeignKey(Controller, models.PROTECT, related_name="quarantined")
    # As far as they could be read.
    table = models.CharField(max_length=50, blank=True)
    sequence = models.BigIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=50, blank=True)
    line_number = models.PositiveIntegerField()
    line = models.BinaryField()
    line_sha256 = models.BinaryField(max_length=32)
    code = models.CharField(max_length=50)
    field = models.TextField(blank=True)
    sentence = models.TextField()
    # The entry that holds this sequence, where the refusal is a conflict.
    kept_index = models.BigIntegerField(null=True, blank=True)
    received_at = models.DateTimeField()

    objects = QuarantinedQuerySet.as_manager()

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-received_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-received_at"], name="quarantined_at_casino"),
            models.Index(fields=["controller", "table", "sequence"], name="quarantined_of_feed"),
        ]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["controller", "code", "line_sha256"], name="intake_quarantined_once"),
        ]

    def __str__(self) -> str:
        return f"{self.code}, {self.received_at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> Mapping[str, Any]:
        record: dict[str, Any] = {
            "controller": self.controller.slug,
            "table": self.table or None,
            "sequence": self.sequence,
            "line_number": self.line_number,
            "line_sha256": self._stored_digest(),
            "line_bytes": len(self.line),
            "code": self.code,
            "field": self.field,
            "received_at": encode_timestamp(self.received_at),
        }
        return record if self.kept_index is None else {**record, "kept_index": self.kept_index}

    def _stored_digest(self) -> str:
        """Of the bytes as they are kept now; none, where the column beside them says another."""
        digest = sha256(self.line).digest()
        return digest.hex() if digest == bytes(self.line_sha256) else ""


class QuarantineResolution(LedgerModel):
    """That somebody looked into a quarantined line, and what they did about it. Written once; kept for ever."""

    read_with = ("quarantined",)
    app_privileges = APPEND_ONLY

    quarantined = models.OneToOneField(Quarantined, models.PROTECT, related_name="dealt_with")
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField()
    note = models.TextField()

    objects = models.Manager()

    class Meta(LedgerModel.Meta):
        db_table = "intake_dealtwith"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="intake_dealtwith_one_entry"),
            models.CheckConstraint(condition=~Q(note=""), name="intake_dealtwith_says_what"),
        ]

    def __str__(self) -> str:
        return f"{self.quarantined_id} by {self.by_name}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "quarantined": self.quarantined.entry_index,
            "note": self.note,
            "by": person_reference(self.by_id, self.by_name),
        }


class Feed(models.Model):
    """How one controller's feed for one table is doing. Current state, moved with every batch; entries are the memory.

    Sequences start at 1 and are used once, so `last_sequence` less `accepted` is how many are missing.
    """

    app_privileges = UPDATABLE

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="feeds")
    controller = models.ForeignKey(Controller, models.PROTECT, related_name="feeds")
    table = models.CharField(max_length=50)
    accepted = models.BigIntegerField(default=0)
    last_sequence = models.BigIntegerField(default=0)
    # What the last heart-beat said it had given out.
    announced_sequence = models.BigIntegerField(default=0)
    last_seen_at = models.DateTimeField()
    last_heartbeat_at = models.DateTimeField(null=True, blank=True)
    skew_milliseconds = models.BigIntegerField(default=0)
    # By the opening or closing with the highest sequence; unknown until there was one.
    is_open = models.BooleanField(null=True, blank=True)
    opened_or_closed_sequence = models.BigIntegerField(default=0)
    # Since when a recorded silence lasts.
    silent_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["table", "controller"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["controller", "table"], name="intake_feed_once")]

    def __str__(self) -> str:
        return f"{self.controller_id} for {self.table}"

    def is_silent(self, now: datetime) -> bool:
        """Of a table that is open, or of which nobody said that it is closed."""
        return self.is_open is not False and now - self.last_seen_at > SILENT_AFTER

    @property
    def missing_count(self) -> int:
        """Sequences that were given out and never came; those in quarantine count among them until they are right."""
        return max(self.last_sequence, self.announced_sequence) - self.accepted
