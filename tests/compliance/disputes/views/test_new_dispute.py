"""Logging on a tablet: no input is lost, whatever is wrong, and what is logged is what was typed."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from compliance.disputes.models import Attachment, Dispute, DisputeDraft
from compliance.disputes.selectors import DRAFT_LIFETIME
from compliance.disputes.tasks import delete_old_drafts
from tests.compliance.core.accounts.people import PASSWORD, browser_of, next_code
from tests.compliance.disputes.disputed_round import LICENSEE, NSW, Floor

ALL = "/casinos/harbour/disputes/"
TYPED = {
    "wagers": ["0041-2"],
    "grounds": "not-paid",
    "statement": "It lay on ten.",
    "present": ["dealer"],
    "patron_name": "Ling",
    "patron_contact": "0400 000 000",
    "act": "log",
}


def photograph(name: str = "layout.jpg", form: str = "JPEG") -> SimpleUploadedFile:
    content = BytesIO()
    Image.new("RGB", (40, 30), "green").save(content, form)
    return SimpleUploadedFile(name, content.getvalue())


def page_of(floor: Floor, **body: Any) -> tuple[Client, str]:
    floor.open_table(NSW)
    index = floor.play(**body).entry.index
    return browser_of(floor.gina), f"{ALL}new/{index}/"


def test_from_the_table_to_the_round_to_the_logged_dispute(floor: Floor) -> None:
    browser, page = page_of(floor)
    assert "Table SB-1" in browser.get(f"{ALL}new/").content.decode()
    rounds = browser.get(f"{ALL}new/tables/sb-1/").content.decode()
    assert page in rounds
    assert "die-4" in rounds
    assert "used last on this device" in browser.get(f"{ALL}new/").content.decode()
    shown = browser.get(page).content.decode()
    assert "As the rules say" in shown
    assert "the games supervisor; in their absence, the casino supervisor" in shown
    answer = browser.post(page, {**TYPED, "papers": photograph()})
    dispute = Dispute.objects.get()
    assert answer.headers["Location"] == dispute.get_absolute_url()
    assert (dispute.reference, dispute.round, dispute.dealer) == ("D-1", "R-1", "D-112")
    assert [wager.bet for wager in dispute.wagers.all()] == ["total:9"]
    assert Attachment.objects.get().path.read_bytes().startswith(b"\xff\xd8")
    assert not DisputeDraft.objects.exists()
    told = browser.get(dispute.get_absolute_url()).content.decode()
    assert "It lay on ten." in told
    assert "Ling" not in told


def test_what_is_wrong_is_said_and_the_draft_is_still_there(floor: Floor) -> None:
    browser, page = page_of(floor)
    answer = browser.post(page, {**TYPED, "grounds": "", "papers": photograph()})
    assert answer.status_code == 422
    assert "Choose what it is about." in answer.content.decode()
    again = browser.get(page).content.decode()
    assert "It lay on ten." in again
    assert 'value="Ling"' in again
    assert "layout.jpg" in again
    assert not Dispute.objects.exists()
    browser.post(page, TYPED)
    assert Dispute.objects.get().attachments.count() == 1


def test_an_attachment_that_is_not_what_it_says_is_refused_and_nothing_is_lost(floor: Floor) -> None:
    browser, page = page_of(floor)
    for wrong, complaint in (
        (SimpleUploadedFile("layout.jpg", b"<script>alert(1)</script>"), "is not a JPEG or PNG photograph"),
        (photograph("layout.png"), "is not what its name says"),
        (SimpleUploadedFile("layout.jpg", b"\xff\xd8\xff" + bytes(50)), "cannot be opened as one"),
        (SimpleUploadedFile("layout.jpg", b""), "is empty"),
    ):
        answer = browser.post(page, {**TYPED, "papers": wrong})
        assert complaint in answer.content.decode()
        assert "It lay on ten." in answer.content.decode()
    assert not Dispute.objects.exists()
    assert DisputeDraft.objects.get().typed["statement"] == "It lay on ten."


def test_a_wager_of_another_round_and_a_round_that_is_not_there(floor: Floor) -> None:
    browser, page = page_of(floor)
    answer = browser.post(page, {**TYPED, "wagers": ["9999-1"]})
    assert answer.status_code == 422
    assert "It lay on ten." in answer.content.decode()
    assert browser.get(f"{ALL}new/999999/").status_code == 404
    # The opening entry of the log is not a round.
    assert browser.get(f"{ALL}new/0/").status_code == 404
    assert browser_of(floor.crew.cast.otto).get(page).status_code == 404


def test_the_script_saves_and_only_its_own_person_gets_it_back(floor: Floor) -> None:
    browser, page = page_of(floor)
    saved = browser.post(f"{page}draft/", {"statement": "It lay", "wagers": ["0041-2"], "odd": "one"})
    assert "saved_at" in saved.json()
    assert DisputeDraft.objects.get().typed == {"statement": "It lay", "wagers": ["0041-2"]}
    assert "It lay" in browser.get(page).content.decode()
    assert "not logged yet" in browser.get(ALL).content.decode()
    assert "It lay" not in browser_of(floor.sid).get(page).content.decode()
    assert "Throw it away" in browser.get(f"{page}discard/").content.decode()
    assert DisputeDraft.objects.exists(), "it is asked first"
    browser.post(f"{page}discard/")
    assert not DisputeDraft.objects.exists()


def test_a_draft_left_alone_for_a_day_is_thrown_away(floor: Floor) -> None:
    browser, page = page_of(floor)
    browser.post(f"{page}draft/", {"statement": "It lay"})
    delete_old_drafts()
    draft = DisputeDraft.objects.get()
    draft.saved_at -= DRAFT_LIFETIME
    draft.save()
    delete_old_drafts()
    assert not DisputeDraft.objects.exists()


def test_a_silent_document_says_so_and_offers_the_operators_own_procedure(floor: Floor) -> None:
    floor.open_table(LICENSEE)
    page = f"{ALL}new/{floor.play(wagers=[]).entry.index}/"
    shown = browser_of(floor.gina).get(page).content.decode()
    assert "say nothing about who decides a dispute" in shown
    assert "own procedure" in shown


def test_a_file_is_served_as_a_download_that_cannot_run_and_only_to_those_allowed(floor: Floor) -> None:
    browser, page = page_of(floor)
    browser.post(page, {**TYPED, "papers": photograph('a"><b>.jpg')})
    kept = Attachment.objects.get()
    address = f"{ALL}1/files/{kept.pk}/"
    answer = browser.get(address)
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="D-1-{kept.pk}.jpg"'
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    for stranger in (floor.crew.cast.otto, floor.crew.cast.mara, floor.crew.cast.ada):
        assert browser_of(stranger).get(address).status_code == 404
    kept.path.write_bytes(b"\xff\xd8\xffother")
    assert browser.get(address).status_code == 410


def test_a_dispute_sent_after_the_session_ended_is_there_again_and_is_not_logged(floor: Floor) -> None:
    browser, page = page_of(floor)
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        assert browser.get(page).status_code == 200
        clock.shift(timedelta(minutes=30))
        answer = browser.post(page, TYPED, headers={"Referer": f"http://testserver{page}"})
        step = browser.post(answer.headers["Location"], {"email": floor.gina.email, "password": PASSWORD})
        browser.post(step.headers["Location"], {"code": next_code(floor.gina)})
        shown = browser.get(page).content.decode()
    assert "What you typed before is here again." in shown
    assert "It lay on ten." in shown
    assert 'value="0400 000 000"' in shown
    assert not Dispute.objects.exists()
