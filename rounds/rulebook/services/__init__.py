"""What can be done to the rulebook. Each function is one act: one transaction, one entry of the casino's log.

proposing.py   propose a version from a pack; rule on a reading; the source document that goes with it
deciding.py    approve, or withdraw before effect
drafting.py    the proposal that a person has not sent yet
editing.py     the text of a pack in it, as they write it
"""

from rounds.rulebook.services.deciding import approve_version, expected_effective_at, withdraw_version
from rounds.rulebook.services.drafting import discard_draft, keep_pack, keep_readings, keep_source
from rounds.rulebook.services.editing import (
    begin_edit,
    bring_back,
    give_up_edit,
    go_back,
    keep_text,
    put_aside,
    take_over,
)
from rounds.rulebook.services.proposing import Upload, propose_version, read_upload, rule_on_reading

__all__ = [
    "Upload",
    "approve_version",
    "begin_edit",
    "bring_back",
    "discard_draft",
    "expected_effective_at",
    "give_up_edit",
    "go_back",
    "keep_pack",
    "keep_readings",
    "keep_source",
    "keep_text",
    "propose_version",
    "put_aside",
    "read_upload",
    "rule_on_reading",
    "take_over",
    "withdraw_version",
]
