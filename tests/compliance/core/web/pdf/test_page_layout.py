"""The layout of every PDF: header, footer, labelled values, tables, attachments. No text is lost or overlaps."""

from io import BytesIO
from typing import Any, NamedTuple

import pytest
from pypdf import PdfReader
from reportlab.lib.pagesizes import A4

from compliance.core.web.pdf.canvas import REGULAR, measure_line
from compliance.core.web.pdf.page_layout import (
    AS_WRITTEN,
    FOOT,
    HEAD,
    MARGIN,
    PageText,
    labelled_values,
    make_pdf,
    paragraph,
    section_flowables,
)
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from tests.pdf_text import extract_text

PAGE = PageText("Proof of wager 0041-2", "Harbour Casino", "Made 16 Nov 2026, 9:22 pm AEDT", "Made by Ines")


class Words(NamedTuple):
    left: float
    bottom: float
    text: str
    size: float

    @property
    def right(self) -> float:
        return self.left + measure_line(self.text, REGULAR, self.size)


def words_by_page(pdf: bytes) -> list[list[Words]]:
    pages = []
    for page in PdfReader(BytesIO(pdf)).pages:
        found: list[Words] = []

        def note(text: str, cm: Any, tm: Any, font: Any, size: float, found: list[Words] = found) -> None:
            if text.strip():
                found.append(Words(cm[4] + tm[4], cm[5] + tm[5], text.strip(), size))

        page.extract_text(visitor_text=note)
        pages.append(found)
    return pages


def test_every_page_says_place_title_time_reference_and_its_number() -> None:
    pages = words_by_page(make_pdf([paragraph("word " * 4_000)], PAGE))
    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        assert {one.text for one in page if one.bottom > A4[1] - HEAD} == {
            "Harbour Casino · Proof of wager 0041-2",
            "Made 16 Nov 2026, 9:22 pm AEDT",
        }
        assert {one.text for one in page if one.bottom < FOOT} == {"Made by Ines", f"Page {number} of {len(pages)}"}


@pytest.mark.parametrize("length", [1, 60, 200])
def test_a_long_name_in_header_and_footer_is_set_smaller_and_not_cut_off(length: int) -> None:
    name = "W" * length
    [page] = words_by_page(make_pdf([paragraph(" ")], PageText(name, name, PAGE.dated, name)))
    for first, last in ((f"{name} · {name}", PAGE.dated), (name, "Page 1 of 1")):
        [left], [right] = ([one for one in page if one.text == text] for text in (first, last))
        assert left.left >= MARGIN - 0.01
        assert left.right < right.left
        assert right.right <= A4[0] - MARGIN + 0.01


def test_labelled_values_longer_than_a_page_go_on_and_stay_between_header_and_footer() -> None:
    said = "\n".join(f"line-{number}" for number in range(200))
    pages = words_by_page(make_pdf(labelled_values([("The patron says", said), ("Present", "Dealer")]), PAGE))
    assert len(pages) > 2
    body = [one for page in pages for one in page if FOOT <= one.bottom <= A4[1] - HEAD]
    text = " ".join(one.text for one in body).split()
    assert [word for word in text if word.startswith("line-")] == said.split()
    assert text[-2:] == ["Present", "Dealer"]


def test_words_in_labels_values_and_tables_are_attached_as_written_with_their_page() -> None:
    grid = Grid((ReportColumn("Who"), ReportColumn("Said")), (Row(("李玲", "Plain")), Row(("Ines", "Nguyễn\n" * 200))))
    section = Section(title="第一", facts=(LabelledValue("名", "김철수"), LabelledValue("Name", "Zoë")), grid=grid)
    pdf = make_pdf(section_flowables(section), PAGE)
    assert extract_text(pdf).count("Nguy[U+1EC5]n") == 200
    [attached] = PdfReader(BytesIO(pdf)).attachments[AS_WRITTEN]
    written = ("第一", "名", "김철수", "李玲", "Nguyễn\n" * 200)
    assert attached.decode() == "\n".join(f"Page 1:\n{one}\n" for one in written)
    first, *others = words_by_page(pdf)
    assert any(AS_WRITTEN in one.text for one in first)
    assert others


def test_files_are_attached_beside_the_words_as_written_and_the_pages_come_first_unchanged() -> None:
    plain, files = make_pdf([paragraph("Plain")], PAGE), {"wager-proof.json": b'{"wager":1}'}
    attached = make_pdf([paragraph("Plain")], PAGE, files)
    assert attached.startswith(plain)
    assert attached == make_pdf([paragraph("Plain")], PAGE, files)
    both = PdfReader(BytesIO(make_pdf([paragraph("李玲")], PAGE, files))).attachments
    assert both == {"wager-proof.json": [b'{"wager":1}'], AS_WRITTEN: ["Page 1:\n李玲\n".encode()]}
