"""A controller is trusted by a key that two people approved, for its own tables, until the key is revoked."""

import base64
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from django.db import DatabaseError, IntegrityError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from rounds.floor.models import Controller, ControllerKey, ControllerTable
from rounds.floor.public_keys import key_id_of, read_public_key
from rounds.floor.selectors import identify_controller
from rounds.floor.services import (
    approve_key,
    assign_table,
    end_table_assignment,
    propose_key,
    register_controller,
    retire_table,
    revoke_key,
)
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from tests.conftest import superuser
from tests.rounds.floor.crew import (
    JUST_BEFORE,
    OPENING,
    PUBLIC_KEY,
    SECRET,
    Crew,
    new_controller,
    new_table,
    refusal_of,
    speaking_controller,
)

LATER = OPENING + timedelta(hours=1)


def refusal_code(act: Callable[[], object]) -> str:
    return refusal_of(act).code


def test_a_key_counts_once_a_second_person_approved_it(crew: Crew) -> None:
    controller = new_controller(crew)
    key = propose_key(controller=controller, public_key=PUBLIC_KEY, actor=crew.cora, now=OPENING)
    assert identify_controller(key.key_id, LATER) is None
    assert refusal_code(lambda: approve_key(key=key, actor=crew.cora, now=LATER)) == "took-part-before"

    approve_key(key=key, actor=crew.cast.ada, now=LATER)
    held = identify_controller(key.key_id, LATER)
    assert held is not None
    assert (held.controller, held.casino, held.public_key) == ("box-1", "harbour", PUBLIC_KEY)
    assert identify_controller(key.key_id, LATER + JUST_BEFORE) is None
    assert refusal_code(lambda: approve_key(key=key, actor=crew.cast.bruno, now=LATER)) == "key-not-waiting"


def test_a_key_may_begin_later_but_never_before_its_approval(crew: Crew) -> None:
    key = propose_key(controller=new_controller(crew), public_key=PUBLIC_KEY, actor=crew.cora, now=OPENING)

    def approve(hours: int) -> None:
        approve_key(key=key, actor=crew.cast.ada, now=LATER, valid_from=LATER + timedelta(hours=hours))

    assert refusal_code(lambda: approve(-1)) == "key-begins-too-early"
    approve(3)
    assert identify_controller(key.key_id, LATER + timedelta(hours=2)) is None
    assert identify_controller(key.key_id, LATER + timedelta(hours=3)) is not None


def test_one_person_revokes_a_key_at_once_and_for_good(crew: Crew) -> None:
    speaking_controller(crew)
    key = ControllerKey.objects.get()
    revoke_key(key=key, reason="The box was opened.", actor=crew.cora, now=LATER)
    assert identify_controller(key.key_id, LATER + JUST_BEFORE) is not None
    assert identify_controller(key.key_id, LATER) is None
    again = lambda: revoke_key(key=key, reason="Again.", actor=crew.cast.ada, now=LATER)  # noqa: E731
    assert refusal_code(again) == "key-revoked-already"


def test_a_key_that_waits_can_be_revoked_and_never_approved_after(crew: Crew) -> None:
    key = propose_key(controller=new_controller(crew), public_key=PUBLIC_KEY, actor=crew.cora, now=OPENING)
    revoke_key(key=key, reason="Wrong box.", actor=crew.cora, now=LATER)
    assert refusal_code(lambda: approve_key(key=key, actor=crew.cast.ada, now=LATER)) == "key-not-waiting"


def test_a_key_belongs_to_one_controller_for_ever(crew: Crew) -> None:
    speaking_controller(crew)
    other = new_controller(crew, "box-2")
    assert (
        refusal_code(lambda: propose_key(controller=other, public_key=PUBLIC_KEY, actor=crew.cora, now=LATER))
        == "controller-key-known"
    )


