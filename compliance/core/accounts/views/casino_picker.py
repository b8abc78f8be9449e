"""Entry from the menu to pages that each casino has."""

from collections.abc import Callable, Collection

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable


def choose_casino(
    request: PersonRequest, roles: Collection[str], to: Callable[[Casino], str], *, title: str, caption: str
) -> HttpResponse:
    """Redirects to the page, or shows a choice if the person has several casinos."""
    casinos = request.user.casinos_with(*roles)
    if len(casinos) == 1:
        return redirect(to(casinos[0]))
    now = timezone.now()
    table = DataTable(
        caption=caption,
        columns=(
            Column("Casino", "name", is_row_heading=True, link=to),
            Column("Time there", lambda casino: local(now, casino)),
        ),
        rows=casinos,
    )
    return render(request, "components/casino-picker.html", {"title": title, "table": table})
