"""Files, inspectors' notes, letters as issued, and drafts of disputes that are not logged yet."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models

from compliance.core.accounts.models import Casino, User
from compliance.disputes.models.dispute import APPEND_ONLY, Dispute, Step
from rounds.transparency_log import formats


class Attachment(models.Model):
    """A file of a dispute, such as a photograph of the layout. Its bytes are stored outside the web root. Written with
    a step that has its digest; never changed; kept as long as the dispute."""

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="attachments")
    step = models.OneToOneField(Step, models.PROTECT, related_name="attachment")
    # As on the person's device. Not in the ledger, because it may name somebody.
    file_name = models.CharField(max_length=120)
    sha256 = models.CharField(max_length=64)
    size_bytes = models.PositiveIntegerField()
    media_type = models.CharField(max_length=32)

    app_privileges = APPEND_ONLY

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return self.file_name

    @property
    def path(self) -> Path:
        return attachment_path(self.sha256)

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/")


def attachment_path(sha256: str) -> Path:
    return Path(settings.MEDIA_ROOT) / "disputes" / sha256[:2] / sha256


class InspectorNote(models.Model):
    """An inspector's note on a complaint, for inspectors and authority officers only. Never changed; kept for ever.
    Its step has the salted digest: nobody can change the text later, and the operator cannot read it."""

    step = models.OneToOneField(Step, models.PROTECT, primary_key=True, related_name="note")
    text = models.TextField()
    salt = models.BinaryField()

    app_privileges = APPEND_ONLY

    def __str__(self) -> str:
        return f"Note {self.pk}"

    def digest(self) -> str:
        return formats.salted_digest({"note": self.text}, bytes(self.salt))


class IssuedLetter(models.Model):
    """The PDF of an inspector's letter as it was issued, before signing. Stored, because a later release may lay out
    the same letter differently. Its step has the digest; never changed; kept for ever."""

    step = models.OneToOneField(Step, models.PROTECT, primary_key=True, related_name="letter")
    content = models.BinaryField()

    app_privileges = APPEND_ONLY

    def __str__(self) -> str:
        return f"Letter {self.pk}"


class DisputeDraft(models.Model):
    """Input for a dispute that is not logged yet; visible to its author only. Updated by autosave. Deleted when the
    dispute is logged or the draft discarded, or after a day without change."""

    casino = models.ForeignKey(Casino, models.CASCADE, related_name="+")
    person = models.ForeignKey(User, models.CASCADE, related_name="+")
    subject_index = models.BigIntegerField()
    label = models.CharField(max_length=120)
    typed = models.JSONField(default=dict)
    files = models.JSONField(default=list)
    saved_at = models.DateTimeField()

    class Meta:
        db_table = "disputes_draft"
        ordering: ClassVar = ["-saved_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["casino", "person", "subject_index"], name="disputes_one_draft_a_subject")
        ]

    def __str__(self) -> str:
        return f"Draft on entry {self.subject_index}"
