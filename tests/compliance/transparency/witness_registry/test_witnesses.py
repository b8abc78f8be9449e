"""Witnesses: registration, cosignatures stored and served, alerts for lag and disagreement."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, connection, transaction
from django.test import Client

from compliance.core.web.errors import NotFound
from compliance.notify.alerts.models import Alert
from compliance.transparency.witness_registry.errors import TooManyWitnesses, WitnessAlreadyRegistered
from compliance.transparency.witness_registry.health import check_witnesses
from compliance.transparency.witness_registry.models import Cosignature, Dissent, Witness, WitnessEnd
from compliance.transparency.witness_registry.services import MAX_WITNESSES, alert_lagging_witnesses, end_witness
from compliance.transparency.witness_registry.witness_status import LAG_LIMIT, AgreementState, load_witness_status
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.transparency_log.formats.cosignature import witness_key_of
from rounds.transparency_log.formats.signed_note import SignerKey, VerifierKey, open_note
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, after, play
from tests.compliance.transparency.witness_registry.witness_posts import (
    KEY,
    OTHER,
    PAGE,
    WITNESS,
    line_for,
    register,
    statement_of,
)
from tests.rounds.ledger import harbour_log

ALWAYS_ON = "SELECT tgenabled FROM pg_trigger WHERE tgrelid = %s::regclass AND tgname LIKE '%%only_grows'"
TEXT: Any = {"content_type": "text/plain; charset=utf-8"}


def post_line(size: int, lines: bytes) -> Any:
    return Client().post(f"/api/v1/logs/harbour/checkpoints/{size}/cosignatures", lines, **TEXT)


def post_statement(statement: bytes) -> Any:
    return Client().post("/api/v1/logs/harbour/disagreements", statement, **TEXT)


def signed(**time: float) -> bytes:
    play(3, first=size_of("harbour"))
    return harbour_log.sign(now=after(**time))


def cosigned(**time: float) -> bytes:
    note = signed(**time)
    assert post_line(size_of("harbour"), line_for(note, after(**time))).status_code == 200
    return note


def state_at(witness: Witness, **time: float) -> AgreementState:
    return load_witness_status(witness, after(**time)).state


def test_an_inspector_registers_a_witness_and_it_is_an_entry(floor: Floor) -> None:
    ines = browser_of(floor.ines)
    page = ines.post(f"{PAGE}new/", {"key": f" {KEY}\n"} | sign_off(floor.ines), follow=True).content.decode()
    assert "The witness is registered." in page
    assert "inspectorate.example/<wbr>witness" in page
    witness = Witness.objects.get()
    [entry] = read_entries("harbour", witness.entry_index, witness.entry_index + 1)
    assert (entry.kind, entry.content()) == ("witness-registered", witness.entry_body())
    assert "inspectorate.example/witness: not yet cosigned" in ines.get("/casinos/harbour/ledger/").content.decode()


@pytest.mark.parametrize("wrong", ["", "nonsense", KEY[:-4] + "AAAA", str(WITNESS.verifier)])
def test_what_is_no_witnesses_key_is_not_registered_and_stays_typed(floor: Floor, wrong: str) -> None:
    page = browser_of(floor.ines).post(f"{PAGE}new/", {"key": wrong} | sign_off(floor.ines)).content.decode()
    assert "Error:" in page
    assert wrong in page
    assert not Witness.objects.exists()


def test_neither_the_casino_nor_a_stranger_chooses_who_watches(floor: Floor) -> None:
    for person in (floor.cora, floor.sam, floor.ada, floor.otto):
        with pytest.raises(NotFound):
            register(floor.harbour, person)
    witness = register(floor.harbour, floor.ines)
    with pytest.raises(NotFound):
        end_witness(witness=witness, reason="It is in the way.", actor=floor.cora, now=OPENED_AT)


def test_a_name_or_a_key_counts_once_and_there_is_an_end_to_them(floor: Floor) -> None:
    register(floor.harbour, floor.ines)
    same_name = SignerKey.from_seed(WITNESS.name, bytes(32))
    for key in (KEY, str(witness_key_of(same_name))):
        with pytest.raises(WitnessAlreadyRegistered):
            register(floor.harbour, floor.ines, key)
    for number in range(1, MAX_WITNESSES):
        register(
            floor.harbour, floor.ines, str(witness_key_of(SignerKey.from_seed(f"w{number}", bytes([number] * 32))))
        )
    with pytest.raises(TooManyWitnesses):
        register(floor.harbour, floor.ines, str(witness_key_of(OTHER)))


def test_the_checkpoint_is_served_with_the_lines_of_those_who_cosigned_it(floor: Floor) -> None:
    register(floor.harbour, floor.ines)
    other = register(floor.harbour, floor.ines, str(witness_key_of(OTHER)))
    note = signed()
    size = size_of("harbour")
    both = line_for(note) + line_for(note, signer=OTHER)
    answer = post_line(size, both)
    assert (answer.status_code, answer.json()) == (200, {"log": "harbour", "size": size, "taken": 2})
    served = Client().get("/logs/harbour/checkpoint").content
    assert served == note + both
    keys: list[VerifierKey] = [verifier_key_for("harbour"), witness_key_of(WITNESS), witness_key_of(OTHER)]
    assert open_note(served, keys)[1] == tuple(keys)

    assert post_line(size, line_for(note, after(hours=1))).status_code == 200
    assert Client().get("/logs/harbour/checkpoint").content == served, "One a witness and size: the first stands."
    end_witness(witness=other, reason="The university stopped.", actor=floor.ines, now=after(hours=1))
    assert Client().get("/logs/harbour/checkpoint").content == note + line_for(note)
    assert post_line(size, line_for(note, signer=OTHER)).status_code == 403
    older, note = note, signed()
    assert Client().get("/logs/harbour/checkpoint").content == note, "Nobody has cosigned the newest yet."
    assert post_line(size_of("harbour"), line_for(older)).status_code == 403, "A line is for one checkpoint alone."


def test_anybody_finds_the_keys_of_those_whose_word_counts(floor: Floor) -> None:
    assert "Nobody outside watches a log yet." in Client().get("/logs/").content.decode()
    register(floor.harbour, floor.ines)
    other = register(floor.harbour, floor.ines, str(witness_key_of(OTHER)))
    page = Client().get("/logs/").content.decode()
    assert KEY in unescape(page)
    assert str(witness_key_of(OTHER)) in unescape(page)
    assert 'href="/help/witnesses/"' in page
    end_witness(witness=other, reason="The university stopped.", actor=floor.ines, now=OPENED_AT)
    assert str(witness_key_of(OTHER)) not in unescape(Client().get("/logs/").content.decode())


def test_only_a_registered_witness_and_a_signed_size_are_taken(floor: Floor) -> None:
    note = signed()
    size = size_of("harbour")
    assert post_line(size, line_for(note)).json()["code"] == "no-witness-signed"
    register(floor.harbour, floor.ines)
    assert post_line(size, line_for(note, signer=OTHER)).status_code == 403
    for lines in (b"", b"\n", b"no line", line_for(note)[:-1], b"\xff\xfe", line_for(note)[:40] + b"\n"):
        assert post_line(size, lines).status_code == 403, lines
    assert post_line(size + 1, line_for(note)).json()["code"] == "unknown-checkpoint"
    assert post_line(2**70, line_for(note)).status_code == 404
    assert Client().post("/api/v1/logs/nowhere/checkpoints/1/cosignatures", b"x", **TEXT).status_code == 404
    assert post_line(size, bytes(70_000)).status_code == 413
    assert not Cosignature.objects.exists()
    assert (
        Client(enforce_csrf_checks=True)
        .post(f"/api/v1/logs/harbour/checkpoints/{size}/cosignatures", line_for(note), **TEXT)
        .status_code
        == 200
    )
    assert Cosignature.objects.count() == 1


def test_it_falls_behind_when_a_checkpoint_waits_too_long_and_people_are_told_once(floor: Floor) -> None:
    witness = register(floor.harbour, floor.ines)
    assert state_at(witness) is AgreementState.WAITING
    cosigned()
    assert state_at(witness, days=9) is AgreementState.AGREES, "A log that does not grow needs no new cosignature."
    signed(hours=1)
    limit = timedelta(hours=1) + LAG_LIMIT
    assert load_witness_status(witness, OPENED_AT + limit).state is AgreementState.AGREES
    assert alert_lagging_witnesses(OPENED_AT + limit) == 0
    late = OPENED_AT + limit + timedelta(seconds=1)
    assert load_witness_status(witness, late).state is AgreementState.BEHIND
    assert not check_witnesses(late).is_ok
    assert [alert_lagging_witnesses(late), alert_lagging_witnesses(late)] == [1, 0]
    alert = Alert.objects.get(duty="witness-behind")
    assert set(alert.to) == {"inspector", "compliance-officer"}
    with time_machine.travel(late, tick=False):
        assert "fell behind" in browser_of(floor.cora).get(PAGE).content.decode()
    cosigned(hours=3)
    assert state_at(witness, hours=3) is AgreementState.AGREES
    assert check_witnesses(after(hours=3)).is_ok
    signed(hours=4)
    assert alert_lagging_witnesses(after(hours=5)) == 1, "It fell behind a second time, at another size."


def test_its_disagreement_is_kept_recorded_told_and_shown(floor: Floor) -> None:
    witness = register(floor.harbour, floor.ines)
    kept = cosigned()
    offered = signed()
    statement = statement_of(kept, offered, after(minutes=5))
    assert [post_statement(statement).status_code for _ in range(2)] == [200, 200]
    dissent = Dissent.objects.get()
    [entry] = read_entries("harbour", dissent.entry_index, dissent.entry_index + 1)
    assert (entry.kind, entry.content()) == ("witness-disagreed", dissent.entry_body())
    assert state_at(witness, minutes=6) is AgreementState.DISAGREES
    alert = Alert.objects.get(duty="witness-disagrees")
    assert set(alert.to) == {"inspector", "compliance-officer"}
    assert check_witnesses(after(minutes=6)).detail == "inspectorate.example/witness disagrees with harbour."
    page = browser_of(floor.ines).get(PAGE).content.decode()
    assert "inspectorate.example/witness disagrees with this log." in page
    assert browser_of(floor.ines).get(f"{PAGE}statements/{dissent.pk}/").content == statement
    assert browser_of(floor.otto).get(f"{PAGE}statements/{dissent.pk}/").status_code == 404
    cosigned(minutes=9)
    assert state_at(witness, minutes=9) is AgreementState.AGREES, "It cosigned again: the log was put right."


def test_a_statement_that_no_witness_of_this_log_made_is_not_taken(floor: Floor) -> None:
    register(floor.harbour, floor.ines)
    kept, offered = signed(), signed()
    good = statement_of(kept, offered)
    for statement in (b"", b"x", good.replace(b"not-extended", b"shrank"), statement_of(kept, offered, signer=OTHER)):
        assert post_statement(statement).status_code == 403, statement
    assert post_statement(statement_of(b"no note", offered)).status_code == 403
    register(floor.marina, floor.otto)
    elsewhere = Client().post("/api/v1/logs/marina/disagreements", good, **TEXT)
    assert elsewhere.status_code == 403
    assert not Dissent.objects.exists()
    assert post_statement(good).status_code == 200


def test_the_rows_stay_as_they_were_written(floor: Floor) -> None:
    witness = register(floor.harbour, floor.ines)
    kept = cosigned()
    post_statement(statement_of(kept, signed()))
    end_witness(witness=witness, reason="Its machine was stolen.", actor=floor.ines, now=OPENED_AT)
    for model in (Witness, WitnessEnd, Cosignature, Dissent):
        table = model._meta.db_table
        for statement in (f"UPDATE {table} SET id = id + 1", f"DELETE FROM {table}"):
            with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)
        with connection.cursor() as cursor:
            cursor.execute(ALWAYS_ON, [table])
            assert cursor.fetchall() == [("A",)], "Even whoever has the privilege is refused."
    assert load_witness_status(Witness.objects.get(), OPENED_AT).state is AgreementState.ENDED
