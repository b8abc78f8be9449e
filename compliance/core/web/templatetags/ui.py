"""Template tags and filters for the shared components. A builtin library, so templates need no {% load %}."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django import template
from django.forms import BaseForm, BoundField
from django.forms.formsets import BaseFormSet
from django.template.base import render_value_in_context
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from compliance.core.web.local_time import format_local
from compliance.core.web.ui import components
from compliance.core.web.ui.cell_values import Amount, Lines, Link, Phrase
from compliance.core.web.ui.forms import form_error_messages
from compliance.core.web.ui.record_notes import RecordNotes
from rounds.engine.money import dollars

register = template.Library()
register.filter(form_error_messages)

AUTOESCAPE_CONTEXT = Context()
LINE_BREAK = SafeString("<br>")
TAG_KINDS = ("neutral", "info", "success", "warning", "danger")


@register.simple_tag
def tag(words: str | components.Tag, kind: str = "neutral") -> SafeString:
    """{% tag "Open" "warning" %} or {% tag finding.tag %}"""
    label, kind = (words.label, words.kind) if isinstance(words, components.Tag) else (words, kind)
    if not str(label).strip() or kind not in TAG_KINDS:
        raise template.TemplateSyntaxError(
            f"A tag needs words and one of {', '.join(TAG_KINDS)}: got {label!r}, {kind!r}."
        )
    return format_html('<strong class="tag tag-{}">{}</strong>', kind, label)


@register.filter
def local(instant: datetime | None, place: Any = None) -> SafeString | str:
    """{{ entry.recorded_at|local:casino }}: the casino's local time, with UTC in the title attribute."""
    if instant is None:
        return ""
    in_utc = instant.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        in_utc.isoformat(timespec="seconds").replace("+00:00", "Z"),
        f"{in_utc:%Y-%m-%d %H:%M:%S} UTC",
        format_local(instant, place),
    )


@register.filter
def money(cents: int | None, currency: str = "") -> SafeString | str:
    """{{ wager.stake_cents|money:"AUD" }}: integer cents only."""
    if cents is None:
        return ""
    if isinstance(cents, bool) or not isinstance(cents, int):
        raise TypeError(f"Money is integer cents, not {cents!r}.")
    figures = dollars(cents)
    signs = ("-", "−") if cents < 0 else ("", "")
    return format_html(
        '<data class="figure" value="{}{}">{}${}{}</data>',
        signs[0],
        figures.replace(",", ""),
        signs[1],
        figures,
        f" {currency}" if currency else "",
    )


@register.filter
def dice(faces: Iterable[int]) -> SafeString:
    """{{ round.dice|dice }}: the faces as images, followed by the same as digits."""
    thrown = list(faces)
    if any(face not in range(1, 7) for face in thrown):
        raise ValueError(f"A die shows 1 to 6, not {thrown}.")
    drawn = format_html_join(
        "",
        '<img class="die" src="{}" alt="" width="24" height="24">',
        ((static(f"web/die-{face}.svg"),) for face in thrown),
    )
    return format_html('<span class="dice">{} <span class="figure">{}</span></span>', drawn, "-".join(map(str, thrown)))


@register.filter
def display_value(value: Any, place: Any = None) -> Any:
    """A value of a table or summary list as HTML, formatted by its type; an empty value as "None"."""
    if value is None or value == "" or (isinstance(value, Lines) and not value.lines):
        return format_html('<span class="nothing">{}</span>', "None")
    return _formatted(value, place)


def _formatted(value: Any, place: Any) -> Any:
    if isinstance(value, components.Tag):
        return tag(value)
    if isinstance(value, datetime):
        return local(value, place)
    if isinstance(value, Amount):
        return money(value)
    if isinstance(value, Phrase):
        return format_html(value.text, *("" if part is None else _formatted(part, place) for part in value.parts))
    if isinstance(value, Lines):
        return format_html_join(LINE_BREAK, "{}", ((_formatted(line, place),) for line in value.lines))
    return format_html('<a href="{}">{}</a>', value.href, value.text) if isinstance(value, Link) else value


@register.filter
def table_rows(table: components.DataTable, casino: Any = None) -> SafeString:
    """Rows rendered in Python: a page has hundreds of cells, and template rendering is slow for each."""
    place = table.place or casino
    rows = (f"<tr>{''.join(_render_cell(cell, place) for cell in cells)}</tr>" for cells in table.body)
    return SafeString("\n      ".join(rows))


