"""What lies beside a dispute's steps: files, inspectors' notes, and drafts of what is not logged yet."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models

from compliance.core.accounts.models import Casino, User
from compliance.disputes.models.dispute import APPEND_ONLY, Dispute, Step
from rounds.ledger import formats


class Attachment(models.Model):
    """A file that belongs to a dispute, such as a photograph of the layout. Its bytes lie outside the web root.

    Added by a person, with a step that has its digest; never changed; kept as long as the dispute."""

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="attachments")
    step = models.OneToOneField(Step, models.PROTECT, related_name="attachment")
    # As the person's device called it: beside the ledger, for it may name somebody.
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
    """What an inspector notes on a complaint, for inspectors and authority officers alone. Never changed.

    Its step has the salted digest, so that nobody can change the words later, and no operator can read them."""

    step = models.OneToOneField(Step, models.PROTECT, primary_key=True, related_name="note")
    text = models.TextField()
    salt = models.BinaryField()

    app_privileges = APPEND_ONLY

    def __str__(self) -> str:
        return f"Note {self.pk}"

    def digest(self) -> str:
        return formats.salted_digest({"note": self.text}, bytes(self.salt))


class DisputeDraft(models.Model):
    """What somebody has typed of a dispute they have not logged yet. Theirs alone.

    Changed with every few keys, deleted when the dispute is logged, given up, or left alone for a day."""

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
