"""Signed reports: file, ledger and offline verifier agree on the signer, before and after key rotation."""

import base64
import hashlib
import random
import re
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

from compliance.core.web.pdf.attachments import attachment_update
from compliance.core.web.pdf.signer import load_report_key, make_report_key, sign_pdf
from compliance.core.web.pdf.verify_signature import check_signature
from compliance.reports.jobs import generate
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.jobs.request import request_report
from compliance.reports.models import Certificate, Report, SignedFile
from compliance.reports.offline.verify_report import DOCUMENT, AttachedFiles, verify_report
from compliance.reports.signing_certificates import check_signing_key, record_certificate_in_all_logs
from compliance.reports.tasks import run_report_jobs
from rounds.ledger.readers.consumer import read_entries_at
from rounds.ledger.storage import every_log
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report, verify_offline
from tests.pdf_signatures import pyhanko_accepts, readers_that_accept


@pytest.fixture
def own_key(settings: Settings, tmp_path: Path) -> Path:
    """A key file that this test may change."""
    settings.REPORT_KEY_FILE = tmp_path / "keys" / "report.pem"
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    return tmp_path / "keys" / "report.pem"


def test_a_report_is_signed_and_the_ledger_says_with_what(committed_office: ReviewScenario, tmp_path: Path) -> None:
    office = committed_office
    office.overpay()
    report = make_report(office, "discrepancies")
    browser = browser_of(office.ines)
    content = b"".join(browser.get(f"/casinos/harbour/reports/{report.pk}/file/"))
    assert all(readers_that_accept(content, tmp_path).values())
    fingerprint = load_report_key().sha256
    assert fingerprint in browser.get(f"/casinos/harbour/reports/{report.pk}/").content.decode()
    row, known = SignedFile.objects.get(), Certificate.objects.get(log="harbour")
    recorded = read_entries_at("harbour", [known.entry_index, row.entry_index])
    assert [(one.kind, one.content()) for one in recorded] == [
        ("report-key", dict(known.entry_body())),
        ("report-signed", dict(row.entry_body())),
    ]
    assert row.file_sha256 == report.file_sha256 == hashlib.sha256(content).hexdigest()
    assert (row.certificate_sha256, known.certificate_sha256) == (fingerprint, fingerprint)
    assert [one for one in verify_log("harbour").issues if one.check == "records"] == []
    for table in (SignedFile, Certificate):
        with pytest.raises(Exception, match="permission denied"):
            table.objects.update(at=timezone.now())
    checked = verify_offline(report.path(".pdf"), "--certificate", fingerprint)
    assert checked.returncode == 0, checked.stdout
    for words in ("One signature covers the whole file", f"recorded the certificate that signed it, {fingerprint}"):
        assert words in checked.stdout
    assert "to do: compare this certificate" not in checked.stdout


def test_a_report_with_any_byte_changed_is_refused(
    committed_office: ReviewScenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    committed_office.overpay()
    whole = make_report(committed_office, "discrepancies").path(".pdf").read_bytes()
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
    committed_office: ReviewScenario, settings: Settings, tmp_path: Path
) -> None:
    committed_office.overpay()
    path, ours = make_report(committed_office, "discrepancies").path(".pdf"), load_report_key().sha256
    unsigned = check_signature(path.read_bytes()).content
    settings.REPORT_KEY_FILE = tmp_path / "thief.pem"
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    for name, content, words in (
        ("another's", sign_pdf(unsigned, timezone.now()), "a certificate that the ledger did not record"),
        ("none", unsigned, "The file is not signed"),
        ("moved", sign_pdf(unsigned, timezone.now(), "5000 12 5"), "does not stand where reports have it"),
    ):
        target = tmp_path / "anew.pdf"
        target.write_bytes(content)
        checked = verify_offline(target)
        assert checked.returncode == 1, name
        assert words in checked.stdout, (name, checked.stdout)
        given = verify_offline(target, "--certificate", ours)
        assert given.returncode == 1, name
    assert verify_offline(path, "--certificate", ours).returncode == 0


def with_another_total(attached: AttachedFiles) -> bytes:
    """Changes a figure that no entry is quoted for, so that every row still matches its entry."""
    document = attached.files[DOCUMENT]
    changed = re.sub(rb'"\$1\.00"((?:,"[^"]*")*\],"entry":null)', rb'"$9.00"\1', document, count=1)
    assert changed != document
    packed = attached.packed | {DOCUMENT: zlib.compress(changed)}
    return attached.pages + attachment_update(attached.pages, packed)


def with_other_pages(attached: AttachedFiles) -> bytes:
    """Changes the comment in the second line of the PDF, which no reader displays."""
    pages = bytearray(attached.pages)
    pages[pages.index(b"\n%") + 3] ^= 1
    return bytes(pages) + attachment_update(bytes(pages), attached.packed)


@pytest.mark.parametrize("change", [with_another_total, with_other_pages])
def test_what_was_changed_and_put_together_again_is_refused_whoever_signs_it(
    change: Callable[[AttachedFiles], bytes], committed_office: ReviewScenario, settings: Settings, tmp_path: Path
) -> None:
    committed_office.overpay()
    path, target = make_report(committed_office, "discrepancies").path(".pdf"), tmp_path / "changed.pdf"
    whole = check_signature(path.read_bytes()).content
    changed = change(AttachedFiles(whole))
    target.write_bytes(sign_pdf(whole, timezone.now()))
    assert verify_offline(target).returncode == 0, "put together as it was, and signed with the service's own key"
    target.write_bytes(sign_pdf(changed, timezone.now()))
    by_ours = verify_offline(target)
    assert by_ours.returncode == 1
    assert "The ledger recorded other pages than these, or none." in by_ours.stdout
    settings.REPORT_KEY_FILE = tmp_path / "thief.pem"
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    target.write_bytes(sign_pdf(changed, timezone.now()))
    by_a_thief = verify_offline(target)
    assert by_a_thief.returncode == 1
    assert "a certificate that the ledger did not record" in by_a_thief.stdout


