"""Models besides the ledger entries: signed batches, quarantined lines and their resolution, the state of each feed."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.models import Casino, User, person_reference
from rounds.floor.models import Controller
from rounds.ledger import LedgerModel, encode_timestamp
from rounds.transparency_log import tree

HEARTBEAT_SECONDS = 10
# Three missed heartbeats.
SILENT_AFTER = timedelta(seconds=3 * HEARTBEAT_SECONDS)
APPEND_ONLY = ("SELECT", "INSERT")
UPDATABLE = ("SELECT", "INSERT", "UPDATE")


class Batch(models.Model):
    """A signed batch that added entries: its signature and the digests of all its lines, in order.

    Written by services/batches.py in the transaction of its entries, which start at `first_index`. Never changed, kept
    for ever: it proves which controller signed a single exported round.
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
    """A refused line, byte for byte, with the reason. Written by services/quarantine.py with its ledger entry, never
    changed, kept for ever.

    The same bytes refused again for the same reason are stored once, because a controller may retry for hours.
    """

    read_with = ("controller",)
    app_privileges = APPEND_ONLY

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="quarantined")
    controller = models.ForeignKey(Controller, models.PROTECT, related_name="quarantined")
    # Blank or null if they could not be parsed.
    table = models.CharField(max_length=50, blank=True)
    sequence = models.BigIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=50, blank=True)
    line_number = models.PositiveIntegerField()
    line = models.BinaryField()
    line_sha256 = models.BinaryField(max_length=32)
    code = models.CharField(max_length=50)
    field = models.TextField(blank=True)
    sentence = models.TextField()
    # For a sequence conflict: the entry that has this sequence.
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
        """The digest of the stored bytes; empty if `line_sha256` differs, so that `verify_ledger` reports the row."""
        digest = sha256(self.line).digest()
        return digest.hex() if digest == bytes(self.line_sha256) else ""


class QuarantineResolution(LedgerModel):
    """A person's note on how a quarantined line was dealt with. Written by resolve_quarantined_line() with its ledger
    entry, once per line, never changed, kept for ever."""

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
    """Current state of one controller's feed for one table. Updated with every batch by services/feed_state.py; the
    history is in the ledger.

    Sequences start at 1 and are used once, so `last_sequence` minus `accepted` is the number of missing lines.
    """

    app_privileges = UPDATABLE

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="feeds")
    controller = models.ForeignKey(Controller, models.PROTECT, related_name="feeds")
    table = models.CharField(max_length=50)
    accepted = models.BigIntegerField(default=0)
    last_sequence = models.BigIntegerField(default=0)
    # The highest sequence that a heartbeat reported as given out.
    announced_sequence = models.BigIntegerField(default=0)
    last_seen_at = models.DateTimeField()
    last_heartbeat_at = models.DateTimeField(null=True, blank=True)
    skew_milliseconds = models.BigIntegerField(default=0)
    # From the table-opened or table-closed line with the highest sequence; null before the first.
    is_open = models.BooleanField(null=True, blank=True)
    opened_or_closed_sequence = models.BigIntegerField(default=0)
    # Start of the current silence, once it is recorded.
    silent_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["table", "controller"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["controller", "table"], name="intake_feed_once")]

    def __str__(self) -> str:
        return f"{self.controller_id} for {self.table}"

    def is_silent(self, now: datetime) -> bool:
        """Not heard of for SILENT_AFTER. Never for a table that was reported as closed."""
        return self.is_open is not False and now - self.last_seen_at > SILENT_AFTER

    @property
    def missing_count(self) -> int:
        """The number of sequences that were given out but not accepted, including those in quarantine."""
        return max(self.last_sequence, self.announced_sequence) - self.accepted
