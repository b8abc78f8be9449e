"""Table export: every row, in the order of the page, with nothing that a spreadsheet would run and no HTML."""

import csv
import io
import json
import tracemalloc
from collections.abc import Sequence
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any, overload

import pytest
from django.http import QueryDict
from django.utils.html import format_html

from compliance.core.web.templatetags.ui import display_value, local
from compliance.core.web.ui.cell_values import Amount, Lines, Link, Phrase, plain_value
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.table_export import Format

EVENING = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
COLUMNS = (
    Column("Choose", lambda row: "tick", is_control=True),
    Column("Round", "number", sort="number", is_row_heading=True),
    Column("Played", "at"),
    Column("Staked", "cents", is_money=True),
    Column("Remark", "remark"),
)


def played(number: int, cents: int | None = 123_450, remark: Any = "") -> SimpleNamespace:
    return SimpleNamespace(number=number, at=EVENING, cents=cents, remark=remark)


def taken(rows: Sequence[Any], format: Format, asked: str = "", currency: str = "AUD") -> str:
    table = DataTable(caption="Rounds", columns=COLUMNS, rows=rows, query=QueryDict(f"format={format}&{asked}"))
    assert table.requested_format == format
    return b"".join(table.as_file(currency).encoded_lines(format)).decode()


def as_csv(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_csv_has_plain_times_and_amounts_and_the_currency() -> None:
    text = taken([played(1, remark="Paid late"), played(2, cents=-5), played(3, cents=None)], "csv")
    assert text.startswith("\ufeffRound,")
    assert as_csv(text) == [
        ["Round", "Played", "Staked", "Remark", "Currency"],
        ["1", "2026-11-16T09:30:00Z", "1234.50", "Paid late", "AUD"],
        ["2", "2026-11-16T09:30:00Z", "-0.05", "", "AUD"],
        ["3", "2026-11-16T09:30:00Z", "", "", "AUD"],
    ]


def test_ndjson_has_the_same_one_object_a_line() -> None:
    first, second = taken([played(1), played(2, remark="“Bob”\nsaid")], "ndjson").splitlines()
    assert json.loads(first) == {
        "round": 1,
        "played": "2026-11-16T09:30:00Z",
        "staked": "1234.50",
        "remark": None,
        "currency": "AUD",
    }
    assert json.loads(second)["remark"] == "“Bob” said"


def test_a_list_without_amounts_names_no_currency() -> None:
    assert as_csv(taken([played(1, cents=None)], "csv"))[0] == ["Round", "Played", "Staked", "Remark"]


def test_the_whole_list_in_the_order_asked_for_whatever_page_was_open() -> None:
    lines = as_csv(taken([played(number) for number in range(1, 121)], "csv", "sort=-number&page=2"))
    assert [line[0] for line in lines[1:]] == [str(number) for number in range(120, 0, -1)]


def test_an_empty_list_has_its_headings() -> None:
    assert as_csv(taken([], "csv")) == [["Round", "Played", "Staked", "Remark"]]
    assert taken([], "ndjson") == ""


@pytest.mark.parametrize(
    "remark",
    ["=1+1", "+1+1", "-2+3", "@SUM(A1)", '=HYPERLINK("http://x")', "＝1", "=cmd|' /C calc'!A0", " =1+1", "\t=1"],
)
def test_no_text_is_run_as_a_formula(remark: str) -> None:
    [_, row] = as_csv(taken([played(1, remark=remark)], "csv"))
    assert row[3] == "'" + remark.strip()
    assert json.loads(taken([played(1, remark=remark)], "ndjson"))["remark"] == remark.strip()


@pytest.mark.parametrize(("remark", "written"), [("-5", "-5"), ("1,234", "1234"), ("−2.50", "-2.50"), (-7, "-7")])
def test_a_number_stays_a_number(remark: Any, written: str) -> None:
    assert as_csv(taken([played(1, remark=remark)], "csv"))[1][3] == written


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        (Tag("Open", "warning"), "Open"),
        (None, None),
        (True, True),
        (date(2026, 2, 3), "2026-02-03"),
        (EVENING.replace(microsecond=5), "2026-11-16T09:30:00Z"),
        (Amount(-5), "-0.05"),
        (Phrase("{} since {}", Link("/x/", "R & D"), EVENING), "R & D since 2026-11-16T09:30:00Z"),
        (Phrase("{} to {}{}", Amount(100), Amount(123_456), None), "1.00 to 1234.56"),
        (Lines(EVENING, Tag("Held", "info")), "2026-11-16T09:30:00Z; Held"),
        ("<b>typed by somebody</b>", "<b>typed by somebody</b>"),
        ("3, 4", "3, 4"),
    ],
)
def test_a_cell_says_what_the_page_says_without_its_marks(shown: Any, written: Any) -> None:
    assert plain_value(shown) == written


