"""A small site of shared components only: every component, every refusal. Tests use it as their URL configuration."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.template import engines
from django.urls import include, path

from compliance.core.web import errors
from compliance.core.web.access import public, require_roles, signed_in
from compliance.core.web.templatetags.ui import dice, local, money
from compliance.core.web.ui import charts
from compliance.core.web.ui.components import (
    Chart,
    Column,
    ConfirmationPanel,
    DataTable,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Tag,
    Task,
    TaskList,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.forms import LocalDateTimeField, MoneyField

SYDNEY = ZoneInfo("Australia/Sydney")
EVENING = datetime(2026, 11, 16, 10, 22, tzinfo=UTC)


FORM_PAGE = """
{% extends "base.html" %}
{% block title %}Change a limit{% endblock %}
{% block breadcrumbs %}{% include "components/breadcrumbs.html" %}{% endblock %}
{% block heading %}<h1>Change a limit</h1>{% endblock %}
{% block content %}{% render_form form "Publish the notice" cancel="/" %}{% endblock %}
"""
EVERYTHING = """
{% extends "base.html" %}
{% block title %}Gallery{% endblock %}
{% block heading %}<h1>Gallery</h1>{% endblock %}
{% block content %}
{% banner "The notice was published." "success" %}
{% banner "Table SB-04 closes in 20 minutes." "warning" %}
{% banner "The sign could not be shown." "danger" %}
{% banner "Two findings wait for you." %}
{% confirmation confirmation %}
<p>{% tag "Open" "warning" %} {% tag "Draft" %} {% tag "Waiting" "info" %}
{% tag "Decided" "success" %} {% tag "Overdue" "danger" %}</p>
{% filter_panel panel %}
{% table table %}
{% summary_list summary %}
{% task_list tasks %}
{% timeline timeline %}
{% chart chart %}
{% empty_state "No findings yet." "They appear here when the audit has run." %}
{% endblock %}
"""


def page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    return HttpResponse(engines["django"].from_string(template).render(context, request))


class NoticeForm(forms.Form):
    """A form with every kind of field."""

    table = forms.CharField(help_text="As it is written on the layout, for example SB-04.")
    minimum = MoneyField(label="New minimum", min_cents=500, max_cents=1_000_000, currency="AUD")
    begins_at = LocalDateTimeField(label="In force from", zone=SYDNEY, help_text="At least 20 minutes from now.")
    reason = forms.ChoiceField(choices=[("demand", "Demand"), ("staff", "Staffing")], widget=forms.RadioSelect)
    shown_on = forms.MultipleChoiceField(
        label="Where the sign is shown",
        choices=[("screen", "Screen"), ("board", "Board")],
        widget=forms.CheckboxSelectMultiple,
    )
    remark = forms.CharField(widget=forms.Textarea, required=False)
    photograph = forms.FileField(required=False, widget=forms.FileInput)
    is_told = forms.BooleanField(label="The players at the table have been told")
    draft = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("table") == "SB-00":
            raise forms.ValidationError("Table SB-00 is closed.")
        return self.cleaned_data


class RoundFilter(forms.Form):
    verdict = forms.ChoiceField(choices=[("", "Any"), ("win", "Win"), ("lose", "Lose")], required=False)
    table = forms.CharField(required=False)


@dataclass(frozen=True)
class Round:
    number: int
    dice: tuple[int, int, int]
    staked_cents: int
    at: datetime = EVENING


def rounds(count: int) -> list[Round]:
    return [Round(number, (1 + number % 6, 1 + number % 5, 4), number * 2550) for number in range(1, count + 1)]


def round_table(rows: Any, query: QueryDict | None = None, **particulars: Any) -> DataTable:
    columns = (
        Column("Round", "number", sort="number", is_row_heading=True, link=lambda row: f"/rounds/{row.number}/"),
        Column("Dice", lambda row: dice(row.dice)),
        Column("Verdict", lambda row: Tag("Correct", "success") if row.number % 3 else Tag("Underpaid", "danger")),
        Column("Staked", lambda row: money(row.staked_cents), sort="staked_cents", is_figure=True),
        Column("At", lambda row: local(row.at, SYDNEY)),
    )
    return DataTable(caption="Rounds of the evening", columns=columns, rows=rows, query=query, **particulars)


@public
def notice(request: HttpRequest) -> HttpResponse:
    form = NoticeForm(request.POST, request.FILES) if request.method == "POST" else NoticeForm()
    return page(request, FORM_PAGE, {"form": form})


def every_component(request: HttpRequest) -> dict[str, Any]:
    points = [charts.Point(f"{day} Nov", 40 + day * 7 % 50) for day in range(1, 15)]
    numbers = DataTable(
        caption="Rounds by day",
        columns=(Column("Day", "label", is_row_heading=True), Column("Rounds", "value", is_figure=True)),
        rows=points[:4],
        name="chart",
    )
    return {
        "table": round_table(rounds(int(request.GET.get("count", 120))), request.GET, page_size=10),
        "panel": FilterPanel(RoundFilter(request.GET)),
        "timeline": Timeline(
            [
                TimelineEntry(
                    "Sign shown", EVENING, "Gwen Games", "On the screen at table SB-04.", Tag("On time", "success")
                ),
                TimelineEntry("Limit in force", EVENING.replace(minute=42), href="/rounds/1/"),
            ],
            SYDNEY,
        ),
        "tasks": TaskList(
            [
                Task("Prizes", Tag("Complete", "success"), "/a/"),
                Task("Terms", Tag("In progress", "info"), "/b/", "Amended once"),
                Task("Filing", Tag("Cannot start yet"), hint="Needs prizes and terms"),
            ]
        ),
        "summary": SummaryList(
            [
                SummaryRow("Table", "SB-04"),
                SummaryRow("Minimum", money(2500, "AUD"), "/change/"),
                SummaryRow("State", Tag("In force", "success")),
                SummaryRow("Remark", None),
            ]
        ),
        "confirmation": ConfirmationPanel(
            "Notice published", "SB04-2026-0117", ["The sign is shown on the table from now on."]
        ),
        "chart": Chart("/chart.svg", "Between 40 and 89 rounds a day.", numbers),
    }


@public
def components(request: HttpRequest) -> HttpResponse:
    return page(request, EVERYTHING, every_component(request))


@public
def chart(request: HttpRequest) -> HttpResponse:
    points = [charts.Point(f"{day} Nov", 40 + day * 7 % 50) for day in range(1, 15)]
    return charts.svg_response(charts.bar_chart(title="Rounds by day", x_label="Day", y_label="Rounds", points=points))


@public
def raises(request: HttpRequest, what: str) -> HttpResponse:
    if what == "database":
        connection.ensure_connection()
    raise {
        "400": SuspiciousOperation("odd"),
        "403": PermissionDenied(),
        "404": Http404(),
        "409": errors.Conflict("Table SB-04 was closed at 9:20 pm by <Gwen>.", remedy="Reload the page."),
        "429": errors.TooMany(headers={"Retry-After": "900"}),
        "500": ValueError("a secret of the code"),
        "503": errors.Unavailable(),
    }[what]


@signed_in
def members(request: HttpRequest) -> HttpResponse:
    return page(request, EVERYTHING, every_component(request))


@require_roles("inspector")
def findings(request: HttpRequest, casino: str) -> HttpResponse:
    return HttpResponse(casino)


urlpatterns = [
    path("form/", notice, name="form"),
    path("components/", components, name="components"),
    path("chart.svg", chart, name="chart"),
    path("raises/<slug:what>/", raises, name="raises"),
    path("api/raises/<slug:what>/", raises, name="api-raises"),
    path("members/", members, name="members"),
    path("casinos/<slug:casino>/findings/", findings, name="findings"),
    path("", include("compliance.core.web.urls")),
]

handler400 = "compliance.core.web.errors.bad_request"
handler403 = "compliance.core.web.errors.permission_denied"
handler404 = "compliance.core.web.errors.not_found"
handler500 = "compliance.core.web.errors.server_error"
