"""A casino's log: how it stands, how it grows, and what is in it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.evidence.forms import SearchForm
from compliance.evidence.selectors import MAY_READ, may_take
from compliance.evidence.services import verify_now
from compliance.evidence.views.places import address_of, readers, takers
from compliance.web.charts import Point, bar_chart, svg_response
from compliance.web.components import Chart, Column, FilterPanel, SummaryList, SummaryRow, Table, Tag
from compliance.web.exporting import Whole
from compliance.web.templatetags.kit import local
from compliance.witnesses.selectors import active_witnesses
from compliance.witnesses.standing import standing_of
from rounds.ledger.following import Recorded, lag
from rounds.ledger.merkle import MAX_SIZE
from rounds.ledger.proving import newest_checkpoint
from rounds.ledger.searching import (
    PAGE_SIZE,
    DayOfEntries,
    Found,
    Wanted,
    count_entries,
    entries_by_day,
    every_entry,
    search,
    size_of,
)
from rounds.ledger.verified import Verified, last_verification
from rounds.ledger.verifying import verifying_now

CHART_DAYS = 30


@readers
@require_safe
def ledgers(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_READ, lambda casino: address_of("ledger", casino),
        title="Ledgers", caption="Casinos whose ledger you may read",
    )  # fmt: skip


@readers
@never_cache
@require_safe
def ledger(request: CasinoRequest, casino: str) -> HttpResponse:
    form = SearchForm(request.GET, casino=request.casino)
    wanted = form.wanted()
    if wanted and form.cleaned_data["index"] is not None:
        return redirect(address_of("entry", request.casino, index=form.cleaned_data["index"]))
    before, after = _place(request, "before"), _place(request, "after")
    found = search(casino, wanted, before=before, after=after) if wanted else Found()
    days = entries_by_day(casino, request.casino.zone, timezone.now(), CHART_DAYS)
    panel = FilterPanel(form, legend="Search the log")
    is_taker = may_take(request.user, request.casino)
    context = {
        "casino": request.casino,
        "may_take": is_taker,
        "summary": _summary(request.casino),
        "verification": _verification(request.casino),
        "panel": panel,
        "table": _table(request, found, wanted, is_search=bool(panel.active), has_ticks=is_taker),
        "unread_words": _unread_words(found),
        "older": _page(request, "before", found.older),
        "newer": _page(request, "after", found.newer),
        "chart": _chart(request.casino, days),
    }
    return render(request, "evidence/ledger.html", context)


def _unread_words(found: Found) -> str:
    if not found.unread:
        return ""
    newest = "newest entry was" if found.unread == 1 else f"{found.unread:,} newest entries were"
    return f"The {newest} not searched yet for rounds and people. That takes some seconds: load the page again."


def _place(request: CasinoRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and int(text[:20]) <= MAX_SIZE else None


def _page(request: CasinoRequest, name: str, index: int | None) -> str:
    if index is None:
        return ""
    query = request.GET.copy()
    for key in ("before", "after"):
        query.pop(key, None)
    query[name] = str(index)
    return f"?{query.urlencode()}"


def _summary(casino: Casino) -> SummaryList:
    signed = newest_checkpoint(casino.slug)
    rows = [SummaryRow("Entries", f"{size_of(casino.slug):,}")]
    if signed is None:
        rows.append(SummaryRow("Last checkpoint", "None yet. One is signed every minute."))
    else:
        rows += [
            SummaryRow("Last checkpoint", local(signed.signed_at, casino)),
            SummaryRow("Entries it covers", f"{signed.head.size:,}"),
            SummaryRow("Its root", format_html('<code class="copyable">{}</code>', signed.head.root.hex())),
        ]
    rows.append(SummaryRow("Watched from outside by", _witnesses(casino)))
    rows.append(SummaryRow("Read by the rest of the service", _followers(casino)))
    return SummaryList(rows)


def _witnesses(casino: Casino) -> SafeString:
    now = timezone.now()
    standings = [standing_of(witness, now) for witness in active_witnesses(casino)]
    words = "; ".join(f"{one.witness.name}: {one.state.value.lower()}" for one in standings) or "Nobody yet"
    return format_html('<a href="{}">{}</a>', reverse("witnesses:witnesses", args=[casino.slug]), words)


def _followers(casino: Casino) -> str:
    behind = [one for one in lag() if one.log == casino.slug and one.entries > 0]
    if not behind:
        return "Up to the last entry."
    most = max(one.entries for one in behind)
    return f"Still reading: the slowest part is {most:,} {'entry' if most == 1 else 'entries'} behind."


def _verification(casino: Casino) -> dict[str, object]:
    last = last_verification(casino.slug)
    return {"last": last, "last_tag": _verdict(last), "running": verifying_now(casino.slug)}


def _verdict(last: Verified | None) -> Tag:
    if last is None:
        return Tag("Never verified", "warning")
    if not last.is_whole:
        return Tag("Does not fit", "danger")
    return Tag("Fits", "success") if last.is_complete else Tag("Fits so far", "info")


def _table(request: CasinoRequest, found: Found, wanted: Wanted | None, *, is_search: bool, has_ticks: bool) -> Table:
    casino = request.casino

    def tick(entry: Recorded) -> SafeString:
        return format_html(
            '<label class="choice"><input type="checkbox" name="entry" value="{}">'
            '<span class="visually-hidden">Choose entry {}</span></label>',
            entry.index, entry.index,
        )  # fmt: skip

    columns = [
        Column(
            "Entry", lambda entry: f"{entry.index:,}", is_figure=True, is_row_heading=True,
            link=lambda entry: address_of("entry", casino, index=entry.index),
        ),
        Column("Recorded", lambda entry: local(entry.recorded_at, casino)),
        Column("Kind", "kind"),
        Column("Table", "table"),
    ]  # fmt: skip
    return Table(
        caption="Entries that fit, newest first" if is_search else "Entries, newest first",
        columns=[Column("Choose", tick, is_control=True), *columns] if has_ticks else columns,
        rows=found.entries,
        query=request.GET,
        whole=Whole(lambda: every_entry(casino.slug, wanted), lambda: count_entries(casino.slug, wanted))
        if wanted
        else None,
        page_size=PAGE_SIZE,
        empty="No entry fits this search." if is_search else "Nothing was recorded yet.",
        name="entries",
    )


def _chart(casino: Casino, days: list[DayOfEntries]) -> Chart:
    total = sum(day.entries for day in days)
    return Chart(
        src=address_of("growth", casino),
        alt=f"{total:,} entries in the last {CHART_DAYS} days.",
        table=Table(
            caption="Entries by day",
            columns=(
                Column("Day", lambda row: f"{row.day:%a} {row.day.day} {row.day:%b %Y}", is_row_heading=True),
                Column("Entries", lambda row: f"{row.entries:,}", is_figure=True),
            ),
            rows=days,
            name="days",
        ),
    )


@readers
@require_safe
def growth(request: CasinoRequest, casino: str) -> HttpResponse:
    days = entries_by_day(casino, request.casino.zone, timezone.now(), CHART_DAYS)
    points = [Point(f"{day.day.day} {day.day:%b}", day.entries) for day in days]
    title = f"How the log of {request.casino} grew"
    return svg_response(bar_chart(title=title, x_label="Day", y_label="Entries", points=points))


@readers
@never_cache
@require_safe
def verification(request: CasinoRequest, casino: str) -> HttpResponse:
    """The part of the page that changes while a verification runs."""
    context = {"verification": _verification(request.casino), "may_take": may_take(request.user, request.casino)}
    return render(request, "evidence/verification.html", context | {"casino": request.casino})


@takers
@require_POST
def verify(request: CasinoRequest, casino: str) -> HttpResponse:
    verify_now(casino=request.casino, actor=request.user, now=timezone.now())
    messages.success(request, "The log is being verified from its first entry. The result becomes an entry of its own.")
    return redirect(address_of("ledger", request.casino))
