"""Reviews of findings: their current state, and all decisions, confirmations, answers and comments."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.models import Finding
from compliance.core.accounts.ledger.person_act import PersonActModel
from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.inspection.reviews.outcomes import REASON_LABELS, Outcome
from compliance.inspection.reviews.states import IN_QUEUE, WAITING, ReviewState
from rounds.ledger import LedgerModel, WithdrawableModel, encode_timestamp
from rounds.transparency_log import formats

APPEND_ONLY = ("SELECT", "INSERT")
UPDATABLE = ("SELECT", "INSERT", "UPDATE")
SEVERITY_RANKS = {Severity.SERIOUS: 0, Severity.BREACH: 1, Severity.NOTE: 2}
DEFAULT_SERVICE_HOURS = {Severity.SERIOUS: 24, Severity.BREACH: 72, Severity.NOTE: 14 * 24}


class ReviewPolicy(LedgerModel):
    """Records how findings of a casino are reviewed from a time on: within how many hours, and which need a second
    reviewer.

    Written by an authority officer; never changes: the newest applies. Kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="review_arrangements")
    service_hours = models.JSONField()
    seconded = models.JSONField()
    reason = models.CharField(max_length=300)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    made_by_name = models.CharField(max_length=120)
    made_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        db_table = "reviews_arrangement"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="reviews_arrangement_one_entry")
        ]
        ordering: ClassVar = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.casino}, {self.made_at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "service_hours": self.service_hours,
            "seconded": self.seconded,
            "reason": self.reason,
            "by": person_reference(self.made_by_id, self.made_by_name),
            "at": encode_timestamp(self.made_at),
        }


class ReviewQuerySet(models.QuerySet["Review"]):
    def waiting(self) -> "ReviewQuerySet":
        return self.filter(state__in=WAITING)

    def in_queue(self) -> "ReviewQuerySet":
        return self.filter(state__in=IN_QUEUE)

    def unanswered(self, now: datetime) -> "ReviewQuerySet":
        """Questions to the operator whose deadline has passed without an answer."""
        return self.filter(state=ReviewState.ASKED, answer_due_at__lte=now)

    def unclaimed(self, now: datetime) -> "ReviewQuerySet":
        """Never claimed, released, or with an expired claim."""
        return self.filter(Q(claim_ends_at=None) | Q(claim_ends_at__lte=now))

    def claimed_by_person(self, person: User, now: datetime) -> "ReviewQuerySet":
        return self.filter(claimed_by=person, claim_ends_at__gt=now)

    def not_accepted_by(self, person: User) -> "ReviewQuerySet":
        """Without findings that are open again because a risk that this person accepted has expired."""
        expired = Reopening.objects.filter(decision__finding=OuterRef("finding"), decision__decided_by=person)
        return self.exclude(Exists(expired.filter(decision__number=OuterRef("decided_times"))))

    def in_queue_order(self) -> "ReviewQuerySet":
        """By severity, then by due date."""
        return self.order_by("rank", "due_at", "pk")


