"""How the feeds are doing, casino by casino: the way to what was refused and to rounds from paper."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import PersonRequest
from compliance.web.access import held_by
from compliance.web.components import Column, Table
from rounds.floor.standing import MAY_READ
from rounds.intake.selectors import CasinoFeeds, feeds_in_figures


def _link(name: str, row: CasinoFeeds) -> str:
    return reverse(f"intake:{name}", kwargs={"casino": row.casino.slug})


@held_by(*MAY_READ)
@never_cache
@require_safe
def feeds(request: PersonRequest) -> HttpResponse:
    casinos = {held.casino.slug: held.casino for held in request.user.roles_now() if held.role in MAY_READ}
    table = Table(
        caption="Feeds by casino",
        columns=(
            Column("Casino", "casino.name", is_row_heading=True),
            Column(
                "Refused lines", lambda row: f"{row.quarantined:,} waiting",
                link=lambda row: _link("quarantine", row),
            ),
            Column(
                "Rounds from paper", lambda row: f"{row.on_paper:,} waiting",
                link=lambda row: _link("paper-rounds", row),
            ),
            Column("Silent feeds", "silent", is_figure=True),
            Column("Missing lines", lambda row: f"{row.missing:,}", is_figure=True),
        ),
        rows=feeds_in_figures(sorted(casinos.values(), key=lambda casino: casino.name), timezone.now()),
        query=request.GET,
        page_size=200,
    )  # fmt: skip
    return render(request, "intake/feeds.html", {"table": table})
