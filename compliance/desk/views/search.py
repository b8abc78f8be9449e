"""What the box in the header leads to."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import PersonRequest
from compliance.accounts.roles import EVERY_ROLE
from compliance.desk.searching import LONGEST, SHORTEST, search_everything
from compliance.web.access import held_by


@held_by(*EVERY_ROLE)
@never_cache
@require_safe
def search(request: PersonRequest) -> HttpResponse:
    # PostgreSQL takes no NUL in a text; nothing that can be found has one.
    text = " ".join(request.GET.get("q", "").replace("\x00", " ").split())[:LONGEST]
    context: dict[str, object] = {"searched": text, "shortest": SHORTEST, "is_too_short": 0 < len(text) < SHORTEST}
    if len(text) >= SHORTEST:
        context["kinds"] = search_everything(request.user, text)
    return render(request, "desk/search.html", context)
