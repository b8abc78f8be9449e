"""The Authority's list of prescribed prizes, and the register of marketing material."""

from datetime import date, datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.services.roles import lock_casinos
from compliance.core.web.files.uploads import Upload
from promotions.shared.errors import DecidedAlready
from promotions.shared.permissions import MAY_DECIDE, MAY_WRITE, check_roles
from promotions.terms.entry_kinds import MATERIAL, PRESCRIBED, UNPRESCRIBED
from promotions.terms.models import Attachment, Material, PrescribedItem, PrescribedRemoval, Promotion
from rounds.ledger import write_row


@transaction.atomic
def add_prescribed_item(*, casino: Casino, item: str, basis: str, actor: User, now: datetime) -> PrescribedItem:
    check_roles(actor, casino, MAY_DECIDE)
    listed = PrescribedItem(casino=casino, item=item, basis=basis, by=actor, at=now)
    return write_row(listed, kind=PRESCRIBED, log=casino.slug, now=now)


@transaction.atomic
def remove_prescribed_item(*, item: PrescribedItem, reason: str, actor: User, now: datetime) -> PrescribedRemoval:
    check_roles(actor, item.casino, MAY_DECIDE)
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
    """Material without a reference to the terms is recorded too: the register states what was used."""
    check_roles(actor, promotion.casino, MAY_WRITE)
    material = Material(
        promotion=promotion,
        medium=medium,
        description=description,
        used_from_on=used_from_on,
        is_referring=is_referring,
        where=where if is_referring else "",
        by=actor,
        at=now,
        file_sha256=save_attachment(casino=promotion.casino, upload=upload, actor=actor, now=now) if upload else "",
    )
    return write_row(material, kind=MATERIAL, log=promotion.casino.slug, now=now)


def save_attachment(*, casino: Casino, upload: Upload, actor: User, now: datetime) -> str:
    """Returns the digest under which the file is stored. Identical files are stored once."""
    Attachment.objects.get_or_create(
        casino=casino,
        sha256=upload.sha256,
        defaults={
            "media_type": upload.media_type,
            "file_name": upload.file_name,
            "content": upload.content,
            "kept_by": actor,
            "kept_at": now,
        },
    )
    return upload.sha256
