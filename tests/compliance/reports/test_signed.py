"""Signed reports: the file, the ledger and the offline check agree on who signed what, before and after a new key."""

import base64
import hashlib
import random
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.reports import making
from compliance.reports.certificates import check_key, record_everywhere
from compliance.reports.making import make_waiting
from compliance.reports.models import Certificate, Report, SignedFile
from compliance.reports.services import ask_for_report
from compliance.reports.tasks import make_reports
from compliance.reports.verify_report import DOCUMENT, Attached, update_of, verify_report
from compliance.web.signing import make_report_key, report_key, signed
from compliance.web.verify_signature import check_signature
from rounds.ledger.following import every_log, read_entries_at
from rounds.ledger.verification import verify_log
from tests.compliance.accounts.cast import browser_of
from tests.compliance.reports.making import check, make
from tests.compliance.reviews.office import Office
from tests.signatures import pyhanko_accepts, readers_that_accept


@pytest.fixture
def own_key(settings: Settings, tmp_path: Path) -> Path:
    """A key that this test may change."""
    settings.REPORT_KEY_FILE = tmp_path / "keys" / "report.pem"
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    return tmp_path / "keys" / "report.pem"


def test_a_report_is_signed_and_the_ledger_says_with_what(committed_office: Office, tmp_path: Path) -> None:
    office = committed_office
    office.overpay()
    report = make(office, "discrepancies")
    browser = browser_of(office.ines)
    content = b"".join(browser.get(f"/casinos/harbour/reports/{report.pk}/file/"))
    assert all(readers_that_accept(content, tmp_path).values())
    fingerprint = report_key().sha256
    assert fingerprint in browser.get(f"/casinos/harbour/reports/{report.pk}/").content.decode()
    row, known = SignedFile.objects.get(), Certificate.objects.get(log="harbour")
    recorded = read_entries_at("harbour", [known.entry_index, row.entry_index])
    assert [(one.kind, one.content()) for one in recorded] == [
        ("report-key", dict(known.as_record())),
        ("report-signed", dict(row.as_record())),
    ]
    assert row.file_sha256 == report.file_sha256 == hashlib.sha256(content).hexdigest()
    assert (row.certificate_sha256, known.certificate_sha256) == (fingerprint, fingerprint)
    assert [one for one in verify_log("harbour").misfits if one.check == "records"] == []
    for table in (SignedFile, Certificate):
        with pytest.raises(Exception, match="permission denied"):
            table.objects.update(at=timezone.now())
    checked = check(report.path(".pdf"), "--certificate", fingerprint)
    assert checked.returncode == 0, checked.stdout
    for words in ("One signature covers the whole file", f"recorded the certificate that signed it, {fingerprint}"):
        assert words in checked.stdout
    assert "to do: compare this certificate" not in checked.stdout


