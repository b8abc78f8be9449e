"""A script in every text, in reports: every kind can be generated, and shows the text as typed."""

import io
from collections.abc import Mapping
from datetime import UTC, datetime

from pypdf import PdfReader

from compliance.analysis.what_if.models import Trial
from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino
from compliance.disputes.models import Dispute
from compliance.inspection.checklists.selectors import signed_checklists
from compliance.reports.document.pdf import render_pdf
from compliance.reports.kinds import REPORT_KINDS, ReportOptions
from promotions.terms.models import Promotion
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.writing.append import append, make_entry
from tests.drills.support.full_length import count_in_tally
from tests.drills.support.marked_texts import MarkedWorld
from tests.drills.test_intruder_texts import marked_places

__all__ = ["marked_places"]

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
# Written by controllers, programs and the ledger; no person's text.
NOTHING_TYPED = {"round", "certificate"}
YEAR = {"first": "2026-01-01", "last": "2026-12-31"}


def choices(harbour: Casino) -> Mapping[str, list[ReportOptions]]:
    """Options for one report of each kind, about each thing where it is about one."""
    of_one = {
        "finding": Finding.objects.filter(casino=harbour).values_list("entry_index", flat=True),
        "round": [play_round(harbour.slug)],
        "dispute": (dispute.reference for dispute in Dispute.objects.filter(casino=harbour)),
        "promotion": (promotion.reference for promotion in Promotion.objects.filter(casino=harbour)),
        "what-if": Trial.objects.filter(casino=harbour).values_list("pk", flat=True),
        "checklist": signed_checklists(harbour).values_list("entry_index", flat=True),
    }
    once: dict[str, ReportOptions] = {
        "daily": {"day": "2026-11-15"},
        "discrepancies": {},
        "certificate": {},
        "looks": {},
    }
    named = {"what-if": "trial"}
    return {
        kind: [{named.get(kind, kind): one} for one in of_one[kind]] if kind in of_one else [once.get(kind, YEAR)]
        for kind in REPORT_KINDS
    }


def play_round(log: str) -> int:
    line = {"kind": "round", "table": "sb-1", "sequence": 1, "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    [receipt] = append(log, [make_entry("round", line, table="sb-1")], NOW)
    return receipt.index


def test_every_kind_of_report_says_it_as_a_text(marked_places: MarkedWorld) -> None:
    """The casino's own name is left out: it is marked too, and in the head of every page."""
    harbour, made, shown = Casino.objects.get(slug="harbour"), 0, set()
    harbour.name = "Harbour"
    for kind, chosen in choices(harbour).items():
        assert chosen, f"There is no {kind} to report on."
        for one in chosen:
            content = render_pdf(REPORT_KINDS[kind].build(harbour, one, NOW)).content
            text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
            assert "&amp;" not in text, kind
            assert "&lt;" not in text, kind
            shown |= {kind} if "{{7*7}}" in text else set()
            made += 1
    assert shown == {*REPORT_KINDS} - NOTHING_TYPED
    count_in_tally("reports made of marked texts", made)
