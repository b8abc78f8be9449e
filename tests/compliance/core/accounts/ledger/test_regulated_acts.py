"""Changes of permissions are ledger entries, written with their rows; sign-in and sign-out are not."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from pytest_django import Settings

from compliance.config.database_roles import as_owner
from compliance.core.accounts.entry_kinds import REGULATED_EVENTS
from compliance.core.accounts.errors import RoleHeldAlready
from compliance.core.accounts.ledger.account_events import (
    RegulatedAct,
    record_event,
    record_regulated_acts,
)
from compliance.core.accounts.models import AccountAct, AccountEvent, EventKind, RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import (
    change_password,
    disable_person,
    enable_person,
    end_role,
    give_role,
    invite_person,
    make_recovery_codes,
    record_failed_sign_in,
    record_sign_in,
    reset_second_factor_by_operator,
    withdraw_invitation,
)
from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import LONG_AGO, Cast, assemble
from tests.compliance.tampering import tamper

NOW = LONG_AGO + timedelta(days=30)
MOMENT = "2026-04-01T09:00:00.000000Z"


def entries(log: str) -> list[LogEntry]:
    return read_entries(log, 0, 10_000)


def last(log: str) -> tuple[str, dict[str, Any]]:
    entry = entries(log)[-1]
    return entry.kind, entry.content()


def body(act: str, by: User | None, subject: User | None, **said: Any) -> dict[str, Any]:
    named = {
        "by": {"id": by.pk, "name": by.name} if by else None,
        "subject": {"id": subject.pk, "name": subject.name} if subject else None,
    }
    return {"act": act, "at": MOMENT, "role": None, "reason": None, "invitation": None, **named, **said}


def test_an_invitation_accepted_and_the_role_it_gives_are_two_entries_of_the_casino(cast: Cast) -> None:
    kinds = [entry.kind for entry in entries("marina")]
    assert kinds == ["account-invited"] * 3 + ["account-invitation-accepted", "account-role-given"] * 3
    invited, _, _, accepted, given, *_ = (entry.content() for entry in entries("marina"))
    otto = {"id": cast.otto.pk, "name": "Otto"}
    assert (invited["by"], invited["subject"], invited["role"]) == (None, None, "administrator")
    assert (accepted["by"], accepted["subject"], accepted["invitation"]) == (otto, otto, invited["invitation"])
    assert (given["by"], given["subject"], given["role"], given["invitation"]) == (None, otto, "administrator", None)


def test_each_act_of_an_administrator_says_who_did_what_to_whom_and_why(cast: Cast) -> None:
    held = give_role(subject=cast.mara, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=NOW)
    assert last("harbour") == ("account-role-given", body("role-given", cast.ada, cast.mara, role="shift-manager"))
    end_role(held=held, actor=cast.ada, now=NOW)
    assert last("harbour") == ("account-role-ended", body("role-ended", cast.ada, cast.mara, role="shift-manager"))
    disable_person(subject=cast.mara, casino=cast.harbour, reason="On leave", actor=cast.ada, now=NOW)
    assert last("harbour") == ("account-disabled", body("disabled", cast.ada, cast.mara, reason="On leave"))
    enable_person(subject=cast.mara, casino=cast.harbour, actor=cast.bruno, now=NOW)
    assert last("harbour") == ("account-enabled", body("enabled", cast.bruno, cast.mara))
    invited = invite_person(
        email="nina@example.com", name="Nina", casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=NOW
    ).invitation
    withdraw_invitation(invitation=invited, actor=cast.ada, now=NOW)
    said = body("invitation-withdrawn", cast.ada, None, role="shift-manager", invitation=invited.pk)
    assert last("harbour") == ("account-invitation-withdrawn", said)


def test_what_belongs_to_no_casino_goes_to_the_log_of_the_site(cast: Cast) -> None:
    make_recovery_codes(actor=cast.ines, now=NOW)
    change_password(actor=cast.ines, password="another dome of glass", now=NOW)
    reset_second_factor_by_operator(subject=cast.ines, now=NOW)
    assert [entry.kind for entry in entries("site")] == [
        "account-recovery-codes-made",
        "account-password-changed",
        "account-second-factor-reset",
    ]
    said = body("second-factor-reset", None, cast.ines, reason="by those who run the service")
    assert last("site")[1] == said


def test_coming_in_and_failing_to_change_nothing_and_are_no_entries(cast: Cast) -> None:
    before = {log: len(entries(log)) for log in ("harbour", "marina", "site")}
    record_sign_in(actor=cast.ines, address="203.0.113.9", now=NOW)
    record_failed_sign_in(
        kind=EventKind.SIGN_IN_FAILED, email="ines@example.com", address=None, has_locked=True, now=NOW
    )
    assert {log: len(entries(log)) for log in ("harbour", "marina", "site")} == before
    assert AccountEvent.objects.filter(at=NOW).count() == 3


def test_no_address_of_anybody_is_in_a_leaf(cast: Cast) -> None:
    bodies = b"".join(entry.body for log in ("harbour", "marina", "site") for entry in entries(log))
    assert b"Ines" in bodies
    assert b"@" not in bodies


def test_an_act_that_is_refused_leaves_neither_row_nor_entry(cast: Cast) -> None:
    before = (len(entries("harbour")), AccountEvent.objects.count())
    with pytest.raises(RoleHeldAlready):
        give_role(subject=cast.mara, casino=cast.harbour, role=Role.MARKETING, actor=cast.ada, now=NOW)
    assert (len(entries("harbour")), AccountEvent.objects.count()) == before


def test_an_act_whose_entry_cannot_be_written_is_not_done(cast: Cast) -> None:
    cast.harbour.slug = "no-such-log"
    with pytest.raises(ValueError, match="no-such-log"):
        give_role(subject=cast.mara, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=NOW)
    assert not RoleAssignment.objects.filter(user=cast.mara, role=Role.SHIFT_MANAGER).exists()


def test_a_regulated_act_cannot_be_recorded_without_an_entry_nor_the_other_way_round(cast: Cast) -> None:
    for kind in REGULATED_EVENTS:
        with pytest.raises(ValueError, match="needs an entry"):
            record_event(kind, at=NOW)
    with pytest.raises(ValueError, match="Only regulated acts"):
        record_regulated_acts(RegulatedAct(kind=EventKind.SIGNED_IN), casino=cast.harbour, at=NOW)


def test_every_regulated_event_has_its_row(cast: Cast) -> None:
    assert AccountEvent.objects.filter(kind__in=REGULATED_EVENTS, act=None).count() == 0
    assert AccountAct.objects.count() == 27


def test_the_app_role_cannot_touch_an_act(cast: Cast) -> None:
    for statement in ("UPDATE accounts_accountact SET reason = ''", "DELETE FROM accounts_accountact"):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            connection.cursor().execute(statement)


@pytest.mark.django_db(transaction=True)
class TestTampering:
    @pytest.fixture(autouse=True)
    def cast(self, tmp_path: Path, settings: Settings) -> Cast:
        settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
        create_key_file(settings.LEDGER_KEY_FILE)
        return assemble()

    def test_not_even_the_owner_changes_an_act(self) -> None:
        with as_owner():
            for statement in ("UPDATE accounts_accountact SET reason = ''", "TRUNCATE accounts_accountact"):
                with pytest.raises(IntegrityError, match="kept as it was written"):
                    connection.cursor().execute(statement)

    @pytest.mark.parametrize(
        ("table", "change", "complaint"),
        [
            ("accountevent", "SET actor_id = subject_id WHERE kind = 'role-given'", "now says something else"),
            ("accountevent", "SET kind = 'role-ended' WHERE kind = 'role-given'", "now says something else"),
            ("accountact", "SET role = 'inspector' WHERE subject_name = 'Mara'", "now says something else"),
            ("accountact", "SET entry_index = 900 WHERE entry_index = 2", "is gone"),
        ],
    )
    def test_a_superuser_who_rewrites_who_did_what_is_found(self, table: str, change: str, complaint: str) -> None:
        assert verify_log("harbour").is_intact
        tamper(f"accounts_{table}", f"UPDATE accounts_{table} {change}")
        verdict = verify_log("harbour")
        assert verdict.first_issue is not None
        assert complaint in verdict.first_issue.sentence
