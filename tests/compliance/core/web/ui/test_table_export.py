"""Table export: every row, in the order of the page, with nothing that a spreadsheet would run."""

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

from compliance.core.web.templatetags.ui import dice, local, money
from compliance.core.web.ui.components import Column, Table, Tag
from compliance.core.web.ui.table_export import ExportRequested, Format, plain_value

EVENING = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
COLUMNS = (
    Column("Choose", lambda row: "tick", is_control=True),
    Column("Round", "number", sort="number", is_row_heading=True),
    Column("Played", lambda row: local(row.at)),
    Column("Staked", lambda row: money(row.cents), is_figure=True),
    Column("Remark", "remark"),
)


def played(number: int, cents: int | None = 123_450, remark: Any = "") -> SimpleNamespace:
    return SimpleNamespace(number=number, at=EVENING, cents=cents, remark=remark)


def taken(rows: Sequence[Any], format: Format, asked: str = "", currency: str = "AUD") -> str:
    with pytest.raises(ExportRequested) as wanted:
        Table(caption="Rounds", columns=COLUMNS, rows=rows, query=QueryDict(f"format={format}&{asked}"))
    assert wanted.value.format == format
    return b"".join(wanted.value.table.as_file(currency).encoded_lines(format)).decode()


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
        (EVENING, "2026-11-16T09:30:00Z"),
        (dice([4, 2, 4]), "4-2-4"),
        (format_html('<a href="/x/">{}</a> since {}', "R & D", local(EVENING)), "R & D since 2026-11-16T09:30:00Z"),
        ("<b>typed by somebody</b>", "<b>typed by somebody</b>"),
        ("3, 4", "3, 4"),
    ],
)
def test_a_cell_says_what_the_page_says_without_its_marks(shown: Any, written: Any) -> None:
    assert plain_value(shown) == written


def test_a_table_that_does_not_read_the_address_is_no_list() -> None:
    assert not Table(caption="Facts", columns=COLUMNS, rows=[]).is_list
    assert Table(caption="Rounds", columns=COLUMNS, rows=[], query=QueryDict("format=xml")).is_list


def test_the_second_table_of_a_page_is_asked_for_by_its_name() -> None:
    asked: dict[str, Any] = {"columns": COLUMNS, "rows": [], "query": QueryDict("looks-format=csv&state=open")}
    Table(caption="Rounds", **asked)
    with pytest.raises(ExportRequested) as wanted:
        Table(caption="Looks", name="looks", **asked)
    assert wanted.value.table.filters == {"state": "open"}


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
    with pytest.raises(ExportRequested) as wanted:
        columns = COLUMNS[1:2]
        Table(caption="Rounds", columns=columns, rows=ManyRounds(), query=QueryDict("format=ndjson"))
    tracemalloc.start()
    lines = sum(piece.count(b"\n") for piece in wanted.value.table.as_file().encoded_lines("ndjson"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines == 100_000
    assert peak < 4 * 2**20
