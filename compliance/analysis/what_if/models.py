"""Trials, their ranges of work, and their results. What was requested never changes."""

from datetime import date
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.analysis.what_if.scope import TrialScope
from compliance.core.accounts.models import Casino, User
from compliance.core.web.jobs.job import Job
from compliance.core.web.ui.links import casino_url
from rounds.rulebook.labels import bet_label, humanize_slug
from rounds.rulebook.models import FrozenPack, RuleVersion

INSERT_AND_DELETE = ("SELECT", "INSERT", "DELETE")


class RuleSource(models.TextChoices):
    VERSION = "version", "A version"
    DRAFT = "draft", "A draft"
    READINGS = "readings", "Other readings"


class Trial(Job):
    """A person had rules applied to recorded history. Requested by a person, run by the worker.

    The request never changes; nor do the results once it is done. Kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    asked_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    asked_by_name = models.CharField(max_length=120)
    asked_at = models.DateTimeField()

    source = models.CharField(max_length=8, choices=RuleSource.choices)
    # The version that is tried, or tried with other readings. None for a draft.
    version = models.ForeignKey(RuleVersion, models.PROTECT, null=True, blank=True, related_name="+")
    rules = models.SlugField(max_length=80)
    title = models.CharField(max_length=200)
    pack = models.ForeignKey(FrozenPack, models.PROTECT, related_name="+")
    # The choice of every reading, and those that differ from the version.
    readings = models.JSONField()
    read_otherwise = models.JSONField(default=dict, blank=True)
    # Slugs; empty means every table.
    tables = models.JSONField(default=list, blank=True)
    first_on = models.DateField(null=True, blank=True)
    last_on = models.DateField(null=True, blank=True)

    # Counted at the start: rounds in scope that were not audited yet, and so are not covered.
    rounds_waiting = models.PositiveBigIntegerField(null=True, blank=True)
    # Summed at the end.
    rounds = models.PositiveBigIntegerField(null=True, blank=True)
    wagers = models.PositiveBigIntegerField(null=True, blank=True)
    differences = models.PositiveBigIntegerField(null=True, blank=True)
    more_cents = models.BigIntegerField(null=True, blank=True)
    less_cents = models.BigIntegerField(null=True, blank=True)

    app_privileges = ("SELECT", "INSERT", "UPDATE")
    task = "compliance.analysis.what_if.tasks.run_trials"

    class Meta:
        ordering: ClassVar = ["-asked_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-asked_at"], name="trials_trial_of_casino"),
            models.Index(
                fields=["asked_at"], condition=Q(state__in=["waiting", "running"]), name="trials_trial_unfinished"
            ),
        ]
        constraints: ClassVar = [
            *Job.Meta.constraints,
            models.CheckConstraint(
                condition=Q(source="draft", version=None)
                | Q(source__in=["version", "readings"], version__isnull=False),
                name="trials_trial_tries_something",
            ),
            models.CheckConstraint(
                condition=Q(first_on=None) | Q(last_on=None) | Q(last_on__gte=F("first_on")), name="trials_trial_period"
            ),
            models.CheckConstraint(
                condition=Q(
                    state="done",
                    rounds__isnull=False,
                    wagers__isnull=False,
                    differences__isnull=False,
                    more_cents__isnull=False,
                    less_cents__isnull=False,
                )
                | ~Q(state="done") & Q(differences=None),
                name="trials_trial_done_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"Trial {self.pk}"

    def get_absolute_url(self) -> str:
        return casino_url("trials:trial", self.casino, trial=self.pk)

    @property
    def scope(self) -> TrialScope:
        return TrialScope(frozenset(self.tables), self.first_on, self.last_on)

    def to_rule_version(self) -> RuleVersion:
        """An unsaved RuleVersion for the audit's `rules_override`."""
        return RuleVersion(
            pk=0,
            casino=self.casino,
            rules=self.rules,
            number=0,
            title=self.title,
            pack_id=self.pack_id,
            readings=self.readings,
            proposed_index=0,
        )

    @property
    def what(self) -> str:
        """What is tried, as text."""
        if self.version is None:
            return f"Draft of {self.title}"
        words = str(self.version)
        return f"{words}, read otherwise" if self.source == RuleSource.READINGS else words

    @property
    def reading_labels(self) -> list[str]:
        return [
            f"{humanize_slug(name)}: {humanize_slug(choice)}" for name, choice in sorted(self.read_otherwise.items())
        ]

    @property
    def period_text(self) -> str:
        first, last = (f"{day:%Y-%m-%d}" if day else "" for day in (self.first_on, self.last_on))
        if first and last:
            return f"Gaming day {first}" if first == last else f"Gaming days {first} to {last}"
        if first or last:
            return f"Gaming days from {first} on" if first else f"Gaming days up to {last}"
        return "All that was played"

    @property
    def tables_text(self) -> str:
        return ", ".join(self.tables) or "Every table"

    @property
    def played_text(self) -> str:
        rounds, wagers = self.rounds or 0, self.wagers or 0
        return f"{rounds:,} round{'' if rounds == 1 else 's'} with {wagers:,} wager{'' if wagers == 1 else 's'}"

    @property
    def waiting_text(self) -> str:
        if not self.rounds_waiting:
            return ""
        if self.rounds_waiting == 1:
            return "One round that may fit was not audited yet when the trial began. It is not counted."
        return f"{self.rounds_waiting:,} rounds that may fit were not audited yet when the trial began. None counts."

    @property
    def has_withdrawn_version(self) -> bool:
        return self.version is not None and self.version.withdrawn_at is not None

    @property
    def done(self) -> int:
        return self.stretches.exclude(done_at=None).count()

    @property
    def total(self) -> int:
        return self.stretches.count()

    def delete_results(self) -> None:
        """Part of the differences says nothing about all of them; the ranges are planned again when it is retried."""
        self.found.all().delete()
        self.stretches.all().delete()


