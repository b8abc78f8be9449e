"""State of each table, as a projection of the log, so that the floor page need not search it."""

from datetime import datetime
from typing import ClassVar

from django.db import models


class TableState(models.Model):
    """The last round of a table, and whether it was last reported open or closed.

    A projection: written by the ledger consumer from controllers' entries and from rounds that people entered, and only
    moved forward. `verify_ledger` compares it with the log. Can be rebuilt at any time."""

    app_privileges = ("SELECT", "INSERT", "UPDATE", "DELETE")

    log = models.TextField()
    table = models.CharField(max_length=50)
    round_index = models.BigIntegerField(null=True, blank=True)
    round_at = models.DateTimeField(null=True, blank=True)
    round_name = models.CharField(max_length=64, blank=True)
    # Dice or cards in the order reported; None if the round has no result.
    faces = models.JSONField(null=True, blank=True)
    no_result = models.CharField(max_length=40, blank=True)
    is_open = models.BooleanField(null=True, blank=True)
    turned_index = models.BigIntegerField(null=True, blank=True)
    turned_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["log", "table"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["log", "table"], name="desk_tablestate_once")]

    def __str__(self) -> str:
        return f"{self.log}/{self.table}"

    @property
    def round_position(self) -> tuple[datetime, int] | None:
        """For comparison: later by time of play, then by position in the log."""
        return None if self.round_at is None or self.round_index is None else (self.round_at, self.round_index)

    @property
    def open_close_position(self) -> tuple[datetime, int] | None:
        return None if self.turned_at is None or self.turned_index is None else (self.turned_at, self.turned_index)
