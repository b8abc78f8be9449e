"""Each statement of a transaction fails in turn: nothing is ever left half done.

Either a superuser really ends the session, or only the statement fails. Every table is compared before and after.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
import time_machine
from django.db import DatabaseError, connection, transaction
from django.test import Client
from pytest_django import Settings

from compliance.audit.models import Block, Coverage, Finding, PackedRound
from compliance.audit.run.consumer import consume_log
from compliance.audit.run.record_findings import audit_next_blocks
from rounds.ledger.models import SignedCheckpoint, Tile
from rounds.ledger.signing.checkpoints import create_key_file, newest_checkpoint_note, sign_log
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import NewEntry, append, make_entry
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import wager
from tests.conftest import superuser
from tests.drills.support.full_length import count_in_tally
from tests.entry_kinds import NOTE
from tests.rounds.floor.crew import Crew, gather
from tests.rounds.intake.controller_client import Feeder, feeder_at

NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
MOST_STATEMENTS = 120
TILE = 256
EndedAt = Callable[[int], AbstractContextManager["StatementFailure"]]


@pytest.fixture
def crew(transactional_db: None, tmp_path: Path, settings: Settings) -> Crew:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return gather()


FULL = "DO $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$"


class StatementFailure:
    """Fails just before the n-th statement; COPY and COMMIT count too."""

    def __init__(self, admin: psycopg.Connection, place: int, *, is_session_lost: bool) -> None:
        self.admin, self.left, self.is_session_lost = admin, place, is_session_lost

    def count(self) -> bool:
        """Whether this statement must fail; if the session is ended, it fails by itself."""
        self.left -= 1
        if self.left == 0 and self.is_session_lost:
            # Waits until the session is gone.
            pid = connection.connection.info.backend_pid
            self.admin.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])
        return self.left == 0 and not self.is_session_lost

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.count():
            return execute(FULL, [()] if many else None, many, context)
        return execute(sql, params, many, context)


@pytest.fixture(params=[True, False], ids=["the session is lost", "the statement fails"])
def ended_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> EndedAt:
    return partial(fail_at_statement, monkeypatch, is_session_lost=request.param)


@contextmanager
def fail_at_statement(
    monkeypatch: pytest.MonkeyPatch, place: int, *, is_session_lost: bool
) -> Iterator[StatementFailure]:
    connection.ensure_connection()
    copy, commit = psycopg.Cursor.copy, psycopg.Connection.commit
    with superuser(connection.settings_dict["NAME"]) as admin, monkeypatch.context() as patch:
        ending = StatementFailure(admin, place, is_session_lost=is_session_lost)

        def counted_copy(self: Any, *args: Any, **kwargs: Any) -> Any:
            if ending.count():
                self.execute(FULL)
            return copy(self, *args, **kwargs)

        def counted_commit(self: Any) -> None:
            if self is not admin and ending.count():
                # As a server that cannot write the commit record.
                self.rollback()
                raise psycopg.errors.DiskFull("No space left on device")
            commit(self)

        patch.setattr(psycopg.Cursor, "copy", counted_copy)
        patch.setattr(psycopg.Connection, "commit", counted_commit)
        with connection.execute_wrapper(ending):
            yield ending
    if ending.left <= 0 and is_session_lost:
        connection.close()


def digest_of_all_rows() -> str:
    """Over every row of every table."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT kept.write_down()::text")
        return hashlib.sha256(cursor.fetchone()[0].encode()).hexdigest()


def fail_at_every_statement(act: Callable[[], bool], ended_at: EndedAt) -> int:
    """`act` returns whether it was done. Returns its number of statements; each failed once and the act was retried."""
    before, was_done = digest_of_all_rows(), None
    for place in range(1, MOST_STATEMENTS):
        with ended_at(place) as ending:
            try:
                is_done = act()
            except DatabaseError:
                is_done = False
        after = digest_of_all_rows()
        if ending.left > 0:
            assert is_done
            # A caller that lost the answer finds it done and does not repeat it.
            assert was_done in (None, after)
            count_in_tally("single statements made to fail", place - 1)
            return place - 1
        if after != before:
            was_done = was_done or after
            assert after == was_done, f"half done when it ended at statement {place}"
    raise AssertionError("It never came to its end.")


