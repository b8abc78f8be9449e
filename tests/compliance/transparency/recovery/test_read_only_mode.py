"""While a log is read-only, background work waits and continues later, forms keep what was typed, and only an
authorised person with a second factor can state what was lost, once.
"""

import threading
from datetime import datetime, timedelta

import pytest
from django.contrib.messages.middleware import MessageMiddleware
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.config.celery import app
from compliance.config.schedule import PERIODIC_TASKS
from compliance.core.accounts.auth.middleware import AccessMiddleware
from compliance.core.accounts.models import RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.web import health
from compliance.core.web.http.unsent_forms import restore_unsent_form
from compliance.core.web.tasks import send_emails
from compliance.notify.alerts.services import raise_alert
from compliance.transparency.ledger_pages.tasks import build_bundles
from compliance.transparency.recovery.errors import EpochAlreadyBegun, NotAllowedToBeginEpoch, SecondFactorRequired
from compliance.transparency.recovery.models import EpochBegun
from compliance.transparency.recovery.selectors import RestoredLog
from compliance.transparency.recovery.services import begin_epoch
from rounds.ledger.maintenance.halt import halt_restored_log
from rounds.ledger.read_only import LogReadOnly, open_halt_of
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import known_keys_for, signing_key_for
from rounds.transparency_log.formats.signed_note import sign_checkpoint
from rounds.transparency_log.tree.merkle import TreeHead
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, play
from tests.rounds.ledger import harbour_log

NOW = datetime.fromisoformat("2026-11-17T09:30:00Z")
SAID = {"lost": "Nothing that anybody knows of.", "why": "A trial.", "evidence": ""}


def halt(log: str = "harbour") -> RestoredLog:
    halt_restored_log(log=log, note=None, keys=known_keys_for(log), now=NOW)
    return RestoredLog(log, None)


def begin(floor: Floor, actor: User | None = None) -> EpochBegun:
    log = RestoredLog("harbour", floor.harbour)
    return begin_epoch(log=log, actor=actor or floor.ines, now=timezone.now(), **SAID)


def test_every_bell_may_ring_and_nobody_is_told_twice_of_what_cannot_be_recorded(
    floor: Floor, caplog: pytest.LogCaptureFixture
) -> None:
    play(3)
    long_ago = timezone.now() - timedelta(days=2)
    raise_alert(
        casino=floor.harbour,
        duty="equipment-fault",
        to=(Role.INSPECTOR,),
        clause="a rule",
        now=long_ago,
        statement="A shaker failed.",
    )
    halt()
    size = size_of("harbour")
    app.loader.import_default_modules()
    for bell in PERIODIC_TASKS:
        app.tasks[bell.task]()
    assert size_of("harbour") == size
    assert mail.outbox == [], "It could not be put on record, and would be sent each time."
    mistakes = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert [words for words in mistakes if "harbour" in words] == []
    begin(floor)
    send_emails()
    assert len(mail.outbox) > 0
    assert size_of("harbour") > size + 1


def test_the_status_page_and_the_errors_say_so(floor: Floor) -> None:
    halt()
    [reading] = [one for one in health.run_checks(NOW) if one.name == "ledger recording"]
    assert (reading.ok, reading.vital) == (False, False), "Facts can still be read: it stays in service."
    assert reading.detail == "Read-only since 2026-11-17 09:30 UTC: harbour. See After a restore."
    assert "Harbour Casino is read-only" in browser_of(floor.sam).get("/").content.decode()
    assert "is read-only" not in Client().get("/sign-in/").content.decode(), "Whoever is not signed in records nothing."
    assert "is read-only" not in browser_of(floor.otto).get("/").content.decode(), "Marina has nothing to do with it."


def sent_by(person: User, address: str, **typed: str) -> HttpRequest:
    """A POST to a view that meets a read-only log and does not handle it."""
    request = RequestFactory().post(address, {**typed, "password": "secret"})
    request.user, request.session = person, browser_of(person).session
    request.resolver_match = resolve(address)
    MessageMiddleware(lambda request: HttpResponse()).process_request(request)
    AccessMiddleware(lambda request: HttpResponse()).process_exception(request, LogReadOnly("harbour"))
    return request


def test_a_page_that_does_not_show_refusals_keeps_what_was_typed_but_no_secret(floor: Floor) -> None:
    address = "/casinos/harbour/floor/add-table/"
    kept = restore_unsent_form(sent_by(floor.sam, address, name="Table nine"))
    assert kept is not None
    assert kept.dict() == {"name": "Table nine"}
    assert restore_unsent_form(sent_by(floor.sam, "/account/password/", current="old", new="new")) is None