@pytest.mark.parametrize(
    ("value", "html"),
    [
        (EVENING, local(EVENING, "Australia/Sydney")),
        (Amount(123_450), '<data class="figure" value="1234.50">$1,234.50</data>'),
        (Phrase("{} by {}", EVENING, "<b>"), f"{local(EVENING, 'Australia/Sydney')} by &lt;b&gt;"),
        (Lines("<b>", Tag("Held", "info")), '&lt;b&gt;<br><strong class="tag tag-info">Held</strong>'),
        (Link("/x/?a=1&b=2", "R & D"), '<a href="/x/?a=1&amp;b=2">R &amp; D</a>'),
        (Lines(), '<span class="nothing">None</span>'),
    ],
)
def test_the_page_formats_the_same_value_by_its_type(value: Any, html: str) -> None:
    assert display_value(value, "Australia/Sydney") == html


def test_html_is_refused_in_a_file_and_shown_by_the_page() -> None:
    with pytest.raises(TypeError, match="values and no HTML"):
        plain_value(format_html("<b>{}</b>", "1"))
    column = Column("Remark", "remark", display=lambda row: format_html("<b>{}</b>", row.remark))
    table = DataTable(caption="Rounds", columns=[column], rows=[played(1, remark="Paid")], query=QueryDict())
    assert [cell.value for cells in table.body for cell in cells] == ["<b>Paid</b>"]
    assert b"".join(table.as_file().encoded_lines("csv")).decode() == "\ufeffRemark\r\nPaid\r\n"


def test_a_table_that_does_not_read_the_address_is_no_list() -> None:
    assert not DataTable(caption="Facts", columns=COLUMNS, rows=[]).is_list
    list_ = DataTable(caption="Rounds", columns=COLUMNS, rows=[], query=QueryDict("format=xml"))
    assert (list_.is_list, list_.requested_format) == (True, None)


def test_the_second_table_of_a_page_is_asked_for_by_its_name() -> None:
    asked: dict[str, Any] = {"columns": COLUMNS, "rows": [], "query": QueryDict("looks-format=csv&state=open")}
    looks = DataTable(caption="Looks", name="looks", **asked)
    assert (DataTable(caption="Rounds", **asked).requested_format, looks.requested_format) == (None, "csv")
    assert looks.filters == {"state": "open"}


class ManyRounds(Sequence[Any]):
    """A hundred thousand rounds, generated lazily."""

    def __len__(self) -> int:
        return 100_000

    @overload
    def __getitem__(self, number: int) -> Any: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Any]: ...
    def __getitem__(self, number: Any) -> Any:
        if number >= len(self):
            raise IndexError
        return played(number, cents=None)


def test_a_hundred_thousand_rows_go_through_a_small_window() -> None:
    table = DataTable(caption="Rounds", columns=COLUMNS[1:2], rows=ManyRounds(), query=QueryDict("format=ndjson"))
    tracemalloc.start()
    lines = sum(piece.count(b"\n") for piece in table.as_file().encoded_lines("ndjson"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines == 100_000
    assert peak < 4 * 2**20
