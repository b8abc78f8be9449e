"""Tables: sorted and paged by the query, every row shown once, with one query for rows and one for the count."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.db.models import Count, QuerySet
from django.http import QueryDict
from django.template import engines
from django.utils.safestring import SafeString

from compliance.core.web.models import CapturedEmail
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, Tag
from tests.compliance.core.web.component_gallery import RoundFilter, round_table, rounds
from tests.compliance.core.web.conftest import Elements

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def rendered(table: DataTable) -> Elements:
    return Elements(engines["django"].from_string("{% table table %}").render({"table": table}))


def numbers(table: DataTable) -> list[int]:
    return [cells[0].value for cells in table.body]


def test_without_rows_the_page_says_so() -> None:
    page = rendered(round_table([], empty="No rounds were played."))
    assert page.all("table") == []
    assert page.texts("div", class_="empty-state") == ["No rounds were played."]


def test_one_row_has_caption_scopes_and_no_pages() -> None:
    page = rendered(round_table(rounds(1)))
    assert page.texts("caption") == ["Rounds of the evening"]
    assert [attrs["scope"] for attrs, _ in page.all("th")] == ["col"] * 5 + ["row"]
    assert page.all("nav") == []
    assert page.all("p") == []
    ((region, _),) = page.all("div", class_="table-scroll")
    assert [region["role"], region["tabindex"], region["aria-labelledby"]] == ["region", "0", "table-caption"]


@pytest.mark.parametrize(("count", "said"), [(10, []), (11, ["11 rows"]), (51, ["1 to 50 of 51"])])
def test_more_rows_than_one_counts_at_a_glance_are_counted(count: int, said: list[str]) -> None:
    assert rendered(round_table(rounds(count))).texts("p", class_="pagination-shown") == said


def test_money_is_right_aligned() -> None:
    page = rendered(round_table(rounds(1)))
    assert page.texts("td", class_="figure") == ["$25.50"]
    assert page.texts("th", class_="figure") == ["Staked"]


@pytest.mark.parametrize(("count", "pages"), [(49, 1), (50, 1), (51, 2), (100, 2), (101, 3), (10_000, 200)])
def test_fifty_rows_a_page(count: int, pages: int) -> None:
    table = round_table(rounds(count))
    assert table.page.paginator.num_pages == pages
    assert len(numbers(table)) == min(count, 50)


def test_ten_thousand_rows_show_where_you_are() -> None:
    table = round_table(rounds(10_000), QueryDict("page=100"))
    assert table.range_text == "4,951 to 5,000 of 10,000"
    assert [link.number for link in table.page_links] == [1, None, 99, 100, 101, None, 200]
    page = rendered(table)
    assert [attrs["aria-label"] for attrs, _ in page.all("a", **{"aria-current": "page"})] == ["Page 100"]


@pytest.mark.parametrize(("asked", "shown"), [("0", 3), ("-1", 3), ("999", 3), ("x", 1), ("", 1), ("2", 2)])
def test_a_page_that_does_not_exist_falls_back(asked: str, shown: int) -> None:
    assert round_table(rounds(101), QueryDict(f"page={asked}")).page.number == shown


def test_sorting_follows_the_address_and_turns_round() -> None:
    up = round_table(rounds(3), QueryDict("sort=number"))
    down = round_table(rounds(3), QueryDict("sort=-number"))
    assert [numbers(up), numbers(down)] == [[1, 2, 3], [3, 2, 1]]
    assert [up.headings[0].direction, up.headings[0].href] == ["ascending", "?sort=-number"]
    assert [down.headings[0].direction, down.headings[0].href] == ["descending", "?sort=number"]
    assert [attrs.get("aria-sort") for attrs, _ in rendered(down).all("th", scope="col")][:2] == ["descending", None]


@pytest.mark.parametrize("asked", ["dice", "password", "-", "--number", "number,staked_cents", "at__year", "?"])
def test_a_sort_nobody_offered_is_ignored(asked: str) -> None:
    query = QueryDict(mutable=True)
    query["sort"] = asked
    assert numbers(round_table(rounds(3), query, sort="-number")) == [3, 2, 1]


def test_links_keep_the_filters_and_a_new_order_starts_at_page_one() -> None:
    table = round_table(rounds(120), QueryDict("verdict=win&table=SB+04&page=2&sort=number"))
    assert table.next_href == "?verdict=win&table=SB+04&page=3&sort=number"
    assert table.headings[0].href == "?verdict=win&table=SB+04&sort=-number"


def test_two_tables_on_a_page_do_not_move_each_other() -> None:
    query = QueryDict("wins-page=2")
    assert round_table(rounds(60), query, name="wins").page.number == 2
    assert round_table(rounds(60), query, name="losses").page.number == 1


def test_rows_without_a_value_come_last_either_way() -> None:
    rows = [SimpleNamespace(number=number) for number in (2, None, 1)]
    columns = (Column("Number", "number", sort="number"),)
    for asked, expected in (("number", [1, 2, None]), ("-number", [2, 1, None])):
        table = DataTable(caption="Numbers", columns=columns, rows=rows, query={"sort": asked})
        assert numbers(table) == expected


def mails(count: int) -> None:
    """All to the same address at the same time, so that only the tie-break orders them."""
    CapturedEmail.objects.bulk_create(
        CapturedEmail(to="ina@example.com", subject=f"{n}", body="", sent_at=NOON) for n in range(count)
    )


def mail_table(query: str) -> DataTable:
    columns = (Column("Subject", "subject"), Column("To", "to", sort="to"))
    return DataTable(caption="Mail", columns=columns, rows=CapturedEmail.objects.all(), query=QueryDict(query))


@pytest.mark.django_db
def test_paging_through_equal_rows_shows_each_exactly_once() -> None:
    mails(130)
    seen = [cells[0].value for page in (1, 2, 3) for cells in mail_table(f"sort=to&page={page}").body]
    assert sorted(seen, key=int) == [str(number) for number in range(130)]


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "order"), [("sort=-to", ("-to", "pk")), ("", ("-sent_at", "-pk", "pk"))])
def test_equal_rows_are_ordered_by_their_key(query: str, order: tuple[str, ...]) -> None:
    """PostgreSQL may return equal rows in another order for every page; the primary key decides."""
    rows = mail_table(query).page.paginator.object_list
    assert isinstance(rows, QuerySet)
    assert rows.query.order_by == order


@pytest.mark.django_db
def test_a_page_costs_two_queries_however_many_rows(django_assert_num_queries: Callable[..., object]) -> None:
    mails(400)
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        assert len(rendered(mail_table("page=3")).all("tr")) == 51


@pytest.mark.django_db
def test_rows_that_somebody_counted_are_not_counted_again(django_assert_num_queries: Callable[..., object]) -> None:
    mails(130)
    columns = (Column("Subject", "subject"),)
    for count, queries, pages, rows in ((130, 1, 3, 30), (0, 0, 1, 0)):
        with django_assert_num_queries(queries):  # type: ignore[attr-defined]
            table = DataTable(
                caption="Mail",
                columns=columns,
                rows=CapturedEmail.objects.all(),
                count=count,
                query=QueryDict("page=99"),
            )
            assert (table.count, table.page.number, len(list(table.body))) == (count, pages, rows)


@pytest.mark.django_db
def test_grouped_rows_stay_grouped() -> None:
    mails(3)
    CapturedEmail.objects.create(to="cy@example.com", subject="x", body="", sent_at=NOON + timedelta(days=1))
    table = DataTable(
        caption="Mails a person",
        columns=(
            Column("To", lambda row: row["to"], sort="to"),
            Column("Mails", lambda row: row["mails"]),
        ),
        rows=CapturedEmail.objects.order_by().values("to").annotate(mails=Count("pk")),
        query=QueryDict("sort=to"),
    )
    assert [[cell.value for cell in cells] for cells in table.body] == [["cy@example.com", 1], ["ina@example.com", 3]]


def test_a_filter_that_is_set_can_be_taken_off_alone() -> None:
    panel = FilterPanel(RoundFilter(QueryDict("verdict=win&table=SB-04&page=3&sort=number")))
    assert [(it.label, it.value, it.without_href) for it in panel.active] == [
        ("Verdict", "Win", "?table=SB-04&sort=number"),
        ("Table", "SB-04", "?verdict=win&sort=number"),
    ]
    assert panel.sort_inputs == [("sort", "number")]


def test_a_filter_panel_opens_only_when_something_is_set() -> None:
    def details(query: str) -> dict[str, str]:
        panel = FilterPanel(RoundFilter(QueryDict(query)))
        page = Elements(engines["django"].from_string("{% filter_panel panel %}").render({"panel": panel}))
        ((attrs, _),) = page.all("details")
        return attrs

    assert "open" not in details("sort=number")
    assert "open" in details("table=SB-04")


def test_what_a_cell_shows_is_escaped_unless_it_is_marked_up_already() -> None:
    values = ["<b>&", SafeString("<i>kept</i>"), 1234, None, "", Tag("Open", "warning"), Decimal("1.50"), NOON]
    columns = [
        Column("What", "value", is_row_heading=True, link=lambda row: "?a=1&b=<2>"),
        Column("Figure", "value", is_figure=True),
    ]
    table = DataTable(caption="Values", columns=columns, rows=[SimpleNamespace(value=value) for value in values])
    page = engines["django"].from_string("{% table table %}").render({"table": table})
    link = '<th scope="row"><a href="?a=1&amp;b=&lt;2&gt;">'
    assert f'<tr>{link}&lt;b&gt;&amp;</a></th><td class="figure">&lt;b&gt;&amp;</td></tr>' in page
    assert "<i>kept</i>" in page
    nothing = '<span class="nothing">None</span>'
    assert page.count(nothing) == 4
    assert '<strong class="tag tag-warning">Open</strong>' in page
    assert f'<td class="figure">{local(NOON)}</td>' in page
    for value in (1234, Decimal("1.50")):
        as_django = engines["django"].from_string("{{ value }}").render({"value": value})
        assert f'<td class="figure">{as_django}</td>' in page


def test_a_column_of_a_method_shows_what_it_says_on_the_page_and_in_the_file() -> None:
    """Regression: labels of choices are methods of the row; a list of conduct showed the method itself."""
    row = SimpleNamespace(get_kind_display=lambda: "Refuse a wager")
    column = Column("What", "get_kind_display")
    assert rendered(DataTable(caption="Conduct", columns=[column], rows=[row])).texts("td") == ["Refuse a wager"]
    assert column.value_for(row) == "Refuse a wager"
