"""The text of a pack as its writer types it: kept at every pause, never written over unseen, taken over when right."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from rounds.rulebook.editor.analysis import carry_over_readings
from rounds.rulebook.editor.starting_points import StartingPoint, check_text_size
from rounds.rulebook.errors import ChangedInOtherWindow
from rounds.rulebook.models import Draft, PackEdit
from rounds.rulebook.selectors import UNSAFE_FILE_NAME_CHARACTERS
from rounds.rulebook.versions.drafts import save_draft_pack
from rounds.rulebook.versions.propose import validate_pack_file


def encode_text(text: str) -> bytes:
    """As it is kept: browsers send every end of a line as two characters, whatever was there."""
    content = text.replace("\r\n", "\n").encode("utf-8", "replace")
    check_text_size(len(content))
    return content


@transaction.atomic
def begin_edit(*, casino: Casino, actor: User, start: StartingPoint, now: datetime) -> PackEdit:
    """A text that was being edited is put aside."""
    content = encode_text(start.text)
    draft, _ = Draft.objects.get_or_create(casino=casino, person=actor, defaults={"started_at": now})
    former = PackEdit.objects.select_for_update().filter(draft=draft).first()
    kept = {
        "content": content,
        "number": former.number + 1 if former else 1,
        "window": "",
        "kept_at": now,
        "began_from": start.label[:300],
        "began_content": content,
        "began_readings": dict(start.readings),
        "put_aside": former.content if former and bytes(former.content) != content else None,
    }
    return PackEdit.objects.update_or_create(draft=draft, defaults=kept)[0]


@transaction.atomic
def save_text(
    *, edit: PackEdit, text: str, number: int, window: str, now: datetime, is_overwrite: bool = False
) -> PackEdit:
    """Refused where another window kept something since; what is written over on purpose is put aside."""
    content = encode_text(text)
    edit = _lock_edit(edit)
    if bytes(edit.content) == content:
        return edit
    # A form that is no window of the editor has no name, and is never the one that kept it last.
    is_elsewhere = edit.number != number and (edit.window != window or not window)
    if is_elsewhere and not is_overwrite:
        raise ChangedInOtherWindow(edit)
    if is_elsewhere:
        edit.put_aside = edit.content
    return _save_content(edit, content, window, now)


@transaction.atomic
def stash_text(*, edit: PackEdit, text: str) -> PackEdit:
    """What one window typed, while the text of another goes on."""
    content = encode_text(text)
    edit = _lock_edit(edit)
    edit.put_aside = content
    edit.save()
    return edit


@transaction.atomic
def reset_to_start(*, edit: PackEdit, now: datetime) -> PackEdit:
    """To what it began as."""
    edit = _lock_edit(edit)
    edit.put_aside = edit.content
    return _save_content(edit, bytes(edit.began_content), "", now)


@transaction.atomic
def restore_stashed_text(*, edit: PackEdit, now: datetime) -> PackEdit:
    """What was put aside and what is there change places."""
    edit = _lock_edit(edit)
    if edit.put_aside is None:
        return edit
    content, edit.put_aside = bytes(edit.put_aside), edit.content
    return _save_content(edit, content, "", now)


@transaction.atomic
def apply_edit_to_draft(*, edit: PackEdit, casino: Casino, actor: User, now: datetime) -> Draft:
    """The text becomes the pack of the proposal; one with a fault is refused with every fault named. Refused as well
    where another was kept since: nobody looked at that one."""
    examined, edit = edit.number, _lock_edit(edit)
    if edit.number != examined:
        raise ChangedInOtherWindow(edit)
    content = bytes(edit.content)
    pack = validate_pack_file(content, "The text")
    chosen = edit.draft.readings or edit.began_readings
    if edit.is_applied_to_draft:
        return edit.draft
    return save_draft_pack(
        casino=casino,
        actor=actor,
        content=content,
        now=now,
        suggested_readings=carry_over_readings(pack, chosen),
        file_name=UNSAFE_FILE_NAME_CHARACTERS.sub("-", pack.name)[:190] + ".toml",
    )


def discard_edit(*, edit: PackEdit) -> None:
    edit.delete()


def _lock_edit(edit: PackEdit) -> PackEdit:
    return PackEdit.objects.select_for_update(of=("self",)).select_related("draft").get(pk=edit.pk)


def _save_content(edit: PackEdit, content: bytes, window: str, now: datetime) -> PackEdit:
    edit.content, edit.number, edit.window, edit.kept_at = content, edit.number + 1, window[:32], now
    edit.save()
    return edit