class TrialRange(models.Model):
    """Entries first..last-1 of the log as one unit of a trial's work: the audited part of a block.

    Created when the trial begins; updated in one transaction with its differences. Deleted when the trial is cancelled
    or fails.
    """

    trial = models.ForeignKey(Trial, models.PROTECT, related_name="stretches")
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    done_at = models.DateTimeField(null=True, blank=True)
    rounds = models.PositiveIntegerField(default=0)
    wagers = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "trials_stretch"
        ordering: ClassVar = ["trial", "first"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["trial", "first"], name="trials_stretch_once"),
            models.CheckConstraint(condition=Q(first__gte=0, last__gt=F("first")), name="trials_stretch_has_entries"),
        ]

    def __str__(self) -> str:
        return f"{self.trial} entries {self.first} to {self.last - 1}"


class TrialDifference(models.Model):
    """One finding that would differ: what is due now, what would be due, and what was returned.

    Written together with its range; never changed. Deleted when the trial is cancelled or fails.
    """

    trial = models.ForeignKey(Trial, models.PROTECT, related_name="found")
    subject_index = models.BigIntegerField()
    table = models.CharField(max_length=50, blank=True)
    gaming_day = models.DateField()
    at = models.DateTimeField()
    # Empty where it concerns no round, or no single wager.
    round = models.CharField(max_length=64, blank=True)
    wager = models.CharField(max_length=64, blank=True)
    bet = models.CharField(max_length=40, blank=True)
    # The player's pseudonym of the day, or table and seat.
    holder = models.CharField(max_length=120, blank=True)
    # Finding codes; empty without a finding.
    code_now = models.CharField(max_length=32, blank=True)
    code_then = models.CharField(max_length=32, blank=True)
    clause = models.CharField(max_length=80, blank=True)
    # The reading and choice by which it was settled, where it is not the adopted one.
    reading = models.CharField(max_length=80, blank=True)
    choice = models.CharField(max_length=80, blank=True)
    # None: not about money, or no rule states the amount.
    due_now_cents = models.BigIntegerField(null=True, blank=True)
    due_then_cents = models.BigIntegerField(null=True, blank=True)
    returned_cents = models.BigIntegerField(null=True, blank=True)
    more_cents = models.BigIntegerField()

    app_privileges = INSERT_AND_DELETE

    class Meta:
        db_table = "trials_difference"
        ordering: ClassVar = ["subject_index", "pk"]
        indexes: ClassVar = [models.Index(fields=["trial", "subject_index", "id"], name="trials_difference_in_order")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(code_now="", code_then=""), name="trials_difference_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.trial}: entry {self.subject_index} {self.wager}".strip()

    def compared_values(self) -> tuple[Any, ...]:
        """What a test compares with the audit's findings."""
        return self.subject_index, self.wager, self.code_now, self.code_then, self.due_now_cents, self.due_then_cents


class TotalDimension(models.TextChoices):
    TABLE = "table", "By table"
    BET = "bet", "By box"
    HOLDER = "holder", "By player"
    CLAUSE = "clause", "By clause"


class TrialTotal(models.Model):
    """Totals of a trial for one table, box, player and day, or clause. Written by SQL when the trial is done; never
    changed."""

    trial = models.ForeignKey(Trial, models.PROTECT, related_name="sums")
    by = models.CharField(max_length=8, choices=TotalDimension.choices)
    name = models.CharField(max_length=120, blank=True)
    # The gaming day for a player; the other reading for a clause.
    gaming_day = models.DateField(null=True, blank=True)
    reading = models.CharField(max_length=170, blank=True)
    differences = models.PositiveBigIntegerField()
    due_now_cents = models.BigIntegerField()
    due_then_cents = models.BigIntegerField()
    more_cents = models.BigIntegerField()
    less_cents = models.BigIntegerField()

    app_privileges = INSERT_AND_DELETE

    class Meta:
        db_table = "trials_sum"
        ordering: ClassVar = ["trial", "by", "name", "gaming_day", "reading"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["trial", "by", "name", "gaming_day", "reading"], nulls_distinct=False, name="trials_sum_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.trial} {self.by} {self.name}"

    @property
    def name_label(self) -> str:
        return (bet_label(self.name) if self.by == TotalDimension.BET else self.name) or "Not said"

    @property
    def day_text(self) -> str:
        day: date | None = self.gaming_day
        return f"{day:%Y-%m-%d}" if day else ""
