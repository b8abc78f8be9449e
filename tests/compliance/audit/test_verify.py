"""`verify_ledger` reports findings whose code is not in the catalogue; retired codes are in it."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from compliance.audit.catalogue import CODES_BY_NAME
from compliance.audit.catalogue.finding_code import Retirement
from compliance.audit.entry_kinds import FINDING
from compliance.audit.models import Finding
from rounds.ledger import write_row
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of


@pytest.fixture
def finding(house: House, tmp_path: Path, settings: Settings) -> Finding:
    """A recorded finding with the code SETTLE-OVERPAID."""
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    house.audit()
    return Finding.objects.get()


def issues() -> list[str]:
    return [one.sentence for one in verify_log("harbour").issues if "code" in one.sentence]


def record_again(finding: Finding, code: str) -> Finding:
    """The same finding under another code, written with its entry as the audit would."""
    finding.pk, finding.code, finding.check_name = None, code, code.lower()
    with transaction.atomic():
        return write_row(finding, kind=FINDING, log=finding.log, now=NOW, table=finding.table)


def test_a_code_that_is_not_in_the_catalogue_is_reported_and_still_shown(house: House, finding: Finding) -> None:
    assert issues() == []
    forged = record_again(finding, "SETTLE-FORGED")
    [issue] = issues()
    assert "the code SETTLE-FORGED is not in the catalogue of finding codes." in issue
    page = browser_of(house.crew.cast.ines).get(forged.get_absolute_url()).content.decode()
    assert "This code is not in the catalogue." in page


@pytest.mark.parametrize("code", ["overpaid", "SETTLE", "SETTLE-", "SETTLE OVERPAID", "settle-overpaid", ""])
def test_the_database_refuses_what_is_not_formed_like_a_code(finding: Finding, code: str) -> None:
    with pytest.raises(IntegrityError, match="audit_finding_code_format"):
        record_again(finding, code)


def test_a_retired_code_verifies_and_is_shown_with_the_reason(
    house: House, finding: Finding, monkeypatch: pytest.MonkeyPatch
) -> None:
    retirement = Retirement(date(2026, 12, 1), "SETTLE-PAID-WRONGLY replaces it.")
    retired = replace(CODES_BY_NAME[finding.code], retired=retirement)
    monkeypatch.setitem(CODES_BY_NAME, finding.code, retired)
    assert issues() == []
    page = browser_of(house.crew.cast.ines).get(finding.get_absolute_url()).content.decode()
    assert "Retired on 2026-12-01: SETTLE-PAID-WRONGLY replaces it." in page
    monkeypatch.delitem(CODES_BY_NAME, finding.code)
    assert len(issues()) == 1
