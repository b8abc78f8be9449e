"""Filing as PDF: the terms word for word, the receipt, and the digest."""

from collections.abc import Iterator
from datetime import datetime

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.page_layout import (
    SMALL,
    SUBHEADING,
    SUBJECT,
    TITLE,
    PageText,
    heading,
    labelled_values,
    make_pdf,
    paragraph,
    qr_code,
    vertical_gap,
)
from promotions.terms.content.filing_deadline import format_elapsed, is_filed_in_time, latest_filing_time
from promotions.terms.content.text import build_sections
from promotions.terms.models import TermsVersion
from rounds.engine import Promotions

QR_SIZE = 32 * mm


def filing_pdf(version: TermsVersion, duties: Promotions | None, link: str, now: datetime) -> bytes:
    casino = version.promotion.casino
    reference = f"{version.reference} of {casino.slug} · terms SHA-256 {version.terms_sha256}"
    what = "Amendment asked for" if version.is_amendment else "Terms and conditions as filed"
    parts = [
        paragraph(version.name, TITLE),
        paragraph(f"{what}. {casino.name}, version {version.number}.", SUBJECT),
        heading("Receipt"),
        *labelled_values(_receipt_rows(version, duties)),
        *_terms_section(version),
        heading("Where anybody can read these terms"),
        qr_code(link, QR_SIZE),
        paragraph(link, SMALL),
    ]
    return make_pdf(parts, PageText(version.name, casino.name, f"Made {format_local(now, casino)}", reference))


def _receipt_rows(version: TermsVersion, duties: Promotions | None) -> Iterator[tuple[str, str]]:
    casino = version.promotion.casino
    yield "Reference", version.reference
    yield "Received", format_local(version.filed_at, casino)
    yield "Start of the promotion", format_local(version.starts_at, casino)
    yield "Sent by", version.filed_by.name
    yield "Entry of the ledger", f"{version.entry_index:,} of the log {version.log}"
    yield "Digest of the terms", f"SHA-256 {version.terms_sha256}"
    if version.reason:
        yield "Reason for the change", version.reason
    if duties and not version.is_amendment:
        latest = latest_filing_time(version.starts_at, duties.filing)
        in_time = is_filed_in_time(version.filed_at, version.starts_at, duties.filing)
        distance = format_elapsed(version.starts_at - version.filed_at)
        side = "before" if version.filed_at <= version.starts_at else "after"
        hours = duties.filing.hours_before_commencement
        yield (
            "Latest moment",
            f"{format_local(latest, casino)} ({hours} hours before the start, clause {duties.filing.clause})",
        )
        yield "Filing", f"{'In time' if in_time else 'LATE'}: received {distance} {side} the start"


def _terms_section(version: TermsVersion) -> Iterator[Flowable]:
    for section in build_sections(version.terms, version.promotion.casino):
        yield heading(section.title)
        for line in section.lines:
            yield paragraph(line)
        for prize in section.prizes:
            yield paragraph(prize.heading, SUBHEADING)
            yield from labelled_values(prize.rows)
            yield vertical_gap()
