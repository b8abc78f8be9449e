"""Samples: the population, the seed, the drawn rounds, and an inspector's verdict on each."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.web.ui.components import Tag
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.sampling_factors import FACTORS, ChosenFactor, decode_weights
from rounds.ledger import LedgerModel, WithdrawableModel, encode_timestamp
from rounds.transparency_log import formats

APPEND_ONLY = ("SELECT", "INSERT")
UPDATABLE = ("SELECT", "INSERT", "UPDATE")


class Sample(LedgerModel):
    """Records the population and size of a sample and the seed that decides which rounds are drawn, before the draw.

    Written by an inspector; never changes; kept for ever. `up_to` is the audit position at that time, so that later
    entries cannot change the draw.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="samples")
    purpose = models.CharField(max_length=200)
    since = models.DateTimeField()
    until = models.DateTimeField()
    # Empty means all tables.
    tables = models.JSONField()
    size = models.PositiveIntegerField()
    up_to = models.BigIntegerField()
    seed = models.CharField(max_length=64)
    # The chosen factors (sampling_factors.py); null if all rounds have the same weight.
    weights = models.JSONField(null=True)
    seeded_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    seeded_by_name = models.CharField(max_length=120)
    seeded_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-seeded_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "-seeded_at"], name="checklists_samples_newest")]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="checklists_sample_has_time"),
            models.CheckConstraint(condition=Q(size__gte=1), name="checklists_sample_has_size"),
        ]

    def __str__(self) -> str:
        return f"Sample {self.entry_index:,}"

    @property
    def is_weighted(self) -> bool:
        return self.weights is not None

    @property
    def chosen_factors(self) -> list[ChosenFactor]:
        return decode_weights(self.weights) if self.weights else []

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "purpose": self.purpose,
            "since": encode_timestamp(self.since),
            "until": encode_timestamp(self.until),
            "tables": self.tables,
            "size": self.size,
            "up_to": self.up_to,
            "seed": self.seed,
            **({} if self.weights is None else {"weights": self.weights}),
            "by": person_reference(self.seeded_by_id, self.seeded_by_name),
            "at": encode_timestamp(self.seeded_at),
        }


class Draw(LedgerModel):
    """Records which rounds a sample's seed drew, and out of how many. Written once by the service; never changes; kept
    for ever.

    `weighed`, for weighted samples: weight and factors of each drawn round, the number of rounds of each weight, the
    sum of all weights, and the smallest hash of a round that was not drawn.
    """

    sample = models.OneToOneField(Sample, models.PROTECT, related_name="draw")
    population = models.PositiveIntegerField()
    rounds = models.JSONField()
    weighed = models.JSONField(null=True)
    drawn_at = models.DateTimeField()

    read_with = ("sample",)
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{len(self.rounds)} of {self.population}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "sample": self.sample.entry_index,
            "population": self.population,
            "rounds": self.rounds,
            **({} if self.weighed is None else {"weighed": self.weighed}),
            "at": encode_timestamp(self.drawn_at),
        }


class SampledRound(models.Model):
    """A round of a sample, with its current verdict. Each check is a RoundCheck with an entry. Kept for ever."""

    sample = models.ForeignKey(Sample, models.PROTECT, related_name="sampled_rounds")
    place = models.PositiveIntegerField()
    round_index = models.BigIntegerField()
    table = models.TextField()
    started_at = models.DateTimeField()
    weight = models.PositiveIntegerField(default=1)
    factors = models.JSONField(default=list)
    verdict = models.CharField(max_length=12, choices=RoundVerdict.choices, blank=True)
    # Optimistic lock: a form sends the number of checks its reader saw, and is refused if there are more.
    checked_times = models.PositiveIntegerField(default=0)

    app_privileges = UPDATABLE

    class Meta:
        ordering: ClassVar = ["place"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sample", "place"], name="checklists_sampled_place_once"),
            models.UniqueConstraint(fields=["sample", "round_index"], name="checklists_sampled_round_once"),
            models.CheckConstraint(condition=Q(weight__gte=1), name="checklists_sampled_has_weight"),
        ]

    def __str__(self) -> str:
        return f"{self.sample}, round {self.place}"

    @property
    def why(self) -> str:
        """The factors that raised its weight."""
        return ", ".join(FACTORS[slug].label for slug in self.factors)

    @property
    def tag(self) -> Tag:
        return RoundVerdict(self.verdict).tag if self.verdict else Tag("Not looked at", "warning")


class RoundCheck(WithdrawableModel):
    """Records an inspector's verdict on one sampled round, with the result of a recheck at that time. A new verdict is
    a new row.

    Never changes; kept for ever. The note is private to inspectors: the entry carries only its salted digest.
    """

    sampled = models.ForeignKey(SampledRound, models.PROTECT, related_name="checks")
    number = models.PositiveIntegerField()
    verdict = models.CharField(max_length=12, choices=RoundVerdict.choices)
    # Whether the recheck found exactly what the audit had recorded, and the codes it found.
    was_same = models.BooleanField()
    codes = models.JSONField()
    note = models.TextField(blank=True)
    note_salt = models.BinaryField(max_length=32)
    checked_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    checked_by_name = models.CharField(max_length=120)
    checked_at = models.DateTimeField()

    read_with = ("sampled__sample",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        ordering: ClassVar = ["sampled", "number"]
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.UniqueConstraint(fields=["sampled", "number"], name="checklists_check_number_once"),
            models.CheckConstraint(
                condition=Q(verdict=RoundVerdict.IN_ORDER) | ~Q(note=""), name="checklists_check_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: {self.sampled}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "sample": self.sampled.sample.entry_index,
            "round": self.sampled.round_index,
            "number": self.number,
            "verdict": self.verdict,
            "same_as_audited": self.was_same,
            "codes": self.codes,
            "note_sha256": formats.salted_digest({"note": self.note}, bytes(self.note_salt)),
            "by": person_reference(self.checked_by_id, self.checked_by_name),
            "at": encode_timestamp(self.checked_at),
        }
