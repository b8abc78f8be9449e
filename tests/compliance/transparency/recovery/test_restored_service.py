"""After a restore nothing is recorded, everything is shown, an inspector states what was lost, and the log continues.
Controllers resend what they still have. (Restoring a backup is tested with compliance/config/backups.)
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from psycopg import sql
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from compliance.transparency.recovery.models import EpochBegun
from rounds.intake.models import Feed
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.export.export_entries import export_range
from rounds.ledger.read_only import halts_by_log
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.controller_sequences import missing_sequences
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoint_file import load_checkpoint_file
from rounds.ledger.signing.checkpoints import (
    create_key_file,
    newest_checkpoint_note,
    sign_log,
    signing_key_for,
    verifier_key_for,
)
from rounds.ledger.verify.verify_log import verify_log
from rounds.simulator.client.batch_signature import Signer
from rounds.simulator.client.sender import Sender
from rounds.simulator.client.spool import Spool
from rounds.transparency_log.formats.signed_note import sign_checkpoint
from rounds.transparency_log.tree.merkle import TreeHead
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.conftest import make_database, superuser
from tests.rounds.floor.crew import SECRET, Crew, gather
from tests.rounds.intake.controller_client import ADDRESS, TABLE, feeder_at
from tests.rounds.transparency_log.bundle_tampering import inspect

SAID = {"lost": "Three rounds of table sb-1.", "why": "The disk failed.", "evidence": "The pit book."}


@pytest.fixture
def crew(transactional_db: None, tmp_path: Path, settings: Settings) -> Crew:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return gather()


@contextmanager
def taken_back(from_copy: str) -> Iterator[None]:
    """Connects the service to the copy of the database during the block."""
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = from_copy
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
        with superuser("postgres") as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(from_copy)))


def copy_of_now() -> str:
    usual = connection.settings_dict["NAME"]
    connection.close()
    with superuser("postgres") as admin:
        make_database(admin, f"{usual}_before", usual)
    return f"{usual}_before"


class Waits(Exception):
    """The controller would wait here."""


def controller(live_server: LiveServer, folder: Path) -> Sender:
    def wait(seconds: float) -> None:
        raise Waits(seconds)

    return Sender(
        live_server.url + ADDRESS,
        Spool(folder),
        Signer(SECRET),
        str(verifier_key_for("harbour")),
        clock=timezone.now,
        wait=wait,
    )


def play(box: Sender, rounds: int) -> None:
    for _ in range(rounds):
        box.spool.add("round", TABLE, timezone.now(), BODIES["round"])


def test_an_older_backup_is_read_only_until_an_inspector_says_what_was_lost(
    crew: Crew, live_server: LiveServer, tmp_path: Path
) -> None:
    feeder_at(crew)
    box = controller(live_server, tmp_path / "box")
    play(box, 2)
    assert box.send_waiting() == 2
    before, size = copy_of_now(), size_of("harbour")
    play(box, 3)
    assert box.send_waiting() == 3, "Acknowledged, and lost with the disk."
    assert load_checkpoint_file("harbour") == newest_checkpoint_note("harbour")

    foreign = tmp_path / "foreign.checkpoint"
    foreign.write_bytes(sign_checkpoint(TreeHead(9, bytes(32)), signing_key_for("elsewhere")))
    with taken_back(before):
        with pytest.raises(CommandError, match="was signed by no log"):
            call_command("restore", "--recovered", "--checkpoint", str(foreign))
        refused_to_record(crew, box, size)
        people_say_what_was_lost(crew, size)
        box.replace_verifier(str(verifier_key_for("harbour")))
        box.spool.resend_from(TABLE, 3)
        assert box.send_waiting() == 4, "The three that were lost, and the one that waited."
        assert missing_sequences("harbour", TABLE, "box-1") == []
        everything_fits(tmp_path)
        assert set(halts_by_log()) == {"marina", "site"}, "Each log is spoken for by itself."


def refused_to_record(crew: Crew, box: Sender, size: int) -> None:
    assert {log: halt.reason for log, halt in halts_by_log().items()} == {
        "harbour": "shrank",
        "marina": "restored",
        "site": "restored",
    }
    play(box, 1)
    with pytest.raises(Waits, match="60"):
        box.send_waiting()
    assert len(box.spool.pending_lines(10)) == 1
    box.send_heartbeat(TABLE)
    assert Feed.objects.get().announced_sequence == 6, "A heart-beat is no entry: it is still heard."

    sid = browser_of(crew.sid)
    home = sid.get("/").content.decode()
    assert "Harbour Casino and the site itself are read-only: they were restored from a backup" in home
    assert "What is known, and who says what was lost" not in home, "Only for those who may open it."
    typed = {"name": "A table that I typed", "slug": "sb-9"}
    answer = sid.post("/casinos/harbour/floor/add-table/", typed)
    assert "records nothing until a person has said what was lost" in answer.content.decode()
    assert "A table that I typed" in answer.content.decode()
    assert size_of("harbour") == size

    ines = browser_of(crew.cast.ines)
    page = ines.get("/restores/harbour/").content.decode()
    assert f"{size} to {size + 2}, as far as is known" in page
    assert "3 to 6" in page
    assert "Say what was lost" in page
    assert ines.get("/casinos/harbour/ledger/").status_code == 200
    for log in ("harbour", "site"):
        with pytest.raises(Exception, match="read-only"):
            sign_log(log, timezone.now())


def people_say_what_was_lost(crew: Crew, size: int) -> None:
    address = "/restores/harbour/epoch/"
    ines = browser_of(crew.cast.ines)
    without = ines.post(address, SAID | sign_off(crew.cast.ines) | {"code": ""}).content.decode()
    assert "Enter the code your authenticator app shows now." in without
    assert "Three rounds of table sb-1." in without
    for person in (crew.cast.ada, crew.cora):
        assert browser_of(person).post(address, SAID | sign_off(person)).status_code == 302
        assert not EpochBegun.objects.exists()
    assert browser_of(crew.sid).post(address, SAID | sign_off(crew.sid)).status_code == 403
    assert browser_of(crew.cast.otto).post(address, SAID | sign_off(crew.cast.otto)).status_code == 404
    page = ines.post(address, SAID | sign_off(crew.cast.ines), follow=True).content.decode()
    assert "It is recorded, and Harbour Casino takes records again." in page
    begun = EpochBegun.objects.get()
    [entry] = read_entries("harbour", size, size + 1)
    assert (entry.kind, entry.content()) == ("ledger-epoch", begun.entry_body())
    assert (begun.number, begun.outside_size, begun.by_name) == (2, size + 3, "Ines")
    assert "The site itself is read-only: it was restored" in browser_of(crew.sid).get("/").content.decode()


def everything_fits(tmp_path: Path) -> None:
    verdict = verify_log("harbour")
    assert verdict.is_intact, verdict.issues
    folder = tmp_path / "evidence"
    export_range(log="harbour", first=0, last=size_of("harbour"), folder=folder, casino="H", now=timezone.now())
    checked = inspect(folder, "--key", str(verifier_key_for("harbour")))
    assert checked.status == 0, checked.words
    assert "/epoch-2-" in checked.words
