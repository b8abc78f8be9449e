"""Services that save the steps of a proposal in its draft. Each step is saved once it is valid."""

from collections.abc import Mapping
from datetime import datetime

from compliance.core.accounts.models import Casino, User
from rounds.rulebook.models import Draft
from rounds.rulebook.versions.propose import SourceUpload, validate_pack_file


def save_draft_pack(
    *,
    casino: Casino,
    actor: User,
    content: bytes,
    file_name: str,
    now: datetime,
    suggested_readings: Mapping[str, str] | None = None,
) -> Draft:
    """Saves the pack and resets the step for readings, because another pack has other readings.
    `suggested_readings` are preselected there."""
    validate_pack_file(content, file_name)
    readings = dict(suggested_readings or {})
    fields = {"pack_content": content, "pack_file": file_name, "readings": readings, "has_chosen_readings": False}
    return _save_draft(casino, actor, now, fields)


def save_draft_source(*, casino: Casino, actor: User, upload: SourceUpload, now: datetime) -> Draft:
    fields = {
        "source_content": upload.content,
        "source_file": upload.file_name,
        "source_media_type": upload.media_type,
    }
    return _save_draft(casino, actor, now, fields)


def save_draft_readings(*, casino: Casino, actor: User, readings: Mapping[str, str], now: datetime) -> Draft:
    return _save_draft(casino, actor, now, {"readings": dict(readings), "has_chosen_readings": True})


def discard_draft(*, casino: Casino, actor: User) -> None:
    Draft.objects.filter(casino=casino, person=actor).delete()


def _save_draft(casino: Casino, actor: User, now: datetime, fields: Mapping[str, object]) -> Draft:
    return Draft.objects.update_or_create(
        casino=casino, person=actor, defaults=fields, create_defaults={**fields, "started_at": now}
    )[0]