def test_a_new_key_signs_from_then_on_and_older_reports_stay_valid(
    committed_office: ReviewScenario, own_key: Path
) -> None:
    office, out = committed_office, StringIO()
    office.overpay()
    older, first = make_report(office, "discrepancies"), load_report_key().sha256
    call_command("rotate_report_key", reason="By habit.", stdout=out)
    second = load_report_key().sha256
    assert first != second
    assert second in out.getvalue()
    newer = make_report(office, "discrepancies")
    for report, fingerprint, other in ((older, first, second), (newer, second, first)):
        assert verify_offline(report.path(".pdf"), "--certificate", fingerprint).returncode == 0
        assert "another certificate" in verify_offline(report.path(".pdf"), "--certificate", other).stdout
    for log in every_log():
        newest = Certificate.objects.filter(log=log).latest("entry_index")
        assert (newest.certificate_sha256, newest.reason) == (second, "By habit."), log
    assert Certificate.objects.filter(log="harbour").latest("entry_index").former_sha256 == first
    assert verify_log("site").is_intact
    for unsaid in (" ", "x" * 301):
        for keep_file in (False, True):
            with pytest.raises(CommandError, match="stands in every log"):
                call_command("rotate_report_key", reason=unsaid, keep_file=keep_file)
    assert load_report_key().sha256 == second
    own_key.unlink()
    make_report_key(own_key, timezone.now())
    call_command("rotate_report_key", reason="Issued by an authority.", keep_file=True, stdout=out)
    newest = Certificate.objects.filter(log="site").latest("entry_index")
    assert (newest.certificate_sha256, newest.reason) == (load_report_key().sha256, "Issued by an authority.")


def test_a_key_changed_between_record_and_signature_is_recorded_first(
    committed_office: ReviewScenario, own_key: Path
) -> None:
    office = committed_office
    office.overpay()
    report = request_report(
        casino=office.casino, kind="discrepancies", chosen={}, actor=office.ines, now=timezone.now()
    )
    generate._begin_report(report, timezone.now())
    generate._write_pages(report, timezone.now(), lambda done, total: None)
    own_key.unlink()
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.state, report.is_recorded) == ("running", True), "it waits for a key"
    make_report_key(own_key, timezone.now())
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert report.is_done
    assert verify_offline(report.path(".pdf"), "--certificate", load_report_key().sha256).returncode == 0


def test_without_a_key_nothing_is_made_or_handed_out_and_the_status_page_says_so(
    committed_office: ReviewScenario, own_key: Path, client: Client
) -> None:
    office, now = committed_office, timezone.now()
    office.overpay()
    assert not check_signing_key(now).is_ok, "not in the ledger yet"
    run_report_jobs()
    assert check_signing_key(now).is_ok
    assert not check_signing_key(now + timedelta(days=3600)).is_ok, "it ends soon"
    content = own_key.read_bytes()
    own_key.unlink()
    assert "There is no report key" in check_signing_key(now).detail
    report = request_report(casino=office.casino, kind="discrepancies", chosen={}, actor=office.ines, now=now)
    run_report_jobs()
    assert Report.objects.get(pk=report.pk).state == "waiting"
    own_key.write_bytes(content)
    run_report_jobs()
    assert Report.objects.get(pk=report.pk).is_done


def test_the_certificates_are_there_for_anybody(db: None, client: Client, own_key: Path) -> None:
    from rounds.ledger.writing.append import open_log

    now = datetime(2026, 11, 17, 6, 0, tzinfo=UTC)
    open_log("site", now)
    page = client.get("/reports/certificates/").content.decode()
    assert "No certificate was recorded yet." in page
    assert record_certificate_in_all_logs(now)
    assert record_certificate_in_all_logs(now) == [], "once is enough"
    fingerprint = load_report_key().sha256
    assert fingerprint in client.get("/reports/certificates/").content.decode()
    lines = client.get(f"/reports/certificates/{fingerprint}.pem").content.decode().split("\n")
    assert hashlib.sha256(base64.b64decode("".join(lines[1:-2]))).hexdigest() == fingerprint
    assert client.get(f"/reports/certificates/{'0' * 64}.pem").status_code == 404


def test_a_letter_is_checked_by_its_signature_alone(tmp_path: Path) -> None:
    from tests.compliance.core.web.pdf.test_signer import a_pdf

    letter = tmp_path / "letter.pdf"
    letter.write_bytes(sign_pdf(a_pdf(), timezone.now()))
    fingerprint = load_report_key().sha256
    alone = verify_offline(letter, "--signature-alone", "--certificate", fingerprint)
    assert alone.returncode == 0, alone.stdout
    assert hashlib.sha256(a_pdf()).hexdigest() in alone.stdout
    assert "Proofs and totals were not looked at" in alone.stdout
    assert verify_offline(letter, "--signature-alone", "--certificate", "0" * 64).returncode == 1
    assert verify_offline(letter, "--signature-alone").returncode == 2
    assert verify_offline(letter, "--certificate", fingerprint).returncode == 1, "it is no report"
