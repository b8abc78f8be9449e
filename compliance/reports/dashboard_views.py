"""The dashboard of a casino: a period in figures, each chart with the same figures in a table under it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.reports.contents import MAY_REPORT
from compliance.reports.dashboard.figures import Figures
from compliance.reports.dashboard.panels import PANELS
from compliance.reports.forms import PeriodForm
from compliance.reports.period import Period, last_days
from compliance.reports.views import address_of, reporters, section_shown
from compliance.web.charts import svg_response
from compliance.web.errors import NotFound
from rounds.floor.gaming_days import gaming_day

USUAL_DAYS = 7


@reporters
@require_safe
def dashboards(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_REPORT, lambda casino: address_of("dashboard", casino),
        title="Dashboard", caption="Casinos whose dashboard you may read",
    )  # fmt: skip


@reporters
@never_cache
@require_safe
def dashboard(request: CasinoRequest, casino: str) -> HttpResponse:
    form = _form(request)
    context: dict[str, Any] = {"casino": request.casino, "form": form}
    if form.is_valid():
        context |= _shown(request, form.period)
    return render(request, "reports/dashboard.html", context)


def _form(request: CasinoRequest) -> PeriodForm:
    """What the address says; the last seven gaming days where it says nothing."""
    if "first" in request.GET or "last" in request.GET:
        return PeriodForm(request.GET, casino=request.casino)
    today = gaming_day(request.casino, timezone.now())
    return PeriodForm(last_days(request.casino, today, USUAL_DAYS).as_chosen(), casino=request.casino)


def _shown(request: CasinoRequest, period: Period) -> dict[str, Any]:
    figures, query = Figures(period, timezone.now()), urlencode(period.as_chosen())
    sections = []
    for place, panel in enumerate(PANELS.values()):
        picture = None
        if panel.is_drawn(figures):
            address = address_of("dashboard-chart", request.casino, chart=panel.slug)
            picture = {"src": f"{address}?{query}", "alt": panel.alt(figures)}
        sections.append(section_shown(panel.section(figures), place, request, picture))
    review = f"{address_of('new', request.casino, kind='review')}?{query}"
    return {"period": period, "sections": sections, "review": review}


@reporters
@never_cache
@require_safe
def chart(request: CasinoRequest, casino: str, chart: str) -> HttpResponse:
    form, panel = _form(request), PANELS.get(chart)
    drawing = panel.draw(Figures(form.period, timezone.now())) if panel and form.is_valid() else None
    if drawing is None:
        raise NotFound
    return svg_response(drawing)