class Review(models.Model):
    """Current state of the review of one finding: its claim, and what it has in common with others.

    Created by the consumer, updated by the services, each of which appends an entry; kept for ever. Columns of the
    finding are copied here, so that a queue of a hundred thousand is read from one index.
    """

    finding = models.OneToOneField(Finding, models.PROTECT, related_name="review")
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="reviews")
    code = models.CharField(max_length=32)
    severity = models.CharField(max_length=8)
    rank = models.PositiveSmallIntegerField()
    table = models.CharField(max_length=50, blank=True)
    bet = models.CharField(max_length=40, blank=True)
    dealer = models.CharField(max_length=120, blank=True)
    controller = models.CharField(max_length=120, blank=True)
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    state = models.CharField(max_length=12, choices=ReviewState.choices, default=ReviewState.OPEN)
    outcome = models.CharField(max_length=20, choices=Outcome.choices, blank=True)
    # Optimistic lock: a form sends the number of decisions its reader saw, and is refused if there are more.
    decided_times = models.PositiveIntegerField(default=0)
    reopens_at = models.DateTimeField(null=True, blank=True)
    # Deadline of the last question to the operator, and when the reminder about it was sent.
    answer_due_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    claimed_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    claim_ends_at = models.DateTimeField(null=True, blank=True)

    objects = ReviewQuerySet.as_manager()
    app_privileges = UPDATABLE

    class Meta:
        ordering: ClassVar = ["rank", "due_at", "pk"]
        indexes: ClassVar = [
            models.Index(
                fields=["casino", "rank", "due_at", "id"], condition=Q(state__in=WAITING), name="reviews_queue"
            ),
            models.Index(
                fields=["casino", "rank", "due_at", "id"], condition=Q(state__in=IN_QUEUE), name="reviews_listed"
            ),
            models.Index(fields=["casino", "state", "severity"], name="reviews_counts"),
            models.Index(fields=["casino", "state", "code", "table"], name="reviews_groups"),
            models.Index(fields=["casino", "dealer"], condition=~Q(dealer=""), name="reviews_dealers"),
            models.Index(fields=["claimed_by"], name="reviews_claims"),
            models.Index(fields=["answer_due_at"], condition=Q(state=ReviewState.ASKED), name="reviews_to_answer"),
            models.Index(fields=["reopens_at"], condition=Q(reopens_at__isnull=False), name="reviews_to_reopen"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(state__in=ReviewState.values), name="reviews_state_known"),
            models.CheckConstraint(condition=Q(outcome__in=["", *Outcome.values]), name="reviews_outcome_known"),
            models.CheckConstraint(
                condition=Q(claimed_by=None, claim_ends_at=None)
                | Q(claimed_by__isnull=False, claim_ends_at__isnull=False),
                name="reviews_claim_whole",
            ),
            models.CheckConstraint(
                condition=~Q(state=ReviewState.ASKED) | Q(answer_due_at__isnull=False), name="reviews_asked_by_when"
            ),
            models.CheckConstraint(
                condition=Q(reopens_at=None) | Q(outcome=Outcome.RISK_ACCEPTED), name="reviews_reopens_if_accepted"
            ),
        ]

    def __str__(self) -> str:
        return f"Review of {self.code} {self.finding_id}"

    def is_claimed_by(self, person: User, now: datetime) -> bool:
        return self.claimed_by_id == person.pk and self.claim_ends_at is not None and self.claim_ends_at > now

    def is_claimed_by_another(self, person: User, now: datetime) -> bool:
        return (
            self.claimed_by_id not in (None, person.pk) and self.claim_ends_at is not None and self.claim_ends_at > now
        )

    @property
    def is_serious(self) -> bool:
        return self.severity == Severity.SERIOUS

    @property
    def tag(self) -> Tag:
        """The outcome, if there is one to show; otherwise the state."""
        is_over = self.state == ReviewState.DECIDED and self.outcome
        return Outcome(self.outcome).tag if is_over else ReviewState(self.state).tag

    def is_unanswered(self, now: datetime) -> bool:
        return self.state == ReviewState.ASKED and self.answer_due_at is not None and self.answer_due_at <= now

    def time_left(self, now: datetime) -> timedelta:
        return self.due_at - now


class Decision(WithdrawableModel):
    """Records one person's decision on a finding. A changed decision is a new row with a higher number;
    a withdrawn one keeps its number.

    Written by an inspector or authority officer; never changes; kept for ever. The note is private to inspectors: the
    entry carries only its salted digest.
    """

    finding = models.ForeignKey(Finding, models.PROTECT, related_name="decisions")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    reason = models.CharField(max_length=30)
    note = models.TextField()
    note_salt = models.BinaryField(max_length=32)
    # Read and answered by the operator, unlike the note.
    question = models.TextField(blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    accepted_until = models.DateTimeField(null=True, blank=True)
    is_to_be_seconded = models.BooleanField(default=False)
    # The same for all decisions of one group decision.
    together = models.CharField(max_length=36, blank=True)
    decided_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    decided_by_name = models.CharField(max_length=120)
    decided_at = models.DateTimeField()

    read_with = ("finding",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        ordering: ClassVar = ["finding", "number"]
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.UniqueConstraint(fields=["finding", "number"], name="reviews_decision_number_once"),
            models.CheckConstraint(condition=Q(outcome__in=Outcome.values), name="reviews_decision_outcome_known"),
            models.CheckConstraint(condition=Q(reason__in=list(REASON_LABELS)), name="reviews_decision_reason_known"),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.NEEDS_INFORMATION, due_at__isnull=False, due_at__gt=F("decided_at"))
                & ~Q(question="")
                | ~Q(outcome=Outcome.NEEDS_INFORMATION) & Q(question="", due_at=None),
                name="reviews_decision_question_whole",
            ),
            models.CheckConstraint(
                condition=Q(
                    outcome=Outcome.RISK_ACCEPTED, accepted_until__isnull=False, accepted_until__gt=F("decided_at")
                )
                | ~Q(outcome=Outcome.RISK_ACCEPTED) & Q(accepted_until=None),
                name="reviews_decision_risk_expires",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_outcome_display()}, decision {self.number} on {self.finding_id}"

    @property
    def reason_label(self) -> str:
        return REASON_LABELS[self.reason]

    @property
    def tag(self) -> Tag:
        return Outcome(self.outcome).tag

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "finding": self.finding.entry_index,
            "code": self.finding.code,
            "number": self.number,
            "outcome": self.outcome,
            "reason": self.reason,
            "note_sha256": formats.salted_digest({"note": self.note}, bytes(self.note_salt)),
            "question": self.question or None,
            "due_at": encode_timestamp(self.due_at) if self.due_at else None,
            "accepted_until": encode_timestamp(self.accepted_until) if self.accepted_until else None,
            "to_be_seconded": self.is_to_be_seconded,
            "together": self.together or None,
            "by": person_reference(self.decided_by_id, self.decided_by_name),
            "at": encode_timestamp(self.decided_at),
        }

    def get_confirmation(self) -> "Confirmation | None":
        """The one that was not withdrawn. Without a query if prefetched, like get_answer()."""
        return next(iter(self.confirmations.all()), None)

    def get_answer(self) -> "Answer | None":
        return next(iter(self.answers.all()), None)

    @property
    def answer_href(self) -> str:
        return casino_url("reviews:answer", self.log, question=self.entry_index)