def test_a_report_with_any_byte_changed_is_refused(
    committed_office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    committed_office.overpay()
    whole = make(committed_office, "discrepancies").path(".pdf").read_bytes()
    target, chance = tmp_path / "changed.pdf", random.Random(5)
    places = chance.sample(range(len(whole)), 200)
    hole = whole.rfind(b"/Contents<")
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        target.write_bytes(changed)
        assert not verify_report(target, None, None), place
        assert hole < place or not pyhanko_accepts(bytes(changed)), place
    for number in range(1, 40):
        target.write_bytes(whole + chance.randbytes(number))
        assert not verify_report(target, None, None), number
    said = capsys.readouterr().out
    assert said.count("must not be relied on") == 239
    assert "The file was changed after it was signed." in said
    target.write_bytes(whole)
    assert verify_report(target, None, None)


def test_a_report_signed_anew_with_another_key_is_refused_by_what_it_carries(
    committed_office: Office, settings: Settings, tmp_path: Path
) -> None:
    committed_office.overpay()
    path, ours = make(committed_office, "discrepancies").path(".pdf"), report_key().sha256
    unsigned = check_signature(path.read_bytes()).content
    settings.REPORT_KEY_FILE = tmp_path / "thief.pem"
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    for name, content, words in (
        ("another's", signed(unsigned, timezone.now()), "a certificate that the ledger did not record"),
        ("none", unsigned, "The file is not signed"),
        ("moved", signed(unsigned, timezone.now(), "5000 12 5"), "does not stand where reports have it"),
    ):
        target = tmp_path / "anew.pdf"
        target.write_bytes(content)
        checked = check(target)
        assert checked.returncode == 1, name
        assert words in checked.stdout, (name, checked.stdout)
        given = check(target, "--certificate", ours)
        assert given.returncode == 1, name
    assert check(path, "--certificate", ours).returncode == 0


def with_another_total(attached: Attached) -> bytes:
    """The figures that no record is quoted for; every row says what its record says."""
    document = attached.files[DOCUMENT]
    changed = document.replace(b'"$1.00"],"entry":null', b'"$9.00"],"entry":null')
    assert changed != document
    packed = attached.packed | {DOCUMENT: zlib.compress(changed)}
    return attached.pages + update_of(attached.pages, packed)


def with_other_pages(attached: Attached) -> bytes:
    """The second line of a PDF is a comment: any reader shows the same."""
    pages = bytearray(attached.pages)
    pages[pages.index(b"\n%") + 3] ^= 1
    return bytes(pages) + update_of(bytes(pages), attached.packed)


@pytest.mark.parametrize("change", [with_another_total, with_other_pages])
def test_what_was_changed_and_put_together_again_is_refused_whoever_signs_it(
    change: Callable[[Attached], bytes], committed_office: Office, settings: Settings, tmp_path: Path
) -> None:
    committed_office.overpay()
    path, target = make(committed_office, "discrepancies").path(".pdf"), tmp_path / "changed.pdf"
    whole = check_signature(path.read_bytes()).content
    changed = change(Attached(whole))
    target.write_bytes(signed(whole, timezone.now()))
    assert check(target).returncode == 0, "put together as it was, and signed with the service's own key"
    target.write_bytes(signed(changed, timezone.now()))
    by_ours = check(target)
    assert by_ours.returncode == 1
    assert "The ledger recorded other pages than these, or none." in by_ours.stdout
    settings.REPORT_KEY_FILE = tmp_path / "thief.pem"
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    target.write_bytes(signed(changed, timezone.now()))
    by_a_thief = check(target)
    assert by_a_thief.returncode == 1
    assert "a certificate that the ledger did not record" in by_a_thief.stdout


def test_a_new_key_signs_from_then_on_and_older_reports_stay_valid(committed_office: Office, own_key: Path) -> None:
    office, out = committed_office, StringIO()
    office.overpay()
    older, first = make(office, "discrepancies"), report_key().sha256
    call_command("rotate_report_key", reason="By habit.", stdout=out)
    second = report_key().sha256
    assert first != second
    assert second in out.getvalue()
    newer = make(office, "discrepancies")
    for report, fingerprint, other in ((older, first, second), (newer, second, first)):
        assert check(report.path(".pdf"), "--certificate", fingerprint).returncode == 0
        assert "another certificate" in check(report.path(".pdf"), "--certificate", other).stdout
    for log in every_log():
        newest = Certificate.objects.filter(log=log).latest("entry_index")
        assert (newest.certificate_sha256, newest.reason) == (second, "By habit."), log
    assert Certificate.objects.filter(log="harbour").latest("entry_index").former_sha256 == first
    assert verify_log("site").is_whole
    for unsaid in (" ", "x" * 301):
        for keep_file in (False, True):
            with pytest.raises(CommandError, match="stands in every log"):
                call_command("rotate_report_key", reason=unsaid, keep_file=keep_file)
    assert report_key().sha256 == second
    own_key.unlink()
    make_report_key(own_key, timezone.now())
    call_command("rotate_report_key", reason="Issued by an authority.", keep_file=True, stdout=out)
    newest = Certificate.objects.filter(log="site").latest("entry_index")
    assert (newest.certificate_sha256, newest.reason) == (report_key().sha256, "Issued by an authority.")


def test_a_key_changed_between_record_and_signature_is_recorded_first(committed_office: Office, own_key: Path) -> None:
    office = committed_office
    office.overpay()
    report = ask_for_report(
        casino=office.casino, kind="discrepancies", chosen={}, actor=office.ines, now=timezone.now()
    )
    making._begin(report, timezone.now())
    making._write_pages(report, timezone.now(), lambda done: None)
    own_key.unlink()
    make_waiting(timezone.now)
    report.refresh_from_db()
    assert report.state == "recorded", "it waits for a key"
    make_report_key(own_key, timezone.now())
    make_waiting(timezone.now)
    report.refresh_from_db()
    assert report.state == "ready"
    assert check(report.path(".pdf"), "--certificate", report_key().sha256).returncode == 0


def test_without_a_key_nothing_is_made_or_handed_out_and_the_status_page_says_so(
    committed_office: Office, own_key: Path, client: Client
) -> None:
    office, now = committed_office, timezone.now()
    office.overpay()
    assert not check_key(now).is_ok, "not in the ledger yet"
    make_reports()
    assert check_key(now).is_ok
    assert not check_key(now + timedelta(days=3600)).is_ok, "it ends soon"
    content = own_key.read_bytes()
    own_key.unlink()
    assert "There is no report key" in check_key(now).detail
    report = ask_for_report(casino=office.casino, kind="discrepancies", chosen={}, actor=office.ines, now=now)
    make_reports()
    assert Report.objects.get(pk=report.pk).state == "waiting"
    own_key.write_bytes(content)
    make_reports()
    assert Report.objects.get(pk=report.pk).is_ready


def test_the_certificates_are_there_for_anybody(db: None, client: Client, own_key: Path) -> None:
    from rounds.ledger.appending import open_log

    now = datetime(2026, 11, 17, 6, 0, tzinfo=UTC)
    open_log("site", now)
    page = client.get("/reports/certificates/").content.decode()
    assert "No certificate was recorded yet." in page
    assert record_everywhere(now)
    assert record_everywhere(now) == [], "once is enough"
    fingerprint = report_key().sha256
    assert fingerprint in client.get("/reports/certificates/").content.decode()
    lines = client.get(f"/reports/certificates/{fingerprint}.pem").content.decode().split("\n")
    assert hashlib.sha256(base64.b64decode("".join(lines[1:-2]))).hexdigest() == fingerprint
    assert client.get(f"/reports/certificates/{'0' * 64}.pem").status_code == 404


def test_a_letter_is_checked_by_its_signature_alone(tmp_path: Path) -> None:
    from tests.compliance.web.test_signing import a_pdf

    letter = tmp_path / "letter.pdf"
    letter.write_bytes(signed(a_pdf(), timezone.now()))
    fingerprint = report_key().sha256
    alone = check(letter, "--signature-alone", "--certificate", fingerprint)
    assert alone.returncode == 0, alone.stdout
    assert hashlib.sha256(a_pdf()).hexdigest() in alone.stdout
    assert "Proofs and totals were not looked at" in alone.stdout
    assert check(letter, "--signature-alone", "--certificate", "0" * 64).returncode == 1
    assert check(letter, "--signature-alone").returncode == 2
    assert check(letter, "--certificate", fingerprint).returncode == 1, "it is no report"
