"""What can be done to the rulebook. Each function is one act: one transaction, one entry of the casino's log.

proposing.py   propose a version from a pack; rule on a reading; the source document that goes with it
deciding.py    approve, or withdraw before effect
drafting.py    the proposal that a person has not sent yet
editing.py     the text of a pack in it, as they write it
"""

from rounds.rulebook.editor.services import (
    apply_edit_to_draft,
    begin_edit,
    discard_edit,
    reset_to_start,
    restore_stashed_text,
    save_text,
    stash_text,
)
from rounds.rulebook.versions.approve import approve_version, expected_effective_at, withdraw_version
from rounds.rulebook.versions.drafts import discard_draft, save_draft_pack, save_draft_readings, save_draft_source
from rounds.rulebook.versions.propose import SourceUpload, propose_version, read_source_upload, rule_on_reading

__all__ = [
    "SourceUpload",
    "apply_edit_to_draft",
    "approve_version",
    "begin_edit",
    "discard_draft",
    "discard_edit",
    "expected_effective_at",
    "propose_version",
    "read_source_upload",
    "reset_to_start",
    "restore_stashed_text",
    "rule_on_reading",
    "save_draft_pack",
    "save_draft_readings",
    "save_draft_source",
    "save_text",
    "stash_text",
    "withdraw_version",
]
