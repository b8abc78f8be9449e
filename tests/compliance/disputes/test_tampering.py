"""Tampering with a dispute by a database superuser is found by verify_ledger."""

from pathlib import Path

import pytest
from pytest_django import Settings

from compliance.disputes.entry_bodies import InspectorDeterminationBody
from compliance.disputes.services import add_inspector_note, determine_complaint, issue_letter, record_complaint
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.disputes.disputed_round import NOW, Floor, make_disputed_floor
from tests.compliance.tampering import tamper

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("table", "statement", "found"),
    [
        ("disputes_statement", "UPDATE disputes_statement SET text = 'It lay on nine.'", "something else"),
        ("disputes_step", "UPDATE disputes_step SET by_name = 'Nobody'", "something else"),
        ("disputes_disputedwager", "DELETE FROM disputes_disputedwager", "something else"),
        ("disputes_inspectornote", "UPDATE disputes_inspectornote SET text = 'Clear.'", "inspector's note"),
        ("disputes_issuedletter", "UPDATE disputes_issuedletter SET content = 'Another.'", "letter that was issued"),
        ("patrons_personalfields", "DELETE FROM patrons_personalfields", "the details were removed"),
    ],
)
def test_a_changed_dispute_is_found(tmp_path: Path, settings: Settings, table: str, statement: str, found: str) -> None:
    floor: Floor = make_disputed_floor(tmp_path, settings)
    floor.open_table()
    dispute = floor.log(patron={"name": "Ling", "contact": "ling@example.com"})
    floor.decide(dispute, floor.gina)
    add_inspector_note(dispute=dispute, text="The dealer contradicts herself.", actor=floor.ines, now=NOW)
    record_complaint(dispute=dispute, received="writing", actor=floor.ines, now=NOW)
    outcome = InspectorDeterminationBody(outcome="not-substantiated", reasons="The film shows nine.")
    determine_complaint(dispute=dispute, determination=outcome, actor=floor.ines, now=NOW)
    issue_letter(dispute=dispute, content=b"The letter.", how="posted", actor=floor.ines, now=NOW)
    assert verify_log("harbour").is_intact
    tamper(table, statement)
    first = verify_log("harbour").first_issue
    assert first is not None
    assert found in first.sentence
