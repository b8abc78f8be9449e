"""The patron's sheet: one page with the dice, the code for the check, and the proof file as an attachment."""

from typing import Any

from reportlab.graphics.shapes import Circle, Drawing, Group, Rect, String
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Table, TableStyle

from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.page_layout import (
    CONTENT_WIDTH,
    LARGE,
    LARGE_SIZE,
    SUBHEADING,
    TITLE,
    PageText,
    heading,
    labelled_values,
    make_pdf,
    paragraph,
    qr_code,
    vertical_gap,
)
from compliance.transparency.wager_proofs.models import Proof
from compliance.transparency.wager_proofs.proof_file.service_statement import statement_now
from compliance.transparency.wager_proofs.proof_file.text import ProofText, describe_proof

ATTACHMENT_NAME = "wager-proof.json"
PROOF_CODE = ParagraphStyle("proof-code", LARGE, fontName="Courier-Bold", fontSize=12, leading=16)
QR_SIDE = 42 * mm
FACE: dict[str, Any] = {"fillColor": HexColor("#ffffff"), "strokeColor": HexColor("#5b6d74")}
# One and four are red, as on Asian dice.
PIP, RED = HexColor("#12303b"), HexColor("#a3221b")
# Coordinates of the pips on a die of 24 units, as on the pages.
LOW, MIDDLE, HIGH = 7, 12, 17
DIAGONAL, OTHER = ((LOW, HIGH), (HIGH, LOW)), ((LOW, LOW), (HIGH, HIGH))
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((MIDDLE, MIDDLE),),
    2: DIAGONAL,
    3: (*DIAGONAL, (MIDDLE, MIDDLE)),
    4: (*DIAGONAL, *OTHER),
    5: (*DIAGONAL, *OTHER, (MIDDLE, MIDDLE)),
    6: tuple((x, y) for x in (LOW, HIGH) for y in (6.5, MIDDLE, 17.5)),
}


def render_proof_pdf(proof: Proof, check_url: str) -> bytes:
    """`check_url` has the code after the "#", because a fragment is never sent to a server."""
    proof_text = describe_proof(bytes(proof.content), statement_now(proof.casino, proof.round_index, proof.wager))
    made = f"Made {format_local(proof.at, proof.casino)}"
    made_by = f"Made by {proof.by_name}. SHA-256 {proof.content_sha256[:16]}…"
    parts = [
        paragraph("Proof of one wager", TITLE),
        _header_table(proof_text, f"{check_url}#{proof.code}"),
        vertical_gap(),
        *labelled_values(proof_text.proved, size=LARGE_SIZE),
        heading("What the service states about it"),
        *labelled_values(proof_text.stated, size=LARGE_SIZE),
        heading("How to check it"),
        paragraph(f"1. Scan the square above, or open {check_url} and type the code {proof.code}.", LARGE),
        paragraph(
            f"2. To trust nobody: save the file {ATTACHMENT_NAME} that is attached to this PDF, "
            f"take verify_wager.py from "
            f"the same page, and run: python3 -I verify_wager.py {ATTACHMENT_NAME}",
            LARGE,
        ),
        vertical_gap(),
        paragraph(
            "It proves that this wager stands in the casino's log as it is printed here, since before the log was "
            "signed, and that nobody changed it. It shows no other patron's wager. What the rules give and what the "
            "audit found is the service's own statement, and so is the name of the place."
        ),
    ]
    page = PageText(f"Proof of wager {proof.wager}", proof.casino.name, made, made_by)
    return make_pdf(parts, page, {ATTACHMENT_NAME: bytes(proof.content)})


def _header_table(proof_text: ProofText, check_url: str) -> Flowable:
    lede = "This wager is on record, and you can check that yourself."
    if proof_text.is_taken_back:
        lede = "This wager is on record, you can check that yourself, and the record of its round was taken back."
    if proof_text.void:
        lede = f"{lede} {proof_text.void}"
    left: list[Flowable] = [
        paragraph(proof_text.place, SUBHEADING),
        paragraph(lede, LARGE),
        vertical_gap(),
        _faces_drawing(proof_text),
        vertical_gap(),
        paragraph("The code of this proof", SUBHEADING),
        paragraph(_code_in_url(check_url), PROOF_CODE),
    ]
    table = Table(
        [[left, qr_code(check_url, QR_SIDE)]], colWidths=[CONTENT_WIDTH - QR_SIDE - 6, QR_SIDE + 6], hAlign="LEFT"
    )
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (0, 0), 0),
                ("RIGHTPADDING", (1, 0), (1, 0), 0),
            ]
        )
    )
    return table


def _code_in_url(check_url: str) -> str:
    return check_url.rpartition("#")[2]


def _faces_drawing(proof_text: ProofText) -> Drawing:
    """As on the pages. The cards of Sic Bo show a figure from 1 to 6."""
    side, room = 36.0, 42.0
    drawing = Drawing(max(1, len(proof_text.faces)) * room, side)
    for place, face in enumerate(proof_text.faces):
        drawing.add(
            _card_drawing(face, place * room, side)
            if proof_text.are_cards
            else _die_drawing(face, place * room, side / 24)
        )
    return drawing


def _die_drawing(face: int, left: float, scale: float) -> Group:
    edge = Rect(1, 1, 22, 22, rx=4.5, ry=4.5, **FACE)
    colour, radius = RED if face in (1, 4) else PIP, 3.2 if face == 1 else 2.1
    pips = [Circle(x, y, radius, fillColor=colour, strokeColor=None) for x, y in PIPS[face]]
    return Group(edge, *pips, transform=(scale, 0, 0, scale, left, 0))


def _card_drawing(face: int, left: float, side: float) -> Group:
    edge = Rect(left + 4, 0, side - 8, side, rx=3, ry=3, **FACE)
    figure = String(
        left + side / 2, side / 2 - 7, str(face), fontName="Helvetica-Bold", fontSize=20, textAnchor="middle"
    )
    return Group(edge, figure)
