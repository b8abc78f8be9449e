"""Two registers beside the terms: the Authority's list of prescribed prizes, and the marketing material."""

from datetime import date, datetime

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.services.roles import lock_casinos
from promotions.errors import DecidedAlready
from promotions.standing import MAY_DECIDE, MAY_WRITE, require
from promotions.terms.kinds import MATERIAL, PRESCRIBED, UNPRESCRIBED
from promotions.terms.models import Attachment, Material, PrescribedItem, PrescribedRemoval, Promotion
from promotions.terms.uploads import Upload
from rounds.ledger.rows import write_row


@transaction.atomic
def list_prescribed(*, casino: Casino, item: str, basis: str, actor: User, now: datetime) -> PrescribedItem:
    require(actor, casino, MAY_DECIDE)
    listed = PrescribedItem(casino=casino, item=item, basis=basis, by=actor, at=now)
    return write_row(listed, kind=PRESCRIBED, log=casino.slug, now=now)


@transaction.atomic
def unlist_prescribed(*, item: PrescribedItem, reason: str, actor: User, now: datetime) -> PrescribedRemoval:
    require(actor, item.casino, MAY_DECIDE)
    lock_casinos({item.casino_id})
    if PrescribedRemoval.objects.filter(item=item).exists():
        raise DecidedAlready
    removal = PrescribedRemoval(item=item, reason=reason, by=actor, at=now)
    return write_row(removal, kind=UNPRESCRIBED, log=item.casino.slug, now=now)


@transaction.atomic
def record_material(
    *,
    promotion: Promotion,
    medium: str,
    description: str,
    used_from_on: date,
    is_referring: bool,
    where: str,
    actor: User,
    now: datetime,
    upload: Upload | None = None,
) -> Material:
    """Material that does not refer to the terms is recorded like any other: the register says what was used."""
    require(actor, promotion.casino, MAY_WRITE)
    material = Material(
        promotion=promotion, medium=medium, description=description, used_from_on=used_from_on,
        is_referring=is_referring, where=where if is_referring else "", by=actor, at=now,
        file_sha256=keep_attachment(casino=promotion.casino, upload=upload, actor=actor, now=now) if upload else "",
    )  # fmt: skip
    return write_row(material, kind=MATERIAL, log=promotion.casino.slug, now=now)


def keep_attachment(*, casino: Casino, upload: Upload, actor: User, now: datetime) -> str:
    """The digest under which it is kept; the same bytes are kept once."""
    Attachment.objects.get_or_create(
        casino=casino,
        sha256=upload.sha256,
        defaults={
            "media_type": upload.media_type, "file_name": upload.file_name, "content": upload.content,
            "kept_by": actor, "kept_at": now,
        },
    )  # fmt: skip
    return upload.sha256
