"""Export of a list: every row, as CSV for spreadsheets or NDJSON for programs. Rows are read in chunks and written
while the file is sent, so that the size of a list does not matter."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal, get_args

import msgspec
from django.utils.text import slugify

from compliance.core.web.ui.cell_values import NUMBER, Amount, PlainValue, plain_value

Format = Literal["csv", "ndjson"]
FORMATS: tuple[Format, ...] = get_args(Format)
CONTENT_TYPES: dict[Format, str] = {"csv": "text/csv; charset=utf-8; header=present", "ndjson": "application/x-ndjson"}
CURRENCY_HEADING = "Currency"
CHUNK = 2000

# Characters that start a formula in spreadsheets, full-width forms included.
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")


@dataclass(frozen=True)
class AllRows:
    """All rows of a list whose page was not read through the table's paging."""

    rows: Callable[[], Iterable[Any]]
    count: Callable[[], int]


@dataclass(frozen=True)
class ExportFile:
    """A list to be written as a file. The first rows are read at once, to know the columns; the rest while it is sent.
    `count` is the number of rows, counted when the list was opened if there are more than the first chunk."""

    headings: Sequence[str]
    first: Sequence[Sequence[Any]]
    rest: Iterable[Sequence[Any]]
    count: int
    currency: str = ""

    def encoded_lines(self, format: Format) -> Iterator[bytes]:
        has_amounts = any(isinstance(cell, Amount) for row in self.first for cell in row)
        headings = [*self.headings, CURRENCY_HEADING] if has_amounts else list(self.headings)
        last = [self.currency] if has_amounts else []
        plain_rows = ([*map(plain_value, row), *last] for row in chain(self.first, self.rest))
        return _csv_lines(headings, plain_rows) if format == "csv" else _ndjson_lines(headings, plain_rows)


def _csv_lines(headings: Sequence[str], rows: Iterable[Sequence[PlainValue]]) -> Iterator[bytes]:
    """CSV by RFC 4180, with the byte-order mark by which Excel recognises UTF-8."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    buffer.write("\ufeff")
    for row in chain([headings], rows):
        writer.writerow([escape_formula(cell) for cell in row])
        if buffer.tell() > 2**16:
            yield _drain_buffer(buffer)
    yield _drain_buffer(buffer)


def _drain_buffer(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def escape_formula(cell: PlainValue) -> PlainValue:
    """Prefixes text that a spreadsheet would run as a formula
    with an apostrophe (CSV injection). Negative numbers stay."""
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def _ndjson_lines(headings: Sequence[str], rows: Iterable[Sequence[PlainValue]]) -> Iterator[bytes]:
    """One JSON object a line; empty cells become null."""
    names = [slugify(heading).replace("-", "_") for heading in headings]
    encode = msgspec.json.Encoder().encode_lines
    objects = ({name: None if cell == "" else cell for name, cell in zip(names, row, strict=True)} for row in rows)
    while some := list(islice(objects, 200)):
        yield encode(some)
