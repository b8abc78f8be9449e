"""The filing on paper: the terms word for word, the receipt, and the digest that freezes them."""

from collections.abc import Iterator

from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer

from compliance.web.moments import moment_text
from promotions.printing import KEY, SMALL, Paper, heading, rows, said
from promotions.terms.filing_clock import elapsed_words, is_in_time, latest_moment
from promotions.terms.models import TermsVersion
from promotions.terms.wording import sections
from rounds.engine.promotion_duties import Promotions

QR_SIZE = 32 * mm


def filing_pdf(version: TermsVersion, duties: Promotions | None, link: str) -> bytes:
    foot = f"{version.reference} of {version.promotion.casino.slug} · terms SHA-256 {version.terms_sha256}"
    what = "Amendment asked for" if version.is_amendment else "Terms and conditions as filed"
    parts = [
        said(f"{what}. {version.promotion.casino.name}, version {version.number}."),
        heading("Receipt"),
        rows(_receipt(version, duties)),
        *_terms(version),
        heading("Where anybody can read these terms"),
        qr(link),
        said(link, SMALL),
    ]
    return Paper(version.name, foot, parts).printed()


def _receipt(version: TermsVersion, duties: Promotions | None) -> Iterator[tuple[str, str]]:
    casino = version.promotion.casino
    yield "Reference", version.reference
    yield "Received", moment_text(version.filed_at, casino)
    yield "Start of the promotion", moment_text(version.starts_at, casino)
    yield "Sent by", version.filed_by.name
    yield "Entry of the ledger", f"{version.entry_index:,} of the log {version.log}"
    yield "Digest of the terms", f"SHA-256 {version.terms_sha256}"
    if version.reason:
        yield "Reason for the change", version.reason
    if duties and not version.is_amendment:
        latest = latest_moment(version.starts_at, duties.filing)
        in_time = is_in_time(version.filed_at, version.starts_at, duties.filing)
        distance = elapsed_words(version.starts_at - version.filed_at)
        side = "before" if version.filed_at <= version.starts_at else "after"
        hours = duties.filing.hours_before_commencement
        yield (
            "Latest moment",
            f"{moment_text(latest, casino)} ({hours} hours before the start, clause {duties.filing.clause})",
        )
        yield "Filing", f"{'In time' if in_time else 'LATE'}: received {distance} {side} the start"


def _terms(version: TermsVersion) -> Iterator[Flowable]:
    for section in sections(version.terms, version.promotion.casino):
        yield heading(section.title)
        for line in section.lines:
            yield said(line)
        for prize in section.prizes:
            yield said(prize.heading, KEY)
            yield rows(prize.rows)
            yield Spacer(0, 3 * mm)


def qr(link: str) -> Drawing:
    widget = QrCodeWidget(link)
    left, bottom, right, top = widget.getBounds()
    drawing = Drawing(QR_SIZE, QR_SIZE, transform=[QR_SIZE / (right - left), 0, 0, QR_SIZE / (top - bottom), 0, 0])
    drawing.add(widget)
    return drawing