def test_a_controller_speaks_for_its_own_tables_while_it_may(crew: Crew) -> None:
    first, second = new_table(crew, "sb-1"), new_table(crew, "sb-2")
    controller = speaking_controller(crew, first)
    assert tables_held(OPENING) == {"sb-1"}

    assign_table(controller=controller, table=second, actor=crew.cora, now=LATER)
    assert tables_held(LATER) == {"sb-1", "sb-2"}
    assert tables_held(LATER + JUST_BEFORE) == {"sb-1"}
    again = lambda: assign_table(controller=controller, table=second, actor=crew.cora, now=LATER)  # noqa: E731
    assert refusal_code(again) == "table-given-already"

    end_table_assignment(given=ControllerTable.objects.get(table=first), actor=crew.cora, now=LATER)
    assert tables_held(LATER) == {"sb-2"}
    assert tables_held(LATER + JUST_BEFORE) == {"sb-1"}
    retire_table(table=second, actor=crew.sid, now=LATER)
    assert tables_held(LATER) == frozenset()


def tables_held(at: datetime) -> frozenset[str]:
    held = identify_controller(key_id_of(PUBLIC_KEY), at)
    assert held is not None
    return held.tables


def test_intake_asks_one_query(crew: Crew, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    speaking_controller(crew, new_table(crew))
    with django_assert_num_queries(1):
        assert tables_held(OPENING) == {"sb-1"}


def test_only_those_who_register_may(crew: Crew) -> None:
    for person in (crew.sid, crew.gina, crew.cast.ines, crew.cast.mara, crew.cast.otto):
        act = lambda person=person: register_controller(  # noqa: E731
            casino=crew.harbour, slug="box-9", name="Box", actor=person, now=OPENING
        )
        assert refusal_code(act) == "floor-not-yours"
    assert not Controller.objects.exists()
    register_controller(casino=crew.harbour, slug="box-9", name="Box", actor=crew.cast.ada, now=OPENING)


def test_every_act_is_an_entry_and_the_rows_still_say_what_it_says(committed_crew: Crew) -> None:
    crew = committed_crew
    table = new_table(crew)
    speaking_controller(crew, table)
    revoke_key(key=ControllerKey.objects.get(), reason="Moved.", actor=crew.cora, now=LATER)
    entries = read_entries("harbour", 0, 100)
    acts = [entry for entry in entries if not entry.kind.startswith("account-")]
    assert [entry.kind for entry in acts] == [
        "table-added",
        "controller-registered",
        "controller-key-proposed",
        "controller-key-approved",
        "controller-table-given",
        "controller-key-revoked",
    ]
    revoked = acts[-1].content()
    assert revoked["by"] == {"id": crew.cora.pk, "name": "Cora"}
    verdict = verify_log("harbour")
    assert verdict.is_intact
    assert verdict.checked["records"] == 4 + len(entries) - len(acts)


class TestPasted:
    def test_base64_and_pem_are_the_same_key(self) -> None:
        pem = SECRET.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        assert read_public_key(f"\n {pem}\n") == read_public_key(base64.b64encode(PUBLIC_KEY).decode()) == PUBLIC_KEY
        # The first sixteen hex digits of the SHA-256 over the 32 bytes, computed with sha256sum.
        assert key_id_of(PUBLIC_KEY) == "56475aa75463474c"

    @pytest.mark.parametrize("pasted", ["", "hello", "AAAA", base64.b64encode(bytes(33)).decode()])
    def test_what_is_no_key_is_refused(self, pasted: str) -> None:
        assert refusal_code(lambda: read_public_key(pasted)) == "bad-controller-key"

    def test_a_key_of_another_kind_is_refused(self) -> None:
        other = generate_private_key(SECP256R1()).public_key()
        pem = other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        assert refusal_code(lambda: read_public_key(pem)) == "bad-controller-key"

    def test_a_private_key_is_turned_away_and_called_burnt(self) -> None:
        pem = SECRET.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        assert refusal_code(lambda: read_public_key(pem)) == "private-key-pasted"


class TestTheDatabaseItself:
    def refused(self, **change: object) -> None:
        with pytest.raises(DatabaseError), transaction.atomic():
            ControllerKey.objects.update(**change)

    def test_a_key_is_neither_rewritten_nor_brought_back(self, crew: Crew) -> None:
        controller = speaking_controller(crew)
        self.refused(public_key=bytes(32))
        self.refused(proposed_by=crew.sid)
        self.refused(approved_by=crew.sid)
        self.refused(valid_from=LATER)
        revoke_key(key=ControllerKey.objects.get(), reason="Stolen.", actor=crew.cora, now=LATER)
        self.refused(revoked_at=None, revoked_by=None)
        with pytest.raises(DatabaseError), transaction.atomic():
            ControllerKey.objects.all().delete()
        with pytest.raises(DatabaseError), transaction.atomic():
            Controller.objects.filter(pk=controller.pk).update(name="Other")

    def test_one_person_cannot_approve_their_own_key_even_by_hand(self, crew: Crew) -> None:
        propose_key(controller=new_controller(crew), public_key=PUBLIC_KEY, actor=crew.cora, now=OPENING)
        with pytest.raises(IntegrityError, match="floor_key_needs_two_people"), transaction.atomic():
            ControllerKey.objects.update(approved_by=crew.cora, approved_at=LATER, valid_from=LATER)


class TestReadAgain:
    """Later changes to a row are compared with the log: a key approved by an UPDATE is found."""

    def misfits(self) -> list[str]:
        return [misfit.sentence for misfit in verify_log("harbour").issues]

    def by_hand(self, statement: str) -> None:
        with superuser(connection.settings_dict["NAME"]) as admin:
            admin.execute("SET session_replication_role = replica")
            tables = ("floor_controllerkey", "floor_controllertable", "floor_table")
            for table in tables:
                admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER floor_no_change")
            admin.execute(statement)
            for table in tables:
                admin.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER floor_no_change")

    def test_everything_done_in_the_product_fits(self, committed_crew: Crew) -> None:
        crew = committed_crew
        first, second = new_table(crew, "sb-1"), new_table(crew, "sb-2")
        controller = speaking_controller(crew, first, second)
        end_table_assignment(given=ControllerTable.objects.get(table=first), actor=crew.cora, now=LATER)
        assign_table(controller=controller, table=first, actor=crew.cora, now=LATER)
        retire_table(table=second, actor=crew.sid, now=LATER)
        revoke_key(key=ControllerKey.objects.get(), reason="Moved.", actor=crew.cora, now=LATER)
        assert self.misfits() == []

    @pytest.mark.parametrize(
        ("statement", "word"),
        [
            ("UPDATE floor_controllerkey SET approved_by_id = NULL, approved_at = NULL, valid_from = NULL", "approved"),
            ("UPDATE floor_controllerkey SET valid_from = valid_from + interval '1 s'", "approved"),
            ("UPDATE floor_controllerkey SET revoked_by_id = proposed_by_id, revoked_at = now()", "revoked"),
            ("UPDATE floor_controllertable SET ended_by_id = given_by_id, until_at = now()", "ended"),
            ("UPDATE floor_table SET retired_by_id = added_by_id, retired_at = now()", "retired"),
        ],
    )
    def test_what_was_done_by_hand_is_named(self, committed_crew: Crew, statement: str, word: str) -> None:
        speaking_controller(committed_crew, new_table(committed_crew))
        assert self.misfits() == []
        self.by_hand(statement)
        assert any(f"by whom this was {word} is not what the log says" in sentence for sentence in self.misfits())

    def test_a_key_approved_by_hand_is_named(self, committed_crew: Crew) -> None:
        controller = new_controller(committed_crew)
        propose_key(controller=controller, public_key=PUBLIC_KEY, actor=committed_crew.cora, now=OPENING)
        self.by_hand(
            f"UPDATE floor_controllerkey SET approved_by_id = {committed_crew.sid.pk}, approved_at = proposed_at, "
            "valid_from = proposed_at"
        )
        assert any("approved is not what the log says" in sentence for sentence in self.misfits())
