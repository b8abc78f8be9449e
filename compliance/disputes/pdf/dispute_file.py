"""PDF of the whole file of a dispute: its sections, the pictures attached, and the proof of the disputed entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from io import BytesIO
from typing import Any

from PIL import Image as Picture
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Image

from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.page_layout import (
    CODE,
    SUBHEADING,
    SUBJECT,
    TITLE,
    PageText,
    heading,
    keep_together,
    make_pdf,
    paragraph,
    section_flowables,
)
from compliance.disputes.attachments import read_attachment
from compliance.disputes.entry_bodies import GROUNDS
from compliance.disputes.errors import FileGone
from compliance.disputes.models import Attachment, Dispute
from compliance.disputes.pdf.file_sections import file_sections
from rounds.ledger import proofs

WIDEST, HIGHEST = 120 * mm, 90 * mm


def dispute_file(
    dispute: Dispute, *, patron: Mapping[str, Any] | None, is_government: bool, made_for: str, now: datetime
) -> bytes:
    """The file as PDF. With `patron` None the details are left out, and the file says so."""
    title = f"Dispute {dispute.reference}"
    sections = file_sections(dispute, patron=patron, is_government=is_government)
    parts = [
        paragraph(title, TITLE),
        paragraph(f"{dispute.casino}: {GROUNDS[dispute.grounds]}", SUBJECT),
        *(part for section in sections for part in section_flowables(section)),
        *_pictures(dispute),
        *_proof_section(dispute),
    ]
    made = f"Made {format_local(now, dispute.casino)}"
    return make_pdf(parts, PageText(title, str(dispute.casino), made, f"{title}, made for {made_for}"))


def _pictures(dispute: Dispute) -> Iterator[Flowable]:
    for place, each in enumerate(dispute.standing_files(), 1):
        if each.is_picture:
            yield keep_together(paragraph(f"File {place}", SUBHEADING), _scaled_picture(each))


def _scaled_picture(attachment: Attachment) -> Flowable:
    """The picture scaled to the page; a note if the file is missing or changed."""
    try:
        content = read_attachment(attachment)
    except FileGone:
        return paragraph("The file is missing or was changed.")
    with Picture.open(BytesIO(content)) as opened:
        width, height = opened.size
    scale = min(WIDEST / width, HIGHEST / height, 1)
    return Image(BytesIO(content), width * scale, height * scale, hAlign="LEFT")


def _proof_section(dispute: Dispute) -> Iterator[Flowable]:
    yield heading(f"7. Proof of the {'round' if dispute.is_round else 'entry'}")
    yield paragraph(f"Entry {dispute.subject_index:,} of the log {dispute.log}, checked as this file was made.")
    for step in proofs.prove_entry(dispute.log, dispute.subject_index):
        fits = "Fits" if step.fits else "Does not fit" if step.is_known else "Not checked"
        lines = [paragraph(f"{name}: {value}", CODE) for name, value in step.facts]
        yield keep_together(paragraph(f"{step.title}. {fits}.", SUBHEADING), paragraph(step.words), *lines)
    proof = proofs.make_proof_file(dispute.log, dispute.subject_index)
    if proof is not None:
        yield paragraph("The proof as a file, which any verifier of the format can check:", SUBHEADING)
        yield from (paragraph(line or " ", CODE) for line in proof.decode().splitlines())
