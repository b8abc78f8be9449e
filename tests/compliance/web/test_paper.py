"""Words of people in PDFs: in a font that knows them, else by number; and as they were written in a file beside."""

from io import BytesIO

from pypdf import PdfReader
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, SimpleDocTemplate

from compliance.web.paper import ATTACHED, PaperCanvas, printable, words
from tests.paper import text_of

STYLE = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14)
LATIN = "Zoë paid “$70” – 10 € at Café Œuvre…"


def printed(*said: str) -> bytes:
    sheet = BytesIO()
    story: list[Flowable] = [words(each, STYLE) for each in said]
    SimpleDocTemplate(sheet, invariant=1).build(story, canvasmaker=PaperCanvas)
    return sheet.getvalue()


def test_letters_that_every_reader_shows_are_printed_as_they_are() -> None:
    assert printable(LATIN) == LATIN
    assert LATIN in text_of(printed(LATIN))
    assert PdfReader(BytesIO(printed(LATIN))).attachments == {}


def test_east_asian_letters_are_printed_in_a_font_that_readers_bring_along() -> None:
    said = "李玲 said 十, 東京 ありがとう, 김철수."
    assert printable(said) == said
    pdf = printed(said)
    assert said in text_of(pdf)
    fonts = PdfReader(BytesIO(pdf)).pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    assert {font.get_object()["/BaseFont"] for font in fonts.values()} >= {"/STSong-Light", "/HYSMyeongJo-Medium"}


def test_other_scripts_are_printed_by_number_and_never_left_blank() -> None:
    assert printable("Nguyễn") == "Nguy[U+1EC5]n"
    assert printable("سلام") == "[U+0633 U+0644 U+0627 U+0645]"
    assert printable("A\x00B🎲") == "A[U+0000]B[U+1F3B2]"


def test_the_words_as_written_are_attached_with_their_page_and_the_page_says_so() -> None:
    pdf = printed("Plain.", "我押了十。", "<b>李玲</b> & Nguyễn")
    assert "我押了十。" in text_of(pdf)
    assert "<b>李玲</b> & Nguy[U+1EC5]n" in text_of(pdf)
    assert f"attached as they were written: {ATTACHED}" in text_of(pdf)
    [attached] = PdfReader(BytesIO(pdf)).attachments[ATTACHED]
    assert attached.decode() == "Page 1:\n我押了十。\n\nPage 1:\n<b>李玲</b> & Nguyễn\n"


def test_words_that_run_over_a_page_are_attached_once_and_the_same_words_give_the_same_bytes() -> None:
    long = "我押了十。\n" * 200
    pdf = printed(long)
    assert len(PdfReader(BytesIO(pdf)).pages) > 1
    [attached] = PdfReader(BytesIO(pdf)).attachments[ATTACHED]
    assert attached.decode().count("Page ") == 1
    assert pdf == printed(long)