def test_whoever_lost_the_records_does_not_say_which_unless_there_is_nobody_else(floor: Floor) -> None:
    halt()
    for person in (floor.ada, floor.cora, floor.sam, floor.otto):
        with pytest.raises(NotAllowedToBeginEpoch):
            begin(floor, person)
    RoleAssignment.objects.filter(user=floor.ines).update(ended_at=NOW)
    with pytest.raises(NotAllowedToBeginEpoch):
        begin(floor, User.objects.get(pk=floor.ines.pk))
    assert begin(floor, floor.ada).by == floor.ada, "No inspector could: the administrator may."


def test_without_a_second_factor_nobody_does(floor: Floor) -> None:
    halt()
    TOTPDevice.objects.filter(user=floor.ines).delete()
    with pytest.raises(SecondFactorRequired):
        begin(floor)
    assert open_halt_of("harbour") is not None


def test_of_two_people_at_once_one_is_recorded_and_the_other_told(committed_floor: Floor) -> None:
    halt()
    found: list[object] = []

    def say() -> None:
        try:
            found.append(begin(committed_floor))
        except EpochAlreadyBegun as refusal:
            found.append(refusal)
        finally:
            connection.close()

    threads = [threading.Thread(target=say) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(one).__name__ for one in found) == ["EpochAlreadyBegun", "EpochBegun"]
    assert EpochBegun.objects.count() == 1
    harbour_log.play(1, first=900)


def test_a_checkpoint_is_handed_in_by_its_text_or_as_a_file(floor: Floor) -> None:
    play(4)
    note = harbour_log.sign().decode()
    ines, address = browser_of(floor.ines), "/restores/harbour/checkpoint/"
    page = ines.post(address, {"checkpoint": f"\n{note.replace(chr(10), chr(13) + chr(10))}\n"}, follow=True)
    assert "nothing is missing" in page.content.decode()
    mistakes = {"": "Copy a checkpoint here", "Nonsense.": "A note is text, a blank line", note[:-9]: "does not belong"}
    for wrong, words in mistakes.items():
        page = ines.post(address, {"checkpoint": wrong})
        assert words in page.content.decode(), words
        assert wrong in page.content.decode()
    longer = sign_checkpoint(TreeHead(10_000, bytes(32)), signing_key_for("harbour"))
    page = ines.post(address, {"file": SimpleUploadedFile("harbour.checkpoint", longer)}, follow=True)
    assert "The checkpoint of 10,000 entries was compared. The log is read-only." in page.content.decode()
    assert "to 9,999, as far as is known" in page.content.decode()
    assert "10,000 entries, " in page.content.decode()
    assert browser_of(floor.otto).post(address, {"checkpoint": note}).status_code == 404


def test_the_code_is_asked_for_in_the_same_submission(floor: Floor) -> None:
    halt()
    ines, address = browser_of(floor.ines), "/restores/harbour/epoch/"
    for without in ("password", "code"):
        page = ines.post(address, SAID | sign_off(floor.ines) | {without: "wrong"})
        assert "Nothing that anybody knows of." in page.content.decode(), "What was typed stays."
        assert open_halt_of("harbour") is not None
    assert ines.post(address, SAID | sign_off(floor.ines)).status_code == 302
    assert open_halt_of("harbour") is None


def test_evidence_that_is_asked_for_waits_and_its_page_says_why(committed_floor: Floor) -> None:
    play(3)
    halt()
    size, ines, asking = size_of("harbour"), browser_of(committed_floor.ines), "/casinos/harbour/ledger/bundles/new/"
    says = "The log of Harbour Casino is read-only. Who takes entries away is recorded"
    assert says in ines.get(asking).content.decode()
    address = ines.post(asking, {"what": "range", "first": "0", "last": "2"}).headers["Location"]
    build_bundles()
    for page in (address, address + "progress/"):
        shown = ines.get(page).content.decode()
        assert says in shown
        assert "manage.py export_bundle" in shown
    assert ines.get(address + "file/").status_code == 409
    assert size_of("harbour") == size, "Nothing was appended to it."

    begin(committed_floor)
    assert says not in ines.get(address).content.decode()
    assert says not in ines.get(asking).content.decode()
    build_bundles()
    assert ines.get(address + "file/").status_code == 200