class Confirmation(WithdrawableModel):
    """Records that a second reviewer, never the one who decided, agreed with a decision or did not. One
    stands at a time; never changes; kept for ever."""

    decision = models.ForeignKey(Decision, models.PROTECT, related_name="confirmations")
    agrees = models.BooleanField()
    note = models.TextField(blank=True)
    note_salt = models.BinaryField(max_length=32)
    confirmed_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    confirmed_by_name = models.CharField(max_length=120)
    confirmed_at = models.DateTimeField()

    read_with = ("decision",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.CheckConstraint(condition=Q(agrees=True) | ~Q(note=""), name="reviews_disagreement_says_why"),
        ]

    def __str__(self) -> str:
        return f"{'Agreed' if self.agrees else 'Disagreed'} with decision {self.decision_id}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "decision": self.decision.entry_index,
            "agrees": self.agrees,
            "note_sha256": formats.salted_digest({"note": self.note}, bytes(self.note_salt)),
            "by": person_reference(self.confirmed_by_id, self.confirmed_by_name),
            "at": encode_timestamp(self.confirmed_at),
        }


class Answer(WithdrawableModel):
    """Records the operator's answer to a question. Written by the compliance officer; one stands at a time; never
    changes; kept for ever."""

    decision = models.ForeignKey(Decision, models.PROTECT, related_name="answers")
    text = models.TextField()
    answered_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    answered_by_name = models.CharField(max_length=120)
    answered_at = models.DateTimeField()

    read_with = ("decision",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.CheckConstraint(condition=~Q(text=""), name="reviews_answer_says_something"),
        ]

    def __str__(self) -> str:
        return f"Answer to decision {self.decision_id}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "question": self.decision.entry_index,
            "answer": self.text,
            "by": person_reference(self.answered_by_id, self.answered_by_name),
            "at": encode_timestamp(self.answered_at),
        }


class Comment(PersonActModel, WithdrawableModel):
    """Records what a person of the operator wrote about a finding, unasked. Never changes; kept for ever. Inspectors
    read it with the finding."""

    finding = models.ForeignKey(Finding, models.PROTECT, related_name="comments")
    text = models.TextField()

    read_with = ("finding",)
    app_privileges = APPEND_ONLY

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["finding", "entry_index"]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.CheckConstraint(condition=~Q(text=""), name="reviews_comment_says_something"),
        ]

    def __str__(self) -> str:
        return f"Comment on finding {self.finding_id}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "finding": self.finding.entry_index,
            "code": self.finding.code,
            "comment": self.text,
            **self.act_fields(),
        }


class Reopening(LedgerModel):
    """Records that a finding was reopened automatically when its accepted risk expired. Never changes; kept for
    ever."""

    decision = models.OneToOneField(Decision, models.PROTECT, related_name="reopening")
    reopened_at = models.DateTimeField()

    read_with = ("decision",)
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"Opened again after decision {self.decision_id}"

    def entry_body(self) -> Mapping[str, Any]:
        return {"decision": self.decision.entry_index, "at": encode_timestamp(self.reopened_at)}
