"""Entries of a dispute's log that change no state: files and inspectors' notes can be withdrawn too."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from compliance.core.accounts.models import User
from compliance.core.corrections.services import withdraw_record
from compliance.disputes.attachments import store_upload
from compliance.disputes.models import Dispute, Step
from compliance.disputes.pdf.dispute_file import dispute_file
from compliance.disputes.services import add_inspector_note, attach_file, record_complaint
from rounds.ledger import entry_at, verify_log
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, Floor
from tests.pdf_text import extract_text

PICTURE = b"\x89PNG\r\n\x1a\n" + Path("templates/docs/floor.png").read_bytes()[8:]


def withdraw(floor: Floor, kind: str, by: User) -> None:
    entry = entry_at("harbour", Step.objects.get(kind=kind).entry_index)
    assert entry is not None
    withdraw_record(casino=floor.harbour, entry=entry, reason="Wrong dispute.", actor=by, now=NOW + 9 * MINUTE)


@pytest.fixture
def dispute(floor: Floor) -> Dispute:
    floor.open_table(NSW)
    return floor.log()


def test_a_file(floor: Floor, dispute: Dispute) -> None:
    stored = store_upload(SimpleUploadedFile("layout.png", PICTURE))
    attach_file(dispute=dispute, stored=stored, actor=floor.gina, now=NOW)
    withdraw(floor, "dispute-attached", floor.gina)
    page = browser_of(floor.gina).get(dispute.get_absolute_url()).content.decode()
    files = page[page.index("<h2>Files") :]
    assert "Withdrawn" in files[: files.index("layout.png")]
    kept = Dispute.objects.with_file().get()
    assert kept.standing_files() == []
    pdf = dispute_file(kept, patron=None, is_government=True, made_for="Ines", now=NOW + 10 * MINUTE)
    assert "No file was attached." in extract_text(pdf)
    assert "Wrong dispute." in extract_text(pdf)
    assert verify_log("harbour").issues == ()


def test_an_inspectors_note_of_which_the_operator_learns_nothing(floor: Floor, dispute: Dispute) -> None:
    record_complaint(dispute=dispute, received="writing", actor=floor.ines, now=NOW)
    add_inspector_note(dispute=dispute, text="Contradicts herself.", actor=floor.ines, now=NOW)
    withdraw(floor, "dispute-note", floor.alf)
    theirs = browser_of(floor.ines).get(dispute.get_absolute_url()).content.decode()
    assert "Contradicts herself." not in theirs
    assert "Wrong dispute." in theirs
    assert "Wrong dispute." not in browser_of(floor.cora).get(dispute.get_absolute_url()).content.decode()
    assert verify_log("harbour").issues == ()
