"""People's text in PDFs: in a font that has it, else as code points; and attached as written."""

from io import BytesIO

from pypdf import PdfReader

from compliance.core.web.pdf.canvas import replace_unprintable
from compliance.core.web.pdf.page_layout import AS_WRITTEN, PageText, make_pdf, paragraph
from tests.pdf_text import extract_text

LATIN = "Zoë paid “$70” – 10 € at Café Œuvre…"
PAGE = PageText("Letter", "Harbour", "Made 16 Nov 2026, 9:22 pm AEDT", "D-1")


def printed(*said: str) -> bytes:
    return make_pdf([paragraph(each) for each in said], PAGE)


def test_letters_that_every_reader_shows_are_printed_as_they_are() -> None:
    assert replace_unprintable(LATIN) == LATIN
    assert LATIN in extract_text(printed(LATIN))
    assert PdfReader(BytesIO(printed(LATIN))).attachments == {}


def test_east_asian_letters_are_printed_in_a_font_that_readers_bring_along() -> None:
    said = "李玲 said 十, 東京 ありがとう, 김철수."
    assert replace_unprintable(said) == said
    pdf = printed(said)
    assert said in extract_text(pdf)
    fonts = PdfReader(BytesIO(pdf)).pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    assert {font.get_object()["/BaseFont"] for font in fonts.values()} >= {"/STSong-Light", "/HYSMyeongJo-Medium"}


def test_other_scripts_are_printed_by_number_and_never_left_blank() -> None:
    assert replace_unprintable("Nguyễn") == "Nguy[U+1EC5]n"
    assert replace_unprintable("سلام") == "[U+0633 U+0644 U+0627 U+0645]"
    assert replace_unprintable("A\x00B🎲") == "A[U+0000]B[U+1F3B2]"


def test_the_words_as_written_are_attached_with_their_page_and_the_page_says_so() -> None:
    pdf = printed("Plain.", "我押了十。", "<b>李玲</b> & Nguyễn")
    assert "我押了十。" in extract_text(pdf)
    assert "<b>李玲</b> & Nguy[U+1EC5]n" in extract_text(pdf)
    assert f"attached as they were written: {AS_WRITTEN}" in extract_text(pdf)
    [attached] = PdfReader(BytesIO(pdf)).attachments[AS_WRITTEN]
    assert attached.decode() == "Page 1:\n我押了十。\n\nPage 1:\n<b>李玲</b> & Nguyễn\n"


def test_words_that_run_over_a_page_are_attached_once_and_the_same_words_give_the_same_bytes() -> None:
    long = "我押了十。\n" * 200
    pdf = printed(long)
    assert len(PdfReader(BytesIO(pdf)).pages) > 1
    [attached] = PdfReader(BytesIO(pdf)).attachments[AS_WRITTEN]
    assert attached.decode().count("Page ") == 1
    assert pdf == printed(long)
