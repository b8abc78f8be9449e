"""Components of pages:
table with sorting and paging, filter panel, timeline, task list, summary list, confirmation, chart."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from operator import attrgetter
from typing import Any, Literal

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.functional import cached_property

from compliance.core.web.ui.cell_values import Amount
from compliance.core.web.ui.table_export import CHUNK, FORMATS, AllRows, ExportFile, Format

PAGE_SIZE = 50
TagKind = Literal["neutral", "info", "success", "warning", "danger"]


@dataclass(frozen=True)
class Tag:
    """State of a thing in one word or two. The label carries the meaning; the colour only repeats it."""

    label: str
    kind: TagKind = "neutral"


@dataclass(frozen=True)
class Column:
    """A table column. `value` is an attribute path ("table.name") or a function of the row: the raw value, which files
    contain and pages show formatted by its type (cell_values). `display` is what a page shows where that is not enough.
    `sort` is the field to order by. The numbers of an `is_money` column are cents."""

    heading: str
    value: str | Callable[[Any], Any]
    sort: str = ""
    is_figure: bool = False
    is_row_heading: bool = False
    link: Callable[[Any], str] | None = None
    # A tick box or button, left out of exports.
    is_control: bool = False
    is_money: bool = False
    # In exports only; a page has no room for it.
    is_in_file_only: bool = False
    display: Callable[[Any], Any] | None = None

    def value_for(self, row: Any) -> Any:
        value = self.value(row) if callable(self.value) else attrgetter(self.value)(row)
        value = value() if callable(value) else value
        return Amount(value) if self.is_money and isinstance(value, int) else value

    @property
    def has_figures(self) -> bool:
        return self.is_figure or self.is_money


@dataclass(frozen=True)
class Heading:
    text: str
    is_figure: bool
    href: str = ""
    direction: Literal["", "ascending", "descending"] = ""


@dataclass(frozen=True)
class Cell:
    value: Any
    is_figure: bool
    is_row_heading: bool
    href: str


@dataclass(frozen=True)
class PageLink:
    """A page number in the paging links, or a gap (number None)."""

    number: int | None
    href: str = ""
    is_current: bool = False


class DataTable:
    """One page of the rows of a queryset or list, sorted as the URL's query asks. Other parameters of the query
    (filters) are kept in the links. Two tables on a page each need a `name`. A table bound to a query, by `query` or by
    list_response, is a list and can be exported. Pass `count` if it is already known; otherwise the table counts the
    rows. Times are shown in the zone of `place`, or of the page's casino. `prepare` is called with the rows of a page,
    or of a chunk of a file, before their cells are read, to read for all of them at once what the cells need."""

    def __init__(
        self,
        *,
        caption: str,
        columns: Sequence[Column],
        rows: QuerySet[Any] | Sequence[Any],
        count: int | None = None,
        query: QueryDict | Mapping[str, str] | None = None,
        sort: str = "",
        page_size: int = PAGE_SIZE,
        empty: str = "Nothing to show yet.",
        name: str = "",
        is_caption_hidden: bool = False,
        whole: AllRows | None = None,
        place: Any = None,
        prepare: Callable[[Sequence[Any]], None] | None = None,
    ) -> None:
        self.caption, self.columns, self.empty = caption, columns, empty
        self.is_caption_hidden, self.place = is_caption_hidden, place
        self.id = f"table-{name}" if name else "table"
        prefix = f"{name}-" if name else ""
        self._sort_key, self._page_key, self._format_key = f"{prefix}sort", f"{prefix}page", f"{prefix}format"
        self._query, self.is_list = _query_dict(query), query is not None
        self._unsorted_rows, self._default_sort, self._whole = rows, sort, whole
        self._page_size, self._count, self._prepare = page_size, count, prepare

    def bind(self, query: QueryDict) -> None:
        """Makes the table a list, sorted and paged as this query asks. Called before anything reads the rows."""
        self._query, self.is_list = query, True

    @cached_property
    def sort(self) -> str:
        requested, known = self._query.get(self._sort_key, ""), {column.sort for column in self.columns if column.sort}
        return requested if requested.removeprefix("-") in known else self._default_sort

    @cached_property
    def _rows(self) -> QuerySet[Any] | Sequence[Any]:
        return _sort_rows(self._unsorted_rows, self.sort)

    @cached_property
    def page(self) -> "Page[Any]":
        pages = Paginator(self._rows, self._page_size)
        if self._count is not None:
            pages.count = self._count
        return pages.get_page(self._query.get(self._page_key))

    @property
    def requested_format(self) -> Format | None:
        """The format in which the query asks for this list as a file."""
        requested = self._query.get(self._format_key)
        return next((format for format in FORMATS if format == requested), None)

    @property
    def count(self) -> int:
        return self.page.paginator.count

    @property
    def filters(self) -> dict[str, str]:
        """The filters in the query, without sorting, paging and format."""
        own = ("sort", "page", "format", "before", "after", "view")
        return {
            key: ", ".join(values)
            for key, values in sorted(self._query.lists())
            if key.rpartition("-")[2] not in own and any(values)
        }

    @property
    def export_links(self) -> list[tuple[str, str]]:
        return [(format.upper(), self._href({self._format_key: format}, without=self._page_key)) for format in FORMATS]

    def as_file(self, currency: str = "") -> ExportFile:
        """The whole list, of all pages, read from the database in chunks."""
        columns = [column for column in self.columns if not column.is_control]
        whole = self._whole or _all_rows_of(self._rows)
        cells = ([column.value_for(row) for column in columns] for row in self._prepared(whole.rows()))
        first = list(islice(cells, CHUNK))
        count = len(first) if len(first) < CHUNK else whole.count()
        return ExportFile([column.heading for column in columns], first, cells, count, currency)

    def _prepared(self, rows: Iterable[Any]) -> Iterator[Any]:
        rows = iter(rows)
        while chunk := list(islice(rows, CHUNK)):
            if self._prepare:
                self._prepare(chunk)
            yield from chunk

    @property
    def range_text(self) -> str:
        """Such as: 51 to 100 of 1,234"""
        return f"{self.page.start_index():,} to {self.page.end_index():,} of {self.count:,}"

    @property
    def _shown_columns(self) -> list[Column]:
        return [column for column in self.columns if not column.is_in_file_only]

    @property
    def headings(self) -> list[Heading]:
        return [self._heading(column) for column in self._shown_columns]

    @property
    def body(self) -> Iterator[list[Cell]]:
        for row in self._prepared(self.page.object_list):
            yield [
                Cell(
                    column.display(row) if column.display else column.value_for(row),
                    column.has_figures,
                    column.is_row_heading,
                    column.link(row) if column.link else "",
                )
                for column in self._shown_columns
            ]

    @property
    def page_links(self) -> list[PageLink]:
        paginator = self.page.paginator
        return [
            PageLink(number, self._page_href(number), number == self.page.number)
            if isinstance(number, int)
            else PageLink(None)
            for number in paginator.get_elided_page_range(self.page.number, on_each_side=1, on_ends=1)
        ]

    @property
    def previous_href(self) -> str:
        return self._page_href(self.page.previous_page_number()) if self.page.has_previous() else ""

    @property
    def next_href(self) -> str:
        return self._page_href(self.page.next_page_number()) if self.page.has_next() else ""

    def _heading(self, column: Column) -> Heading:
        if not column.sort:
            return Heading(column.heading, column.has_figures)
        is_up, is_down = self.sort == column.sort, self.sort == f"-{column.sort}"
        href = self._href({self._sort_key: f"-{column.sort}" if is_up else column.sort}, without=self._page_key)
        return Heading(
            column.heading, column.has_figures, href, "ascending" if is_up else "descending" if is_down else ""
        )

    def _page_href(self, number: int) -> str:
        return self._href({self._page_key: str(number)})

    def _href(self, changes: dict[str, str], without: str = "") -> str:
        query = self._query.copy()
        query.pop(without, None)
        for key, value in changes.items():
            query[key] = value
        return f"?{query.urlencode()}"


def _all_rows_of(rows: QuerySet[Any] | Sequence[Any]) -> AllRows:
    if isinstance(rows, QuerySet):
        return AllRows(lambda: rows.iterator(CHUNK), rows.count)
    return AllRows(lambda: rows, lambda: len(rows))


def _query_dict(query: QueryDict | Mapping[str, str] | None) -> QueryDict:
    if isinstance(query, QueryDict):
        return query
    known = QueryDict(mutable=True)
    known.update(dict(query or {}))
    return known


def _sort_rows(rows: QuerySet[Any] | Sequence[Any], sort: str) -> QuerySet[Any] | Sequence[Any]:
    """Sorts the rows. Querysets are also ordered by pk, so that paging neither repeats nor skips equal rows."""
    if isinstance(rows, QuerySet):
        keys = [sort] if sort else list(rows.query.order_by or rows.model._meta.ordering)
        # Rows of .values().annotate() are groups: ordering by pk would split them.
        is_grouped = isinstance(rows.query.group_by, tuple)
        return rows if rows.query.is_sliced else rows.order_by(*keys, *([] if is_grouped else ["pk"]))
    if not sort:
        return rows
    of = attrgetter(sort.removeprefix("-").replace("__", "."))
    known = [row for row in rows if of(row) is not None]
    return sorted(known, key=of, reverse=sort.startswith("-")) + [row for row in rows if of(row) is None]


@dataclass(frozen=True)
class ActiveFilter:
    label: str
    value: str
    without_href: str


class FilterPanel:
    """A GET form above a table, with links that remove each active filter. The filters can be saved as a view, unless
    they may name a patron (`can_be_kept`). `words` names what is filtered where the page has no table."""

    # A list with a default view redirects its bare URL there; this query shows the unfiltered list.
    UNFILTERED_HREF = "?view=none"

    def __init__(
        self,
        form: forms.BaseForm,
        *,
        legend: str = "Filter",
        clear_href: str = UNFILTERED_HREF,
        can_be_kept: bool = True,
        words: str = "",
    ) -> None:
        self.form, self.legend, self.clear_href, self.can_be_kept = form, legend, clear_href, can_be_kept
        self.words = words

    @property
    def sort_inputs(self) -> list[tuple[str, str]]:
        """Hidden inputs that keep the sort order when the filter changes. The page number is dropped."""
        return [(key, value) for key, value in self.form.data.items() if key == "sort" or key.endswith("-sort")]

    @property
    def active(self) -> list[ActiveFilter]:
        return [
            ActiveFilter(str(bound.label), _chosen_labels(bound), self._href_without(bound.html_name))
            for bound in self.form
            if not bound.is_hidden and bound.data not in (None, "", [], False)
        ]

    def _href_without(self, name: str) -> str:
        query = _query_dict(self.form.data).copy()
        for key in [key for key in query if key in (name, "page", "view") or key.endswith("-page")]:
            del query[key]
        return f"?{query.urlencode()}" if query else self.UNFILTERED_HREF


def _chosen_labels(bound: forms.BoundField) -> str:
    """The labels of the chosen values instead of their codes."""
    chosen = bound.data if isinstance(bound.data, list) else [bound.data]
    words = {str(value): str(label) for value, label in _flat_choices(getattr(bound.field, "choices", ()))}
    return ", ".join("yes" if value is True else words.get(str(value), str(value)) for value in chosen)


def _flat_choices(choices: Any) -> Iterator[tuple[Any, Any]]:
    for value, label in choices:
        if isinstance(label, list | tuple):
            yield from _flat_choices(label)
        else:
            yield value, label


@dataclass(frozen=True)
class TimelineEntry:
    title: str
    at: datetime
    by: str = ""
    detail: str = ""
    tag: Tag | None = None
    href: str = ""


@dataclass(frozen=True)
class Timeline:
    """Events, oldest first, in the local time of `place` (a casino or a zone)."""

    entries: Sequence[TimelineEntry]
    place: Any = None
    label: str = "What happened"


@dataclass(frozen=True)
class Task:
    label: str
    status: Tag
    href: str = ""
    hint: str = ""


@dataclass(frozen=True)
class TaskList:
    """The parts of a long form or of a day's work, each with its state."""

    tasks: Sequence[Task]
    label: str = "Tasks"


@dataclass(frozen=True)
class SummaryRow:
    key: str
    value: Any
    href: str = ""
    action: str = "Change"


@dataclass(frozen=True)
class SummaryList:
    """Key facts of one object, or answers to review before they are sent."""

    rows: Sequence[SummaryRow]
    heading: str = ""


@dataclass(frozen=True)
class ConfirmationPanel:
    """Shown after a submission: what was done, the reference number, what happens next."""

    title: str
    reference: str = ""
    next_steps: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class Chart:
    """An image URL, its alternative text in one sentence, and its numbers as a table."""

    src: str
    alt: str
    table: DataTable
