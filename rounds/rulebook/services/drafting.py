"""The proposal that a person has not sent yet: each page of it is kept as soon as it is right."""

from collections.abc import Mapping
from datetime import datetime

from compliance.accounts.models import Casino, User
from rounds.rulebook.models import Draft
from rounds.rulebook.services.proposing import Upload, read_pack_file


def keep_pack(
    *,
    casino: Casino,
    actor: User,
    content: bytes,
    file_name: str,
    now: datetime,
    suggested: Mapping[str, str] | None = None,
) -> Draft:
    """Another pack has other readings, so what was chosen before is asked again; `suggested` is chosen until then."""
    read_pack_file(content, file_name)
    readings = dict(suggested or {})
    kept = {"pack_content": content, "pack_file": file_name, "readings": readings, "has_chosen_readings": False}
    return _keep(casino, actor, now, kept)


def keep_source(*, casino: Casino, actor: User, upload: Upload, now: datetime) -> Draft:
    kept = {
        "source_content": upload.content,
        "source_file": upload.file_name,
        "source_media_type": upload.media_type,
    }
    return _keep(casino, actor, now, kept)


def keep_readings(*, casino: Casino, actor: User, readings: Mapping[str, str], now: datetime) -> Draft:
    return _keep(casino, actor, now, {"readings": dict(readings), "has_chosen_readings": True})


def discard_draft(*, casino: Casino, actor: User) -> None:
    Draft.objects.filter(casino=casino, person=actor).delete()


def _keep(casino: Casino, actor: User, now: datetime, kept: Mapping[str, object]) -> Draft:
    return Draft.objects.update_or_create(
        casino=casino, person=actor, defaults=kept, create_defaults={**kept, "started_at": now}
    )[0]