def _render_cell(cell: components.Cell, place: Any) -> str:
    name, scope = ("th", ' scope="row"') if cell.is_row_heading else ("td", "")
    figure = ' class="figure"' if cell.is_figure else ""
    value = display_value(cell.value, place)
    words = conditional_escape(value) if isinstance(value, str) else render_value_in_context(value, AUTOESCAPE_CONTEXT)
    if cell.href:
        words = f'<a href="{conditional_escape(cell.href)}">{words}</a>'
    return f"<{name}{scope}{figure}>{words}</{name}>"


@register.filter
def with_code(text: str) -> SafeString:
    """Text in which `backticks` mark code, as in docstrings that are published."""
    pieces = str(text).split("`")
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", each) if place % 2 else each,) for place, each in enumerate(pieces))
    )


@register.filter
def first_input_id(bound: BoundField) -> str:
    """Target of a link in the error summary: the field, or the first choice of a group."""
    if bound.widget_type in ("radioselect", "checkboxselectmultiple"):
        return f"{bound.auto_id}_0"
    return bound.id_for_label or bound.auto_id


@register.filter
def with_label(complaint: str, bound: BoundField) -> str:
    """A line of the error summary: field label and error."""
    label = str(bound.label)
    return f"{label}{' ' if label.endswith(('?', '.', '!', ':')) else ': '}{complaint}"


@register.simple_tag(takes_context=True)
def error_prefix(context: Context) -> str:
    """Prefix of the page title if the page shows a form with errors."""
    # type() instead of isinstance(), which would evaluate the lazy user and the lazy CSRF token (and set its cookie).
    forms: list[Any] = [it for it in context.flatten().values() if issubclass(type(it), BaseForm | BaseFormSet)]
    return "Error: " if any(form.is_bound and not form.is_valid() for form in forms) else ""


@register.inclusion_tag("components/complete-form.html", takes_context=True)
def render_form(
    context: Context, form: BaseForm, submit: str, *, cancel: str = "", action: str = "", is_danger: bool = False
) -> dict[str, Any]:
    """{% render_form form "Sign in" cancel=url %}: form tag, CSRF, error summary, fields and buttons."""
    return {
        "form": form,
        "submit": submit,
        "cancel": cancel,
        "action": action,
        "is_danger": is_danger,
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("components/table.html", takes_context=True)
def table(context: Context, table: components.DataTable) -> dict[str, Any]:
    """Offers the export of a list only on pages of a casino, because each export is recorded in that casino's log."""
    casino = getattr(context.get("request"), "casino", None)
    return {"table": table, "casino": casino, "can_be_taken": casino is not None and table.is_list}


@register.inclusion_tag("components/export-links.html", takes_context=True)
def export_links(context: Context, shown: components.DataTable) -> dict[str, Any]:
    """{% export_links table %}: export links of a list that is not shown as a table."""
    return table(context, shown)


@register.inclusion_tag("components/filter-panel.html", takes_context=True)
def filter_panel(context: Context, panel: components.FilterPanel) -> dict[str, Any]:
    """The filter panel with the person's saved views of this list, which list_response adds to the context."""
    return {"panel": panel, "saved_views": context.get("saved_views")}


@register.inclusion_tag("components/timeline.html")
def timeline(timeline: components.Timeline) -> dict[str, Any]:
    return {"timeline": timeline}


@register.inclusion_tag("components/task-list.html")
def task_list(tasks: components.TaskList) -> dict[str, Any]:
    return {"tasks": tasks}


@register.inclusion_tag("components/summary-list.html")
def summary_list(summary: components.SummaryList) -> dict[str, Any]:
    return {"summary": summary}


@register.inclusion_tag("components/confirmation.html")
def confirmation(confirmation: components.ConfirmationPanel) -> dict[str, Any]:
    return {"confirmation": confirmation}


@register.inclusion_tag("components/chart.html")
def chart(chart: components.Chart) -> dict[str, Any]:
    return {"chart": chart}


@register.inclusion_tag("components/record-notes.html", takes_context=True)
def record_notes(context: Context, notes: RecordNotes, about: str = "this record") -> dict[str, Any]:
    """{% record_notes notes %}: the findings about a record, for its page. `about` names the record in the heading."""
    return {"notes": notes, "about": about, "casino": getattr(context.get("request"), "casino", None)}


@register.inclusion_tag("components/empty-state.html")
def empty_state(text: str, hint: str = "") -> dict[str, Any]:
    return {"text": text, "hint": hint}


@register.inclusion_tag("components/notification-banner.html")
def banner(text: str, kind: str = "info", title: str = "", link: tuple[str, str] | None = None) -> dict[str, Any]:
    """{% banner "Saved." "success" %}; `link` is a URL and its label."""
    titles = {"success": "Done", "warning": "Warning", "danger": "Problem", "error": "Problem"}
    shown = "danger" if kind == "error" else kind
    return {"text": text, "kind": shown, "title": title or titles.get(kind, "Notice"), "link": link}
