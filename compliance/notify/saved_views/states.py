"""Frequencies of subscriptions."""

from django.db.models import TextChoices


class Frequency(TextChoices):
    ONCE = "at-once", "At once"
    DAY = "day", "Once a gaming day"
    WEEK = "week", "Once a week"
