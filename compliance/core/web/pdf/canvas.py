"""Prints people's text in any script: embedded fonts, East Asian fonts that readers have, else code points as
[U+1EC5]. Text that a PDF reader might leave blank is collected with its page number, so that it can be attached.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph

# Shipped with ReportLab. They can be embedded and have more characters than the standard PDF fonts.
REGULAR, BOLD = "Vera", "Vera-Bold"
FONT_FILES = {REGULAR: "Vera.ttf", BOLD: "VeraBd.ttf"}
# Characters of the standard fonts, which need not be embedded.
STANDARD_FONT_ENCODING = "cp1252"
# CJK fonts that PDF readers provide, with the encoding that tells which characters each has.
EAST_ASIAN_FONTS = {"STSong-Light": "gbk", "HYSMyeongJo-Medium": "cp949"}
FIRST_EAST_ASIAN = "\u2e80"
Lines = tuple[str, ...]


@cache
def register_fonts() -> None:
    """Reads the fonts when the first text is measured, because most processes make no PDF."""
    for name, file in FONT_FILES.items():
        pdfmetrics.registerFont(TTFont(name, file))


@lru_cache(maxsize=50_000)
def font_for(letter: str, font: str) -> str:
    """The font to print a character in: the given one, an East Asian one that has it, or "" for none."""
    if _font_has_letter(font, letter):
        return font
    if letter >= FIRST_EAST_ASIAN:
        return next((name for name, encoding in EAST_ASIAN_FONTS.items() if _can_encode(encoding, letter)), "")
    return ""


def _font_has_letter(font: str, letter: str) -> bool:
    if letter < " ":
        return letter == "\n"
    register_fonts()
    found = pdfmetrics.getFont(font)
    return (
        ord(letter) in found.face.charToGlyph
        if isinstance(found, TTFont)
        else _can_encode(STANDARD_FONT_ENCODING, letter)
    )


def _can_encode(encoding: str, letter: str) -> bool:
    try:
        return bool(letter.encode(encoding))
    except UnicodeEncodeError:
        return False


def replace_unprintable(words: str, font: str = REGULAR) -> str:
    """Replaces characters without a font by their code points: Nguyễn becomes Nguy[U+1EC5]n.
    李玲 can be printed and stays."""
    if words.isascii() and words.isprintable():
        return words
    plain = words.replace("\r\n", "\n").replace("\t", " ")
    unknown = {letter for letter in set(plain) if not font_for(letter, font)}
    if not unknown:
        return plain
    run = re.compile(f"[{''.join(map(re.escape, sorted(unknown)))}]+")
    return run.sub(lambda found: f"[{' '.join(f'U+{ord(letter):04X}' for letter in found[0])}]", plain)


def split_by_font(line: str, font: str) -> Iterator[tuple[str, str]]:
    """Splits a printable line into runs of one font. Almost every line is one run."""
    register_fonts()
    if line.isascii():
        yield font, line
        return
    for name, letters in groupby(line, lambda letter: font_for(letter, font)):
        if name in EAST_ASIAN_FONTS and name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(UnicodeCIDFont(name))
        yield name, "".join(letters)


def measure_line(line: str, font: str, size: float) -> float:
    return sum(pdfmetrics.stringWidth(part, name, size) for name, part in split_by_font(line, font))


def fit_font_size(line: str, font: str, size: float, width: float) -> float:
    """The font size at which the line fits the width, at most `size`."""
    return min(size, size * width / max(measure_line(line, font, size), 1))


def draw_line(canvas: Canvas, x: float, y: float, line: str, font: str, size: float) -> None:
    for name, part in split_by_font(line, font):
        canvas.setFont(name, size)
        canvas.drawString(x, y, part)
        x += pdfmetrics.stringWidth(part, name, size)


@lru_cache(maxsize=20_000)
def word_width(word: str, font: str, size: float) -> float:
    return measure_line(word, font, size)


def wrap_text(text: str, width: float, font: str, size: float) -> Lines:
    """Lines that fit the width. A longer word is broken, so that no text is cut off."""
    lines: list[str] = []
    space = word_width(" ", font, size)
    for paragraph in replace_unprintable(text, font).splitlines() or [""]:
        line, used = "", 0.0
        for word in _split_long_words(paragraph, width, font, size):
            needed = word_width(word, font, size)
            if line and used + space + needed > width:
                lines.append(line)
                line, used = word, needed
            else:
                line, used = (f"{line} {word}", used + space + needed) if line else (word, needed)
        lines.append(line)
    return tuple(lines)


def _split_long_words(paragraph: str, width: float, font: str, size: float) -> list[str]:
    words: list[str] = []
    for word in paragraph.split():
        rest = word
        while word_width(rest, font, size) > width and len(rest) > 1:
            end = _break_position(rest, width, font, size)
            words.append(rest[:end])
            rest = rest[end:]
        words.append(rest)
    return words


def _break_position(word: str, width: float, font: str, size: float) -> int:
    """After the last hyphen or slash that fits; if there is none, anywhere."""
    fitting = next((end for end in range(len(word) - 1, 0, -1) if measure_line(word[:end], font, size) <= width), 1)
    hyphen = max(word.rfind(mark, 0, fitting) for mark in "-/@:")
    return hyphen + 1 if hyphen > 0 else fitting


def paragraph_markup(words: str, font: str) -> str:
    """ReportLab paragraph markup for plain text: special characters are escaped."""
    runs = (
        escape(part) if name == font else f'<font name="{name}">{escape(part)}</font>'
        for name, part in split_by_font(replace_unprintable(words, font), font)
    )
    return "".join(runs).replace("\n", "<br/>")


def may_be_unreadable(words: str, font: str) -> bool:
    """Whether some PDF readers may not show all of the text."""
    return not words.isascii() and any(letter >= " " and font_for(letter, font) != font for letter in set(words))


def note_if_unreadable(canvas: Canvas, *texts: str, font: str = REGULAR) -> None:
    """Tells the canvas of texts on its current page that may be unreadable."""
    if isinstance(canvas, AnyScriptCanvas):
        page = canvas.getPageNumber()
        canvas.unreadable += [(page, text) for text in texts if may_be_unreadable(text, font)]


class PlainParagraph(Paragraph):
    """A paragraph of plain text. Reports text that may be unreadable to its canvas when it is drawn."""

    as_written = ""

    def split(self, width: float, height: float) -> list[Flowable]:
        parts = super().split(width, height)
        if parts and isinstance(parts[0], PlainParagraph):
            parts[0].as_written = self.as_written
        return parts

    def draw(self) -> None:
        note_if_unreadable(self.canv, self.as_written, font=self.style.fontName)
        super().draw()


def plain_paragraph(text: object, style: ParagraphStyle) -> PlainParagraph:
    paragraph = PlainParagraph(paragraph_markup(str(text), style.fontName), style)
    paragraph.as_written = str(text)
    return paragraph


class AnyScriptCanvas(Canvas):
    """Canvas that buffers pages until their total is known, so that each can print "page n of m".

    `draw_page_text` is called for each page, with its number. `unreadable` has the text that may be unreadable.
    """

    def __init__(
        self,
        *args: Any,
        draw_page_text: Callable[[AnyScriptCanvas, int], None],
        show_progress: Callable[[int], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._draw_page_text, self._show_progress = draw_page_text, show_progress
        self._kept: list[dict[str, Any]] = []
        self.unreadable: list[tuple[int, str]] = []

    @property
    def page_count(self) -> int:
        return len(self._kept)

    def showPage(self) -> None:  # noqa: N802 (ReportLab's name)
        self._kept.append(dict(self.__dict__))
        self._show_progress(len(self._kept))
        self._startPage()  # type: ignore[attr-defined]

    def save(self) -> None:
        for number, page in enumerate(self._kept, 1):
            self.__dict__.update(page)
            self._draw_page_text(self, number)
            super().showPage()
        super().save()
