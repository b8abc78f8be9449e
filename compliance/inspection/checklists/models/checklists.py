"""Checklists: a rule version answered clause by clause, first as a draft, then signed and frozen."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.web.ui.components import Tag
from compliance.inspection.checklists.answer_choices import BASES_NEEDING_COMMENT, AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.models.samples import APPEND_ONLY, UPDATABLE
from rounds.ledger import LedgerModel, WithdrawableModel, encode_timestamp
from rounds.rulebook.models import RuleVersion

COMMENT_IF_NEEDED = ~Q(basis__in=BASES_NEEDING_COMMENT) | ~Q(comment="")


class Checklist(LedgerModel):
    """Records that an inspector began a checklist of a rule version for a period.

    Written by an inspector; never changes; kept for ever. To change a signed one, another that supersedes it is begun.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="checklists")
    version = models.ForeignKey(RuleVersion, models.PROTECT, related_name="checklists")
    since = models.DateTimeField()
    until = models.DateTimeField()
    supersedes = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="successor")
    begun_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    begun_by_name = models.CharField(max_length=120)
    begun_at = models.DateTimeField()

    read_with = ("version", "supersedes")
    # Annotation of `checklists_of()`.
    is_sign_off_withdrawn: bool = False
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-begun_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "-begun_at"], name="checklists_newest")]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="checklists_checklist_has_time"),
        ]

    def __str__(self) -> str:
        return f"Checklist {self.entry_index:,}"

    @property
    def is_signed(self) -> bool:
        """Whether it was signed off. It stays as it was signed, even if the sign-off was withdrawn."""
        return hasattr(self, "sign_off")

    @property
    def is_superseded(self) -> bool:
        """Whether another checklist that supersedes it was signed. One only begun does not count."""
        return hasattr(self, "successor") and self.successor.is_signed

    @property
    def tag(self) -> Tag:
        if self.is_superseded:
            return Tag("Superseded", "neutral")
        if self.is_sign_off_withdrawn:
            return Tag("Sign-off withdrawn", "warning")
        return Tag("Signed off", "success") if self.is_signed else Tag("In work", "warning")

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "rules": self.version.rules,
            "version": self.version.number,
            "since": encode_timestamp(self.since),
            "until": encode_timestamp(self.until),
            "supersedes": self.supersedes.entry_index if self.supersedes else None,
            "by": person_reference(self.begun_by_id, self.begun_by_name),
            "at": encode_timestamp(self.begun_at),
        }


class DraftAnswer(models.Model):
    """The current answer to a clause before the sign-off. Can change until then, never after.

    No ledger entry. Kept together with the signed answer.
    """

    checklist = models.ForeignKey(Checklist, models.PROTECT, related_name="drafts")
    clause = models.CharField(max_length=80)
    verdict = models.CharField(max_length=14, choices=ClauseVerdict.choices)
    basis = models.CharField(max_length=14, choices=AnswerBasis.choices)
    comment = models.TextField(blank=True)
    changed_times = models.PositiveIntegerField(default=1)
    answered_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    answered_at = models.DateTimeField()

    app_privileges = UPDATABLE

    class Meta:
        ordering: ClassVar = ["checklist", "clause"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["checklist", "clause"], name="checklists_draft_once"),
            models.CheckConstraint(condition=COMMENT_IF_NEEDED, name="checklists_draft_commented"),
        ]

    def __str__(self) -> str:
        return f"{self.clause}: {self.get_verdict_display()}"


class ClauseAnswer(WithdrawableModel):
    """The signed answer to one clause, with what the audit said about the clause at that time.

    Written at the sign-off, one entry for each clause; never changes; kept for ever.
    """

    checklist = models.ForeignKey(Checklist, models.PROTECT, related_name="answers")
    clause = models.CharField(max_length=80)
    verdict = models.CharField(max_length=14, choices=ClauseVerdict.choices)
    basis = models.CharField(max_length=14, choices=AnswerBasis.choices)
    comment = models.TextField(blank=True)
    audit_said = models.TextField()
    answered_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    answered_by_name = models.CharField(max_length=120)
    answered_at = models.DateTimeField()

    read_with = ("checklist",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        ordering: ClassVar = ["entry_index"]
        constraints: ClassVar = [
            *WithdrawableModel.Meta.constraints,
            models.UniqueConstraint(fields=["checklist", "clause"], name="checklists_answer_once"),
            models.CheckConstraint(condition=COMMENT_IF_NEEDED, name="checklists_answer_commented"),
            models.CheckConstraint(
                condition=Q(verdict__in=ClauseVerdict.values), name="checklists_answer_verdict_known"
            ),
            models.CheckConstraint(condition=Q(basis__in=AnswerBasis.values), name="checklists_answer_basis_known"),
        ]

    def __str__(self) -> str:
        return f"{self.clause}: {self.get_verdict_display()}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "checklist": self.checklist.entry_index,
            "clause": self.clause,
            "verdict": self.verdict,
            "basis": self.basis,
            "comment": self.comment,
            "audit_said": self.audit_said,
            "by": person_reference(self.answered_by_id, self.answered_by_name),
            "at": encode_timestamp(self.answered_at),
        }


class SignOff(WithdrawableModel):
    """Records that a person signed a checklist with all its answers, after reauthentication. Once; never changes; kept
    for ever."""

    checklist = models.OneToOneField(Checklist, models.PROTECT, related_name="sign_off")
    answers = models.PositiveIntegerField()
    answers_sha256 = models.CharField(max_length=64)
    conclusion = models.TextField()
    # Audit position in the log at the sign-off; None if nothing was audited.
    audited_up_to = models.BigIntegerField(null=True)
    signed_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    signed_by_name = models.CharField(max_length=120)
    signed_at = models.DateTimeField()

    read_with = ("checklist",)
    app_privileges = APPEND_ONLY

    class Meta(WithdrawableModel.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.checklist}, signed by {self.signed_by_name}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "checklist": self.checklist.entry_index,
            "answers": self.answers,
            "answers_sha256": self.answers_sha256,
            "conclusion": self.conclusion,
            "audited_up_to": self.audited_up_to,
            "by": person_reference(self.signed_by_id, self.signed_by_name),
            "at": encode_timestamp(self.signed_at),
        }
