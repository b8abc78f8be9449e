"""Background job that draws a sample."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.web.jobs.job import Job
from compliance.inspection.checklists.models.samples import Sample


class DrawJob(Job):
    """Progress of drawing a sample, or of drawing it again for comparison.

    Written with the seed or on request, updated after each weighed range of the log; does not change once it is done;
    kept for ever. Not in the ledger: the finished Draw is.
    """

    sample = models.ForeignKey(Sample, models.PROTECT, related_name="drawings")
    is_again = models.BooleanField(default=False)
    # Number of rounds in the population, and the range of entries they are in.
    rounds = models.PositiveBigIntegerField()
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    # All entries below `reached` are weighed: that many rounds, with the partial result of tickets.py in `so_far`.
    reached = models.BigIntegerField()
    weighed = models.PositiveBigIntegerField(default=0)
    so_far = models.JSONField(default=dict)
    # For a repeated draw: whether the result was the same.
    was_same = models.BooleanField(null=True)

    app_privileges = ("SELECT", "INSERT", "UPDATE")
    task = "compliance.inspection.checklists.tasks.draw_samples"

    class Meta:
        db_table = "checklists_drawing"
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["sample"], condition=Q(is_again=False), name="checklists_drawing_once"),
            models.UniqueConstraint(
                fields=["sample"],
                condition=Q(is_again=True, state__in=["waiting", "running"]),
                name="checklists_drawing_one_again",
            ),
            models.CheckConstraint(
                condition=Q(reached__gte=F("first"), reached__lte=F("last")), name="checklists_drawing_within"
            ),
            models.CheckConstraint(
                condition=Q(is_again=True, state="done", was_same__isnull=False)
                | Q(was_same=None) & ~Q(is_again=True, state="done"),
                name="checklists_drawing_compared",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["id"], condition=Q(state__in=["waiting", "running"]), name="checklists_drawing_unfinished"
            )
        ]

    def __str__(self) -> str:
        return f"Draw of {self.sample}"

    @property
    def done(self) -> int:
        return self.weighed

    @property
    def total(self) -> int:
        return self.rounds

    @property
    def is_fully_weighed(self) -> bool:
        return self.reached >= self.last
