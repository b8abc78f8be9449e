"""list_response: the page or the list that the query names as a file, with 0, 1 and 10,000 rows."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import RequestFactory

from compliance.core.accounts.models import User
from compliance.core.web.ui.components import Chart, Column, DataTable
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.privacy.access_log.models import Disclosure
from tests.compliance.core.accounts.conftest import cast, quick_passwords
from tests.compliance.core.accounts.people import Cast

__all__ = ["cast", "quick_passwords"]


def numbers(count: int, name: str = "") -> DataTable:
    rows = [SimpleNamespace(number=number) for number in range(count)]
    return DataTable(caption="Numbers", columns=[Column("Number", "number", sort="number")], rows=rows, name=name)


def answer(cast: Cast, query: str, context: dict[str, Any], method: str = "GET", **lists: Any) -> ListResponse:
    request = RequestFactory().generic(method, f"/casinos/harbour/numbers/?{query}")
    request.user, request.casino = cast.ines, cast.harbour  # type: ignore[attr-defined]
    assert isinstance(request.user, User)
    return list_response(request, "components/table.html", context, **lists)


@pytest.mark.parametrize("count", [0, 1, 10_000])
def test_the_page_has_some_rows_and_the_file_every_one(cast: Cast, count: int) -> None:
    page = answer(cast, "sort=-number", {"table": numbers(count)})
    assert not page.streaming
    assert page.content.count(b"<tr><td>") == min(count, 50)
    file = answer(cast, "format=csv&sort=-number", {"table": numbers(count)})
    assert file.streaming
    lines = b"".join(file).decode().splitlines()
    assert lines[1:] == [str(number) for number in reversed(range(count))]
    assert [told.rows for told in Disclosure.objects.all()] == [count]


def test_only_a_get_is_answered_with_a_file(cast: Cast) -> None:
    assert not answer(cast, "format=csv", {"table": numbers(1)}, "POST").streaming
    assert answer(cast, "format=csv", {"table": numbers(1)}, "HEAD").streaming
    assert not Disclosure.objects.exists(), "what was not sent is not recorded"


def test_the_lists_of_a_page_are_those_it_names(cast: Cast) -> None:
    for name, count in (("part", None), ("s0", 1), ("s1", 2), ("chart", 4)):
        part, chart = numbers(3, "part"), Chart("/chart.svg", "A chart", numbers(4, "chart"))
        sections = [{"table": numbers(1, "s0")}, ("Title", numbers(2, "s1"))]
        context = {"table": part, "sections": sections, "chart": chart}
        given = answer(cast, f"{name}-format=ndjson", context, lists=("sections", "chart", "absent"))
        assert (b"".join(given).count(b"\n") if given.streaming else None) == count
        assert not part.is_list
