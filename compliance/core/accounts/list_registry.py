"""Registry of filtered lists by URL name. The view of a list and the subscriptions to its saved views get the rows from
the same FilteredList, so that both have the same."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils import timezone

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.forms import FilterForm


@dataclass(frozen=True)
class ListQuery:
    """Who asks for which rows: the filters are in `parameters`, as in the query of the page's URL."""

    person: User
    casino: Casino
    parameters: QueryDict
    now: datetime

    @classmethod
    def from_request(cls, request: CasinoRequest) -> "ListQuery":
        return cls(request.user, request.casino, request.GET, timezone.now())


class FilteredList:
    """A list with a filter, registered under the name of its URL. `form` is the class of the filter, or a function of
    the query; `rows` a function of the query and the valid filters. Both get the arguments of the URL other than the
    casino. The rows must have a primary key, by which new ones are found."""

    def __init__(self, name: str, form: Callable[..., FilterForm], rows: Callable[..., QuerySet[Any]]) -> None:
        self._form, self._rows = form, rows
        _lists[name] = self

    def __call__(self, query: ListQuery, **arguments: Any) -> tuple[FilterForm, QuerySet[Any]]:
        is_class = isinstance(self._form, type)
        form = self._form(query.parameters) if is_class else self._form(query, **arguments)
        return form, self._rows(query, form.valid_values(), **arguments)


_lists: dict[str, FilteredList] = {}


def resolve_list(path: str) -> ResolverMatch | None:
    try:
        return resolve(path)
    except Resolver404:
        return None


def list_function(path: str) -> Callable[[ListQuery], QuerySet[Any]] | None:
    """The rows of the list at this path, as a function of the query; None if no list is registered there."""
    match = resolve_list(path)
    registered = _lists.get(match.view_name) if match else None
    if match is None or registered is None:
        return None
    arguments = {name: value for name, value in match.kwargs.items() if name != "casino"}
    return lambda query: registered(query, **arguments)[1]
