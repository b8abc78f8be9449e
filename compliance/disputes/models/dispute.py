"""A dispute, its wagers, the patron's statement, and its steps. The state changes only as in `states.TRANSITIONS`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.accounts.roles import Role
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import BODY_BY_KIND, StepBody
from compliance.disputes.entry_kinds import PROMOTION_PREFIX
from compliance.disputes.ladder.rungs import Ladder, Rung, ladder_of
from compliance.disputes.ladder.states import OPEN_STATES, DisputeState, state_tag
from compliance.privacy.personal_data.models import PersonalRecord
from rounds.intake.entry_kinds import ROUND
from rounds.ledger import LedgerModel, WithdrawableModel, encode_timestamp
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of
from rounds.transparency_log import formats

if TYPE_CHECKING:
    from compliance.disputes.models.attachments_and_notes import Attachment

APPEND_ONLY = ("SELECT", "INSERT")
UPDATABLE = ("SELECT", "INSERT", "UPDATE")


class DisputeQuerySet(models.QuerySet["Dispute"]):
    def unfinished(self) -> DisputeQuerySet:
        return self.filter(state__in=OPEN_STATES)

    def overdue(self, now: datetime) -> DisputeQuerySet:
        return self.unfinished().filter(due_at__lt=now)

    def about_promotions(self) -> DisputeQuerySet:
        return self.filter(subject_kind__startswith=PROMOTION_PREFIX)

    def with_file(self) -> DisputeQuerySet:
        """Loads all that its pages show in a fixed number of queries."""
        joined = self.select_related("casino", "version", "statement", "personal", "personal__destruction", "logged_by")
        return joined.prefetch_related("wagers", "steps", "attachments")


class Dispute(LedgerModel):
    """A patron's dispute: the entry it is about, the wagers, the grounds, and who logged it. Logged by the operator's
    staff; never changed except for the state columns (MOVES), which its steps update. Kept for ever; the patron's
    details are in privacy.personal_data and are destroyed after their retention."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="disputes")
    number = models.PositiveIntegerField()
    # The disputed entry of the casino's log: a round; a promotion's terms, claim or draw; or a described matter.
    subject_kind = models.CharField(max_length=64)
    subject_index = models.BigIntegerField()
    round = models.CharField(max_length=64, blank=True)
    table = models.CharField(max_length=50, blank=True)
    # Staff number of the dealer, as the table reported it.
    dealer = models.CharField(max_length=64, blank=True)
    version = models.ForeignKey(RuleVersion, models.PROTECT, null=True, blank=True, related_name="+")
    category = models.CharField(max_length=120, blank=True)
    grounds = models.SlugField(max_length=32)
    present = models.JSONField(default=list)
    personal = models.ForeignKey(PersonalRecord, models.PROTECT, null=True, blank=True, related_name="+")
    logged_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    logged_by_name = models.CharField(max_length=120)
    logged_at = models.DateTimeField()

    state = models.CharField(max_length=16, choices=DisputeState.choices, default=DisputeState.WAITING)
    # The rung that is waiting, or was decided last.
    rung = models.PositiveSmallIntegerField(default=0)
    waiting_since_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    is_satisfied = models.BooleanField(null=True, blank=True)
    advised_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=32, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)

    objects = DisputeQuerySet.as_manager()
    read_with = ("statement", "personal", "version")
    app_privileges = UPDATABLE
    MOVES = (
        "state", "rung", "waiting_since_at", "due_at", "is_satisfied", "advised_at", "outcome", "reminded_at",
    )  # fmt: skip

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-logged_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-logged_at"], name="dispute_of_casino"),
            models.Index(fields=["casino", "state", "due_at"], name="dispute_by_due"),
            models.Index(fields=["casino", "subject_index"], name="dispute_by_subject"),
        ]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["casino", "number"], name="disputes_number_once"),
            models.CheckConstraint(condition=Q(subject_index__gte=0), name="disputes_subject_is_an_entry"),
            models.CheckConstraint(
                condition=Q(due_at=None) | Q(due_at__gte=F("waiting_since_at")), name="disputes_due_after_waiting"
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        return f"D-{self.number}"

    @classmethod
    def rows_between(cls, log: str, first: int, last: int) -> models.QuerySet[Self]:
        return super().rows_between(log, first, last).prefetch_related("wagers")

    def entry_body(self) -> dict[str, Any]:
        statement: Statement | None = getattr(self, "statement", None)
        return self.build_entry_body(
            [wager.wager for wager in self.wagers.all()], statement.digest() if statement else None
        )

    def build_entry_body(self, wagers: list[str], statement_sha256: str | None) -> dict[str, Any]:
        """Body of the entry. Rows of wagers and statement are written after it, so their values are passed in."""
        version = self.version
        return {
            "dispute": self.reference,
            "subject": {"kind": self.subject_kind, "index": self.subject_index},
            "round": self.round or None,
            "wagers": wagers,
            "rules": {"rules": version.rules, "number": version.number} if version else None,
            "category": self.category,
            "grounds": self.grounds,
            "present": self.present,
            "statement_sha256": statement_sha256,
            "patron": self.personal.as_commitment() if self.personal else None,
            "by": person_reference(self.logged_by_id, self.logged_by_name),
            "at": encode_timestamp(self.logged_at),
        }

    def standing_files(self) -> list[Attachment]:
        """Attached files whose step was not withdrawn. Without a query after with_file()."""
        standing = {step.pk for step in self.steps.all()}
        return [file for file in self.attachments.all() if file.step_id in standing]

    @property
    def is_promotion(self) -> bool:
        return self.subject_kind.startswith(PROMOTION_PREFIX)

    @property
    def is_round(self) -> bool:
        return self.subject_kind == ROUND

    @property
    def ladder(self) -> Ladder:
        return ladder_of(pack_of(self.version) if self.version else None, is_promotion=self.is_promotion)

    @property
    def current_rung(self) -> Rung:
        return self.ladder.rungs[self.rung]

    @property
    def current_state(self) -> DisputeState:
        return DisputeState(self.state)

    @property
    def tag(self) -> Tag:
        return state_tag(self.current_state)

    @property
    def is_closed(self) -> bool:
        return self.current_state is DisputeState.CLOSED

    @property
    def lacks_advice(self) -> bool:
        """The patron is not satisfied, the rules require advice of a right, and none is recorded."""
        return self.is_satisfied is False and self.advised_at is None and self.ladder.right is not None

    def is_overdue(self, now: datetime) -> bool:
        return not self.is_closed and self.due_at is not None and self.due_at < now

    def get_absolute_url(self) -> str:
        return self.address("dispute")

    def address(self, name: str, **parts: object) -> str:
        return casino_url(f"disputes:{name}", self.casino, number=self.number, **parts)


class DisputedWager(models.Model):
    """A disputed wager, as the table settled it and as the rule version does. Written with the dispute; never changed;
    kept for ever. `due_cents` is None where the rules give no amount, such as for a streak that still runs."""

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="wagers")
    wager = models.CharField(max_length=64)
    bet = models.CharField(max_length=32)
    # Clause that the settlement rests on.
    clause = models.CharField(max_length=32, blank=True)
    stake_cents = models.BigIntegerField()
    returned_cents = models.BigIntegerField(null=True, blank=True)
    due_cents = models.BigIntegerField(null=True, blank=True)

    app_privileges = APPEND_ONLY

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["dispute", "wager"], name="disputes_wager_once")]

    def __str__(self) -> str:
        return f"{self.wager}: {self.bet}"


