"""Tampering with personal data by a database superuser is found by verify_ledger."""

from pathlib import Path

import pytest
from django.db import IntegrityError, connection
from pytest_django import Settings

from compliance.config.database_roles import as_owner
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.models import AccessPurpose, PersonalRecord
from compliance.privacy.personal_data.services import destroy_details
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import Cast, assemble
from tests.compliance.privacy.personal_data.conftest import Overseers
from tests.compliance.privacy.personal_data.records import KEPT_AT, keep
from tests.compliance.tampering import tamper

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast(tmp_path: Path, settings: Settings) -> Cast:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return assemble()


@pytest.fixture
def kept(cast: Cast) -> PersonalRecord:
    """A record that was read once and verified."""
    record = keep(cast.harbour)
    read_personal_details(cast.ines, cast.harbour, record.pk, purpose=AccessPurpose.INSPECT, now=KEPT_AT)
    assert verify_log("harbour").is_intact
    return record


def complaint() -> str:
    first = verify_log("harbour").first_issue
    return first.sentence if first else ""


FIELDS, RECORD, LOOK = "patrons_personalfields", "patrons_personalrecord", "patrons_personallook"


@pytest.mark.parametrize(
    ("table", "statement", "found"),
    [
        (FIELDS, f"UPDATE {FIELDS} SET fields = replace(fields, 'Pat', 'Kim')", "the details were changed"),
        (FIELDS, f"UPDATE {FIELDS} SET salt = sha256(salt)", "the details were changed"),
        (FIELDS, f"DELETE FROM {FIELDS}", "the details were removed, and no destruction is recorded"),
        (RECORD, f"UPDATE {RECORD} SET digest_sha256 = repeat('0', 64)", "is now another one"),
        (LOOK, f"DELETE FROM {LOOK}", "the row that was kept of it is gone"),
        (LOOK, f"UPDATE {LOOK} SET by_name = 'Otto'", "now says something else"),
    ],
)
def test_details_and_looks_that_were_tampered_with_are_found(
    kept: PersonalRecord, table: str, statement: str, found: str
) -> None:
    tamper(table, statement)
    assert found in complaint()


def test_a_destruction_leaves_the_ledger_whole_and_cannot_be_undone_or_hidden(
    cast: Cast, more: Overseers, kept: PersonalRecord
) -> None:
    destroy_details(doomed=kept, reason="Kept by mistake", actor=more.aron, now=KEPT_AT)
    assert verify_log("harbour").is_intact
    tamper(FIELDS, f"INSERT INTO {FIELDS} (record_id, fields, salt) VALUES ({kept.pk}, '{{}}', sha256('a'))")
    assert "recorded as destroyed and are still there" in complaint()
    tamper(FIELDS, f"DELETE FROM {FIELDS}")
    assert verify_log("harbour").is_intact
    tamper("patrons_destruction", "UPDATE patrons_destruction SET reason = 'Its time was over'")
    assert "now says something else" in complaint()


def test_not_even_the_owner_edits_details_or_deletes_them_without_a_destruction(kept: PersonalRecord) -> None:
    with as_owner():
        for statement, refusal in (
            (f"UPDATE {FIELDS} SET fields = '{{}}'", "kept as it was written"),
            (f"DELETE FROM {FIELDS}", "by recording their destruction"),
            (f"TRUNCATE {FIELDS}", "kept as it was written"),
            (f"DELETE FROM {LOOK}", "kept as it was written"),
            (f"UPDATE {RECORD} SET keep_until_on = '2020-01-01'", "kept as it was written"),
        ):
            with pytest.raises(IntegrityError, match=refusal):
                connection.cursor().execute(statement)
