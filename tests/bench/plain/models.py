from typing import Any, ClassVar

from django.db import models


class PlainRound(models.Model):
    """A reported round; members that are not searched stay JSON."""

    table = models.SlugField()
    sequence = models.BigIntegerField()
    at = models.DateTimeField()
    round = models.CharField(max_length=64)
    gaming_day = models.DateField()
    dice = models.JSONField(null=True)
    cards = models.JSONField(null=True)
    events = models.JSONField()
    called = models.JSONField(null=True)

    objects: ClassVar[models.Manager[Any]] = models.Manager()

    class Meta:
        app_label = "plain"
        constraints = (models.UniqueConstraint(fields=["table", "sequence"], name="plain_round_once"),)

    def __str__(self) -> str:
        return self.round


class PlainWager(models.Model):
    played = models.ForeignKey(PlainRound, models.PROTECT, related_name="wagers")
    wager = models.CharField(max_length=64)
    bet = models.CharField(max_length=32)
    stake = models.BigIntegerField()
    tender = models.CharField(max_length=32)
    placed_at = models.DateTimeField()
    verdict = models.CharField(max_length=10)
    returned = models.BigIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)

    objects: ClassVar[models.Manager[Any]] = models.Manager()

    class Meta:
        app_label = "plain"
        constraints = (models.UniqueConstraint(fields=["played", "wager"], name="plain_wager_once"),)

    def __str__(self) -> str:
        return self.wager
