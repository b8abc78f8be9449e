"""A log that no longer matches its signed checkpoint records lines, and answers that it cannot prove them."""

import pytest
from django.test import Client
from pytest_django import Settings

from rounds.ledger.models import Head, SignedCheckpoint
from tests.rounds.intake.controller_client import Feeder
from tests.rounds.intake.services.test_batches import entries_of_controllers
from tests.rounds.ledger import harbour_log

WAIT = "?wait=checkpoint"


@pytest.fixture
def before(feeder: Feeder) -> Head:
    """The head of the log after the first of five lines; the checkpoint covers all five."""
    feeder.client = Client(raise_request_exception=False)
    assert feeder.send(feeder.line()).status_code == 200
    head = Head.objects.get(log__slug="harbour")
    assert feeder.send(*(feeder.line() for _ in range(4)), query=WAIT).status_code == 200
    return head


def lose_entries_since(before: Head) -> None:
    with harbour_log.unguarded() as admin:
        admin.execute(f"DELETE FROM {harbour_log.partition()} WHERE index >= {before.size}")


def go_back_to(before: Head) -> None:
    """Restores an older state of the database, except for the checkpoint."""
    lose_entries_since(before)
    with harbour_log.unguarded() as admin:
        admin.execute(
            "UPDATE ledger_head SET size = %s, frontier = %s WHERE log_id = %s",
            [before.size, bytes(before.frontier), before.log_id],
        )
        admin.execute("SET LOCAL session_replication_role = replica")
        admin.execute(f"DELETE FROM intake_batch WHERE log = 'harbour' AND first_index >= {before.size}")


def check_not_proved(feeder: Feeder) -> None:
    """The proof is refused, but the line is recorded: resent without wait=checkpoint it gets its receipt."""
    line = feeder.line()
    response = feeder.send(line, query=WAIT)
    assert response.status_code == 503, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "no-checkpoint"
    assert "are recorded" in response.json()["detail"]
    assert "Retry-After" not in response.headers
    recorded = entries_of_controllers()[-1]
    assert recorded.body == line
    [receipt] = feeder.send(line).json()["receipts"]
    assert receipt["index"] == recorded.index


def test_entries_that_a_checkpoint_covers_are_gone(feeder: Feeder, before: Head) -> None:
    lose_entries_since(before)
    check_not_proved(feeder)


def test_the_log_holds_fewer_entries_than_its_checkpoint_covers(feeder: Feeder, before: Head) -> None:
    go_back_to(before)
    check_not_proved(feeder)


def test_only_the_checkpoint_kept_outside_tells_that_there_were_more(feeder: Feeder, before: Head) -> None:
    """As after restoring an older backup: the database has no later checkpoint, and no new one is signed."""
    go_back_to(before)
    with harbour_log.unguarded() as admin:
        admin.execute("DELETE FROM ledger_checkpoint")
    check_not_proved(feeder)
    assert not SignedCheckpoint.objects.exists()


def test_the_key_is_gone(feeder: Feeder, before: Head, settings: Settings) -> None:
    settings.LEDGER_KEY_FILE.unlink()
    check_not_proved(feeder)
