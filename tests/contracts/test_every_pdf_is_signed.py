"""Every PDF that the service creates is signed, whichever URL or command creates it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from compliance.config.environment import PROJECT
from compliance.core.web.pdf.signer import load_report_key
from compliance.core.web.pdf.verify_signature import check_signature
from compliance.disputes.entry_bodies import InspectorDeterminationBody
from compliance.disputes.models import Dispute
from compliance.disputes.services import determine_complaint
from tests.compliance.core.accounts.people import LONG_AGO
from tests.contracts.blank_responses import blank_pages
from tests.contracts.test_permission_matrix import COLUMNS, ROWS, browser_for, places
from tests.contracts.url_arguments import Places, person_named
from tests.pdf_signatures import readers_that_accept

__all__ = ["blank_pages", "places"]

# Modules that draw pages. A new one needs its URL in the walk below.
DRAW = {
    "compliance/tables/signs/presentation/pdf.py",
    "compliance/core/web/pdf/page_layout.py",
}
# Modules that answer with a PDF: one that signs, two that serve reports signed when they were made, and one that
# serves letters signed when they were issued.
ANSWER = {
    "compliance/core/web/pdf/signer.py",
    "compliance/reports/pages/reports.py",
    "compliance/api/endpoints/views.py",
    "compliance/disputes/views/dispute.py",
}
# Modules that sign by themselves: reports and letters on the outcome of a dispute, which are stored. Tested in
# tests/compliance/reports/test_signed_reports.py and tests/compliance/disputes/views/test_dispute_pages.py.
SIGN = {"compliance/reports/jobs/generate.py", "compliance/disputes/views/inspector_steps.py"}
MADE = {"signs:paper", "disputes:file", "disputes:letter-pdf", "terms:pdf", "claims:letter", "proofs:sheet"}
# Uploaded documents are served unchanged.
UPLOADED = {"terms:attachment"}
# Reads personal data, so it is a POST.
POSTED = "claims:letter"


def sources(pattern: str) -> set[str]:
    found = re.compile(pattern)
    files = (path for root in ("compliance", "promotions", "rounds") for path in (PROJECT / root).rglob("*.py"))
    return {str(path.relative_to(PROJECT)) for path in files if found.search(path.read_text())}


def test_whoever_draws_or_hands_out_a_pdf_is_known() -> None:
    assert sources(r"= (Canvas|\w*DocTemplate)\(") == DRAW
    assert sources(r'content_type="application/pdf"') == ANSWER
    assert sources(r"pdf\.signer import .*\bsign_pdf\b") == SIGN


def papers(places: Places) -> Iterator[tuple[str, bytes]]:
    """Every URL that answers with a PDF, opened by a person who may."""
    browsers: dict[str, Client] = {}
    for name, row in ROWS.items():
        reader = next((column for column in COLUMNS if row[column] in ("200", "409")), None)
        if reader is None:
            continue
        if reader not in browsers:
            browsers[reader] = browser_for(reader)
        url = reverse(name, kwargs=places.get(name))
        answer = browsers[reader].post(url) if name == POSTED else browsers[reader].get(url)
        if answer.headers.get("Content-Type") == "application/pdf":
            yield name, b"".join(answer) if answer.streaming else answer.content


@pytest.mark.usefixtures("blank_pages")
def test_every_address_that_makes_one_signs_it(places: Places, tmp_path: Path) -> None:
    found = InspectorDeterminationBody(outcome="substantiated", amount_cents=0, reasons="The film shows ten.")
    determine_complaint(dispute=Dispute.objects.get(), determination=found, actor=person_named("insp"), now=LONG_AGO)
    signed, given_back = set(), set()
    for name, content in papers(places):
        if name in UPLOADED:
            assert content == b"%PDF-1.7", name
            given_back.add(name)
            continue
        assert check_signature(content, load_report_key().sha256), name
        accepted = readers_that_accept(content, tmp_path)
        assert all(accepted.values()), (name, accepted)
        signed.add(name)
    assert (signed, given_back) == (MADE, UPLOADED)
