"""Starting points of an edit: a version of the casino, a shipped pack, the pack of the draft, or an uploaded file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from compliance.core.accounts.models import Casino
from rounds.rulebook.errors import NotUtf8Text, TextTooLarge
from rounds.rulebook.models import Draft, FrozenPack, RuleVersion
from rounds.rulebook.selectors import versions_of
from rounds.rulebook.size_limits import MAX_TEXT_BYTES
from rounds.rulebook.states import RuleVersionState
from rounds.rulepacks import PACK_FOLDER, shipped_packs

PROPOSAL, VERSION, SHIPPED, OWN_FILE = "proposal", "version", "shipped", "own"
# More would not fit a select list; older versions link to the editor from their own page.
MAX_VERSIONS_LISTED = 200


@dataclass(frozen=True)
class StartingPoint:
    """A text to begin with, its display name, and the readings adopted with it."""

    label: str
    text: str
    readings: Mapping[str, str] = field(default_factory=dict)


GroupedChoices = list[tuple[str, list[tuple[str, str]]]]


def starting_point_choices(casino: Casino, draft: Draft | None, now: datetime) -> GroupedChoices:
    """The choices of the form, grouped; versions in force come before others."""
    versions = list(versions_of(casino).order_by("rules", "-number")[:MAX_VERSIONS_LISTED])
    in_force = [version for version in versions if version.state(now) is RuleVersionState.IN_FORCE]
    others = [version for version in versions if version not in in_force]
    groups: GroupedChoices = [
        ("Your proposal", [(PROPOSAL, "The rules of your proposal so far")] if draft and draft.pack_content else []),
        ("In force now", [(starting_point_key(version), str(version)) for version in in_force]),
        (
            "Other versions",
            [(starting_point_key(each), f"{each} ({each.state(now).tag.label.lower()})") for each in others],
        ),
        ("Comes with the service", [(f"{SHIPPED}:{pack.slug}", pack.title) for pack in shipped_packs()]),
        ("Your own", [(OWN_FILE, "A file of your own")]),
    ]
    return [group for group in groups if group[1]]


def starting_point_key(version: RuleVersion) -> str:
    return f"{VERSION}:{version.rules}:{version.number}"


def load_starting_point(key: str, casino: Casino, draft: Draft | None) -> StartingPoint:
    """The starting point for a value of the form's `start` field."""
    kind, _, name = key.partition(":")
    if kind == PROPOSAL and draft is not None and draft.pack_content is not None:
        return StartingPoint("the rules of your proposal", bytes(draft.pack_content).decode(), draft.readings)
    if kind == SHIPPED:
        pack = shipped_packs().find(name)
        return StartingPoint(f"{pack.title}, as shipped", (PACK_FOLDER / f"{pack.slug}.toml").read_text("utf-8"))
    rules, _, number = name.rpartition(":")
    version = versions_of(casino).get(rules=rules, number=int(number))
    content = FrozenPack.objects.get(pk=version.pack_id).content
    return StartingPoint(str(version), bytes(content).decode(), version.readings)


def starting_point_from_file(upload: UploadedFile[Any]) -> StartingPoint:
    """The starting point from an upload. The file must be UTF-8 and not too large; otherwise it may be invalid."""
    check_text_size(upload.size or 0)
    try:
        text = upload.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotUtf8Text from error
    return StartingPoint(f"the file {upload.name}", text)


def check_text_size(size_bytes: int) -> None:
    if size_bytes > MAX_TEXT_BYTES:
        raise TextTooLarge(f"The text has {size_bytes:,} bytes, and at most {MAX_TEXT_BYTES:,} are edited here.")
