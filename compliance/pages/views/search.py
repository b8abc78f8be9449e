"""The search page, for all casinos or for one, where a search can be saved as a view."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.roles import ALL_ROLES
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import FilterPanel
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.pages.forms import SearchForm
from compliance.pages.search import LONGEST, SHORTEST, search_everything

any_role_only = require_roles(*ALL_ROLES)


@any_role_only
@require_safe
def search(request: PersonRequest) -> HttpResponse:
    context = _search_context(request.user, request.GET.get("q", ""))
    if "kinds" in context:
        context["casinos"] = request.user.casinos_with(*ALL_ROLES)
        context["query"] = urlencode({"q": context["searched"]})
    return render(request, "pages/search.html", context)


@any_role_only
@require_safe
def search_casino(request: CasinoRequest, casino: str) -> ListResponse:
    form = SearchForm(request.GET)
    panel = FilterPanel(form, legend="Search here", words=f"Search at {request.casino}")
    context = _search_context(request.user, form.valid_values()["q"], request.casino)
    return list_response(request, "pages/search.html", context | {"panel": panel})


def _search_context(user: User, typed: str, within: Casino | None = None) -> dict[str, Any]:
    # PostgreSQL text cannot contain NUL.
    text = " ".join(typed.replace("\x00", " ").split())[:LONGEST]
    # Numbers may be shorter: entry 7 has no other name.
    is_too_short = 0 < len(text) < SHORTEST and not text.isdecimal()
    context: dict[str, Any] = {"searched": text, "shortest": SHORTEST, "is_too_short": is_too_short}
    if text and not is_too_short:
        context["kinds"] = search_everything(user, text, within)
    return context
