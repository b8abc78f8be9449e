"""verify_ledger compares the rows of halts and epochs with the entry that ended the halt."""

import pytest

from compliance.transparency.recovery.models import EpochBegun
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, play
from tests.compliance.transparency.recovery.test_read_only_mode import begin, halt
from tests.rounds.ledger import harbour_log

RENUMBERED = """
    INSERT INTO ledger_halt SELECT log_id, 3, size, reason, note, halted_at FROM ledger_halt;
    UPDATE ledger_epoch SET number = 3;
    DELETE FROM ledger_halt WHERE epoch = 2
"""
AGAIN = "INSERT INTO ledger_halt SELECT log_id, 3, {}, reason, note, halted_at FROM ledger_halt"


@pytest.fixture
def begun(committed_floor: Floor) -> EpochBegun:
    """Three rounds, a halt, the entry that ended it, and three more rounds."""
    play(3)
    halt()
    epoch = begin(committed_floor)
    play(3, first=3)
    return epoch


def test_what_nobody_touched_is_whole_in_either_state(begun: EpochBegun) -> None:
    assert verify_log("harbour").is_intact
    halt()
    assert verify_log("harbour").is_intact


@pytest.mark.parametrize(
    ("deed", "place", "says"),
    [
        (
            "UPDATE ledger_halt SET halted_at = '2026-11-17T08:30:00Z'",
            0,
            "says halted_at 2026-11-17T08:30:00.000000Z; the entry says 2026-11-17T09:30:00.000000Z.",
        ),
        ("UPDATE ledger_halt SET halted_at = '-infinity'", 0, "says halted_at 1000-01-01T00:00:00.000000Z; the entry"),
        ("UPDATE ledger_halt SET size = size - 1", 0, "by the row of the halt, and its epoch begins here."),
        (RENUMBERED, 0, "says epoch 3; the entry says 2."),
        ("UPDATE ledger_epoch SET entry_index = entry_index - 1", 0, "and no row of this log says so."),
        ("UPDATE ledger_epoch SET entry_index = entry_index - 1", -1, "the row of epoch 2 says that it begins here"),
        ("DELETE FROM ledger_epoch; DELETE FROM ledger_halt", 0, "and no row of this log says so."),
        ("DELETE FROM ledger_epoch", 0, "though the log was halted before it, and epoch 2 has not begun."),
        (AGAIN.format("size + 2"), 2, "though the log was halted before it, and epoch 3 has not begun."),
    ],
)
def test_a_row_that_was_changed_is_named_with_its_entry(begun: EpochBegun, deed: str, place: int, says: str) -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(deed)
    found = [one.sentence for one in verify_log("harbour").issues if one.index == begun.entry_index + place]
    assert any(words.startswith(f"Entry {begun.entry_index + place}: epochs: ") and says in words for words in found)


@pytest.mark.parametrize(
    ("deed", "says"),
    [
        ("UPDATE ledger_epoch SET entry_index = 9000", "Epoch 2 begins with entry 9000, by its row; the log has"),
        (AGAIN.format("9000"), "Epoch 3 follows a halt at 9000 entries, by the row of the halt; the log has"),
    ],
)
def test_a_row_of_what_the_log_does_not_have_is_named(begun: EpochBegun, deed: str, says: str) -> None:
    with harbour_log.unguarded() as rogue:
        rogue.execute(deed)
    assert any(one.sentence.startswith(says) for one in verify_log("harbour").issues)
