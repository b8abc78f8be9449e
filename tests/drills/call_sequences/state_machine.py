"""Base of the state machines: service calls in the real database; each succeeds or is refused, and the log verifies."""

from collections.abc import Callable
from typing import TypeVar

from django.db import connection, transaction
from hypothesis.stateful import RuleBasedStateMachine

from compliance.core.web.errors import Refusal
from rounds.ledger.signing.checkpoint_file import checkpoint_file_path
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.verify.verify_log import verify_log
from rounds.transparency_log.errors import LedgerError
from tests.drills.support.full_length import count_in_tally

LOG = "harbour"
Made = TypeVar("Made")


def size_of_log() -> int:
    return head_of(get_log(LOG)).size


class ServiceCallMachine(RuleBasedStateMachine):
    """Starts with its own fixture, rolled back at the end. `name` is the heading under which the drill counts its
    calls."""

    name = ""

    def __init__(self) -> None:
        super().__init__()
        self._before = transaction.savepoint()
        # Left by the previous sequence, whose log was rolled back: this log would look like a fork of it.
        checkpoint_file_path(LOG).unlink(missing_ok=True)
        self.begin()

    def begin(self) -> None:
        """Hook: creates the people and tables of the machine."""

    def attempt(self, act: Callable[[], Made]) -> Made | None:
        """Returns the result, or None if refused; a refusal must leave the log unchanged. Any other exception is a
        failure."""
        size = size_of_log()
        count_in_tally(f"calls: {self.name}")
        try:
            return act()
        except (Refusal, LedgerError):
            count_in_tally(f"calls refused: {self.name}")
            assert size_of_log() == size, "A refusal left entries behind."
            return None

    def teardown(self) -> None:
        try:
            if not connection.needs_rollback:
                connection.check_constraints()
                assert [misfit.sentence for misfit in verify_log(LOG).issues] == []
                count_in_tally(f"sequences: {self.name}")
        finally:
            transaction.savepoint_rollback(self._before)
