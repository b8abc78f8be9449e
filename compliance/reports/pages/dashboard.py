"""Dashboard of a casino: a period in figures, each chart with its figures in a table below."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.charts import svg_response
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.reports.dashboard.figures import DashboardFigures
from compliance.reports.dashboard.panels import PANELS
from compliance.reports.document.period import Period, period_of_last_days
from compliance.reports.kinds import MAY_REPORT
from compliance.reports.pages.forms import GamingDaysForm
from compliance.reports.pages.reports import reporters_only, section_context
from rounds.floor.facts.gaming_days import gaming_day

DEFAULT_DAYS = 7


@reporters_only
@require_safe
def choose_dashboard_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_REPORT,
        lambda casino: casino_url("reports:dashboard", casino),
        title="Dashboard",
        caption="Casinos whose dashboard you may read",
    )


@reporters_only
@require_safe
def dashboard(request: CasinoRequest, casino: str) -> ListResponse:
    form = _period_form(request)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        context |= _dashboard_context(request, form.period)
    return list_response(request, "reports/dashboard.html", context, lists=("sections",))


def _period_form(request: CasinoRequest) -> GamingDaysForm:
    """The period in the query string; by default the last seven gaming days."""
    if "first" in request.GET or "last" in request.GET:
        return GamingDaysForm(request.GET, casino=request.casino)
    today = gaming_day(request.casino, timezone.now())
    return GamingDaysForm(period_of_last_days(request.casino, today, DEFAULT_DAYS).as_options(), casino=request.casino)


def _dashboard_context(request: CasinoRequest, period: Period) -> dict[str, Any]:
    figures, query = DashboardFigures(period, timezone.now()), urlencode(period.as_options())
    sections = []
    for place, panel in enumerate(PANELS.values()):
        picture = None
        if panel.is_drawn(figures):
            address = casino_url("reports:dashboard-chart", request.casino, chart=panel.slug)
            picture = {"src": f"{address}?{query}", "alt": panel.alt(figures)}
        sections.append(section_context(panel.section(figures), place, request, picture))
    review = f"{casino_url('reports:new', request.casino, kind='review')}?{query}"
    return {"period": period, "sections": sections, "review": review}


@reporters_only
@require_safe
def dashboard_chart(request: CasinoRequest, casino: str, chart: str) -> HttpResponse:
    form, panel = _period_form(request), PANELS.get(chart)
    drawing = panel.draw(DashboardFigures(form.period, timezone.now())) if panel and form.is_valid() else None
    if drawing is None:
        raise NotFound
    return svg_response(drawing)
