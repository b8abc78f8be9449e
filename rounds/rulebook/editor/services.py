"""Services of the editor: begin an edit, autosave its text with optimistic locking, restore, apply it to the draft."""

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
    """The text as stored: CRLF line ends, which browsers always send, become LF. Raises TextTooLarge."""
    content = text.replace("\r\n", "\n").encode("utf-8", "replace")
    check_text_size(len(content))
    return content


@transaction.atomic
def begin_edit(*, casino: Casino, actor: User, start: StartingPoint, now: datetime) -> PackEdit:
    """Starts an edit from a text. The text of an earlier edit is kept in `put_aside`."""
    content = encode_text(start.text)
    draft, _ = Draft.objects.get_or_create(casino=casino, person=actor, defaults={"started_at": now})
    former = PackEdit.objects.select_for_update().filter(draft=draft).first()
    fields = {
        "content": content,
        "number": former.number + 1 if former else 1,
        "window": "",
        "kept_at": now,
        "began_from": start.label[:300],
        "began_content": content,
        "began_readings": dict(start.readings),
        "put_aside": former.content if former and bytes(former.content) != content else None,
    }
    return PackEdit.objects.update_or_create(draft=draft, defaults=fields)[0]


@transaction.atomic
def save_text(
    *, edit: PackEdit, text: str, number: int, window: str, now: datetime, is_overwrite: bool = False
) -> PackEdit:
    """Saves the text. Raises ChangedInOtherWindow if another window saved since; with `is_overwrite`, the other
    window's text moves to `put_aside` instead."""
    content = encode_text(text)
    edit = _lock_edit(edit)
    if bytes(edit.content) == content:
        return edit
    # The form for single values sends no window name, so it never counts as the window that saved last.
    is_elsewhere = edit.number != number and (edit.window != window or not window)
    if is_elsewhere and not is_overwrite:
        raise ChangedInOtherWindow(edit)
    if is_elsewhere:
        edit.put_aside = edit.content
    return _save_content(edit, content, window, now)


@transaction.atomic
def stash_text(*, edit: PackEdit, text: str) -> PackEdit:
    """Keeps this window's text in `put_aside`, while the other window's text stays the current one."""
    content = encode_text(text)
    edit = _lock_edit(edit)
    edit.put_aside = content
    edit.save()
    return edit


@transaction.atomic
def reset_to_start(*, edit: PackEdit, now: datetime) -> PackEdit:
    """Restores the starting text; the current text moves to `put_aside`."""
    edit = _lock_edit(edit)
    edit.put_aside = edit.content
    return _save_content(edit, bytes(edit.began_content), "", now)


@transaction.atomic
def restore_stashed_text(*, edit: PackEdit, now: datetime) -> PackEdit:
    """Swaps the current text with the one in `put_aside`."""
    edit = _lock_edit(edit)
    if edit.put_aside is None:
        return edit
    content, edit.put_aside = bytes(edit.put_aside), edit.content
    return _save_content(edit, content, "", now)


@transaction.atomic
def apply_edit_to_draft(*, edit: PackEdit, casino: Casino, actor: User, now: datetime) -> Draft:
    """The text becomes the pack of the draft. Raises BadPack with every problem, and ChangedInOtherWindow if the text
    was saved since `edit` was loaded, because that text was not analysed."""
    analysed, edit = edit.number, _lock_edit(edit)
    if edit.number != analysed:
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
    PackEdit.objects.filter(pk=edit.pk).delete()


def _lock_edit(edit: PackEdit) -> PackEdit:
    return PackEdit.objects.select_for_update(of=("self",)).select_related("draft").get(pk=edit.pk)


def _save_content(edit: PackEdit, content: bytes, window: str, now: datetime) -> PackEdit:
    edit.content, edit.number, edit.window, edit.kept_at = content, edit.number + 1, window[:32], now
    edit.save()
    return edit
