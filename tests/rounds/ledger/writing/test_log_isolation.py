"""Logs do not block each other: with a transaction open in one, others can be appended to and opened."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection, transaction

from rounds.ledger.models import Log
from rounds.ledger.storage import UnknownLog, get_log, head_of
from rounds.ledger.writing.append import append, open_log
from tests.rounds.ledger import harbour_log


@contextmanager
def open_elsewhere(statement: str) -> Iterator[None]:
    """Another process that has executed this and not committed yet."""
    settings = connection.settings_dict
    with psycopg.connect(
        host=settings["HOST"],
        port=settings["PORT"],
        user=settings["USER"],
        password=settings["PASSWORD"],
        dbname=settings["NAME"],
    ) as other:
        other.execute(statement)
        yield
        other.rollback()


@pytest.fixture(autouse=True)
def impatient(committed_log: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '500ms'")


def lock_of(log: str) -> str:
    return f"SELECT 1 FROM ledger_head WHERE log_id = {get_log(log).pk} FOR NO KEY UPDATE"


def append_to(log: str) -> str:
    log_id = get_log(log).pk
    return (
        "INSERT INTO ledger_entry (log_id, index, kind, recorded_at, body, leaf_sha256) "
        f"VALUES ({log_id}, 0, 'test-note', now(), '{{}}', sha256(''))"
    )


def test_a_locked_log_makes_its_own_appends_wait() -> None:
    with open_elsewhere(lock_of("harbour")), pytest.raises(Exception, match="lock timeout"):
        harbour_log.play(1)
    assert head_of(get_log("harbour")).size == 0


@pytest.mark.parametrize("what", ["lock", "append"])
def test_and_no_other_log_s(what: str) -> None:
    harbour_log.opened("marina")
    held = lock_of("harbour") if what == "lock" else append_to("harbour")
    with open_elsewhere(held):
        assert [receipt.index for receipt in harbour_log.play(3, "marina")] == [0, 1, 2]


@pytest.mark.parametrize("what", ["lock", "append"])
def test_nor_the_opening_of_a_new_one(what: str) -> None:
    held = lock_of("harbour") if what == "lock" else append_to("harbour")
    with open_elsewhere(held):
        harbour_log.opened("quayside")
        assert [receipt.index for receipt in harbour_log.play(2, "quayside")] == [0, 1]


def test_a_log_that_is_being_opened_makes_nobody_wait() -> None:
    with open_elsewhere("SELECT ledger_open_log('quayside', now())"):
        assert [receipt.index for receipt in harbour_log.play(2)] == [0, 1]
        assert harbour_log.sign().startswith(b"ledger.example/harbour\n2\n")


def test_opening_a_log_again_changes_nothing() -> None:
    harbour_log.play(2)
    before = get_log("harbour").pk
    harbour_log.opened("harbour")
    assert (get_log("harbour").pk, Log.objects.count(), head_of(get_log("harbour")).size) == (before, 1, 2)


@pytest.mark.parametrize("slug", ["", "Harbour", "har bour", "-harbour", "h" * 51, "harbour/2"])
def test_a_slug_that_could_not_stand_in_a_checkpoint_is_refused(slug: str) -> None:
    with pytest.raises(Exception, match="ledger_log_slug_check"), transaction.atomic():
        open_log(slug, harbour_log.OPENED_AT)


def test_an_unknown_log_is_told_by_name() -> None:
    with pytest.raises(UnknownLog, match="There is no log 'atlantis'"), transaction.atomic():
        append("atlantis", [harbour_log.note(1)], harbour_log.OPENED_AT)