class Statement(models.Model):
    """The patron's statement, in the words of the person who logged it. The ledger has its salted digest only. Written
    with the dispute; never changed; kept as long as it."""

    dispute = models.OneToOneField(Dispute, models.PROTECT, primary_key=True, related_name="statement")
    text = models.TextField()
    salt = models.BinaryField()

    app_privileges = APPEND_ONLY

    def __str__(self) -> str:
        return f"Statement of {self.dispute_id}"

    def digest(self) -> str:
        return formats.salted_digest({"statement": self.text}, bytes(self.salt))


class Step(WithdrawableModel):
    """One step of a dispute: decided, told, advised, paid, asked, and so on. `said` has the schema of its kind
    (bodies.py). Written by services.steps.record_step; never changed; kept for ever. Of the decisions on a rung one at
    a time stands: the others were withdrawn. `at` is when it happened, which
    may be before it was recorded; `waited_since_at` and `was_due_at` belong to the wait that it ended."""

    entry_time = "recorded_at"

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="steps")
    kind = models.CharField(max_length=32, choices=[(kind, kind) for kind in entry_kinds.STEPS])
    rung = models.PositiveSmallIntegerField(null=True, blank=True)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=120)
    role = models.CharField(max_length=32, choices=Role.choices)
    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    # For a step that ended a wait: since when it lasted, and when it was due.
    waited_since_at = models.DateTimeField(null=True, blank=True)
    was_due_at = models.DateTimeField(null=True, blank=True)
    said = models.JSONField()

    read_with = ("dispute",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        ordering: ClassVar = ["entry_index"]
        indexes: ClassVar = [models.Index(fields=["dispute", "entry_index"], name="dispute_step_order")]
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.CheckConstraint(
                condition=~Q(kind=entry_kinds.DECIDED) | Q(rung__isnull=False), name="disputes_decision_has_its_rung"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {
            "dispute": self.dispute.reference,
            "round": self.dispute.round or None,
            "subject": {"kind": self.dispute.subject_kind, "index": self.dispute.subject_index},
            "rung": self.rung,
            "by": person_reference(self.by_id, self.by_name),
            "role": self.role,
            "at": encode_timestamp(self.at),
            "waited_since": encode_timestamp(self.waited_since_at) if self.waited_since_at else None,
            "due": encode_timestamp(self.was_due_at) if self.was_due_at else None,
            **self.said,
        }

    def read_body(self) -> StepBody:
        return msgspec.convert(self.said, BODY_BY_KIND[self.kind])

    @property
    def is_late(self) -> bool:
        """Whether it ended a wait after the deadline. Exactly at the deadline is in time."""
        return self.was_due_at is not None and self.recorded_at > self.was_due_at

    @property
    def role_label(self) -> str:
        return Role(self.role).label