@time_machine.travel(NOW, tick=False)
def test_a_batch_of_lines(crew: Crew, ended_at: EndedAt) -> None:
    """All of a batch is recorded, or nothing. If only its columns cannot be written, the consumer adds them."""
    feeder: Feeder = feeder_at(crew)
    feeder.client = Client(raise_request_exception=False)
    fill_up_to_a_tile()
    statuses, sent, statements = [], 0, 0
    for place in range(1, MOST_STATEMENTS):
        lines = [feeder.line() for _ in range(3)]
        before, size = digest_of_all_rows(), head_of(get_log("harbour")).size
        with ended_at(place) as ending:
            answer = feeder.send(*lines)
        statuses.append(answer.status_code)
        if answer.status_code == 503:
            assert answer["Retry-After"] == "30"
            assert digest_of_all_rows() == before, f"half done when it ended at statement {place}"
        else:
            assert head_of(get_log("harbour")).size == size + 3
        # The controller sends it again, also if only the answer was lost.
        repeated = feeder.send(*lines)
        assert [receipt["sequence"] for receipt in repeated.json()["receipts"]] == [sent + 1, sent + 2, sent + 3]
        assert head_of(get_log("harbour")).size == size + 3
        sent += 3
        if ending.left > 0:
            statements = place - 1
            break
        fill_up_to_a_tile()
    count_in_tally("single statements made to fail", statements)
    assert statements >= 8
    assert set(statuses) == {200, 503}
    assert statuses[-1] == 200
    assert PackedRound.objects.count() < sent
    consume_log("harbour")
    assert PackedRound.objects.count() == sent
    # The acts also wrote full tiles of the tree.
    assert Tile.objects.filter(level=0).count() == head_of(get_log("harbour")).size // TILE
    assert verify_log("harbour").issues == ()


def fill_up_to_a_tile() -> None:
    missing = (TILE - 1 - head_of(get_log("harbour")).size) % TILE
    with transaction.atomic():
        append("harbour", [make_entry(NOTE, {"n": n}) for n in range(missing)], NOW)


def test_the_service_s_own_entries(crew: Crew, ended_at: EndedAt) -> None:
    fill_up_to_a_tile()
    entries: list[NewEntry] = [make_entry(NOTE, {"n": n}) for n in range(3)]
    size = head_of(get_log("harbour")).size

    def act() -> bool:
        with transaction.atomic():
            return len(append("harbour", entries, NOW)) == 3

    assert fail_at_every_statement(act, ended_at) >= 5
    assert head_of(get_log("harbour")).size == size + 3
    assert verify_log("harbour").issues == ()


def test_a_checkpoint(crew: Crew, ended_at: EndedAt) -> None:
    def sign() -> bool:
        return bool(sign_log("harbour", NOW))

    assert fail_at_every_statement(sign, ended_at) >= 5
    assert SignedCheckpoint.objects.count() == 1
    assert newest_checkpoint_note("harbour") == sign_log("harbour", NOW)
    assert verify_log("harbour").issues == ()


@time_machine.travel(NOW, tick=False)
def test_a_stretch_of_the_audit(crew: Crew, ended_at: EndedAt) -> None:
    house = House(crew)
    house.open_table()
    # Two are paid too little: small pays 1 to 1.
    for paid in (5_000, 4_900, 5_000, 4_800):
        house.play((4, 2, 4), wager("small", 2_500, paid))

    def audit() -> bool:
        return bool(audit_next_blocks(casino=house.casino, now=NOW)) or not Block.objects.waiting().exists()

    consume_log("harbour")
    assert fail_at_every_statement(audit, ended_at) >= 8
    assert Coverage.objects.count() == 1
    assert [finding.required_cents for finding in Finding.objects.order_by("subject_index")] == [5_000, 5_000]
    # The rounds were appended without a controller's signature; everything else matches.
    assert {misfit.sentence.rpartition(": ")[2] for misfit in verify_log("harbour").issues} == {
        "no signed batch of its controller holds it."
    }
