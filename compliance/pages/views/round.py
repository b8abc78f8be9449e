"""One round as people read it, with links to its ledger entry and to the calculator. Printable."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.templatetags.ui import dice, local, money, tag
from compliance.core.web.ui.cell_values import Amount, Lines, Link, Phrase
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import RecordNotes, record_notes
from compliance.pages.forms import RoundCountForm
from compliance.pages.timeline.earlier_rounds import rounds_before
from compliance.pages.timeline.entry_text import describe_entry, format_person
from compliance.pages.timeline.event_labels import RoundView, WagerView, access_round, event_label
from compliance.pages.timeline.round_trace import controller_corrections
from compliance.pages.views.common import format_clock_time, readers_only
from compliance.pages.views.table import rounds_table
from compliance.reports.kinds import MAY_REPORT
from rounds.floor.fact_values import CurrencyValue, LimitsValue, read_value
from rounds.floor.facts.text import FactFormatter, value_lines
from rounds.floor.selectors import casino_facts_at
from rounds.intake.protocol.fields import Limits
from rounds.intake.protocol.round import Round
from rounds.intake.summaries import format_limits
from rounds.ledger import EntryQuery, LogEntry, corrections_of, search_entries
from rounds.rulebook.labels import void_reason_label

WAGERS_A_PAGE = 500
MOST_OTHER_ENTRIES = 20


@readers_only
@require_safe
def round(request: CasinoRequest, casino: str, index: int) -> ListResponse:
    read = access_round(request.user, request.casino, index)
    notes = record_notes(request, [index], void=read.void_label)
    context: dict[str, Any] = {
        "read": read,
        "notes": notes,
        "entry": read.entry,
        "entry_href": entry_url(request.casino, index),
        "taken_back_by": corrections_of(casino, [index]).get(index),
        "corrections": controller_corrections(read.entry),
    }
    played = read.played
    if played is not None:
        currency = casino_facts_at(request.casino, read.at).get(CurrencyValue)
        context |= {
            "played": played,
            "facts": _round_summary(read, played),
            "result": _result_summary(read, played),
            "events": _events_table(read, played),
            "wagers": _wagers_table(read, notes),
            "totals": _wager_totals(read),
            "currency": currency.code if currency else "",
            "elsewhere": _other_entries(request.casino, read.entry, played.round),
            "ledger": casino_url("evidence:ledger", casino),
            "may_report": request.user.has_role(*MAY_REPORT, casino=request.casino),
            **_earlier_rounds(request, read.entry, played),
        }
    return list_response(request, "pages/round.html", context, lists=("wagers",))


def _earlier_rounds(request: CasinoRequest, own: LogEntry, played: Round) -> dict[str, Any]:
    """Rounds of the same table played before this one, as a display at the table would have shown. By when they began,
    because rounds from paper are recorded late."""
    recall = RoundCountForm(request.GET)
    began = (min(event.at for event in played.events), own.index)
    before = rounds_before(own.log, own.table or "", began, recall.round_count())
    none = "No round of this table was played before it."
    return {"recall": recall, "before": rounds_table(request, own.table or "", before, none)}


def _sign_limit_lines(read: RoundView, limits: Limits) -> list[str]:
    stated = {name: each for name, each in msgspec.to_builtins(limits).items() if name != "payable_unit"}
    pack = read.to_settle.pack if read.to_settle else None
    return value_lines(read_value(LimitsValue, stated), FactFormatter(pack=pack))


def _round_summary(read: RoundView, played: Round) -> SummaryList:
    rows = [
        SummaryRow("Casino", read.casino),
        SummaryRow("Table", _table_link(read)),
        SummaryRow("Gaming day", f"{played.gaming_day.day} {played.gaming_day:%b %Y}"),
        SummaryRow("Reported", local(read.at, read.casino)),
        SummaryRow("Rules in force", _rules_link(read)),
    ]
    if played.limits:
        rows.append(SummaryRow("Limits on the sign", Lines(*_sign_limit_lines(read, played.limits))))
    for limits in (read.to_settle.round if read.to_settle else played).player_limits:
        holder = f"player {limits.player}" if limits.player else f"seat {limits.seat}"
        rows.append(SummaryRow(f"Limits of {holder}", format_limits(msgspec.to_builtins(limits))))
    if played.streak_amount:
        rows.append(SummaryRow("Super Streak amount", money(played.streak_amount)))
    for key, value in (("Dice", played.dice_set), ("Shaker", played.shaker), ("Shoe", played.shoe)):
        if value:
            rows.append(SummaryRow(key, value))
    rows.append(SummaryRow("Where it comes from", _origin_text(read)))
    return SummaryList(rows)


def _table_link(read: RoundView) -> Any:
    if read.table is None:
        return read.entry.table
    href = casino_url("desk:table", read.casino, table=read.table.slug)
    return format_html('<a href="{}">{}</a> ({})', href, read.table.name, read.table.slug)


def _rules_link(read: RoundView) -> Any:
    if read.version is None:
        return Tag("No approved version was in force", "warning")
    version = read.version
    return format_html('<a href="{}">{}</a>', version.address("version"), version)


def _origin_text(read: RoundView) -> str:
    told = describe_entry(read.entry).by
    if read.entry.controller and not read.origin:
        return f"Controller {read.entry.controller}, its number {read.entry.sequence}, signed by it"
    why = f". {read.origin['why']}" if read.origin.get("why") else ""
    return f"{told[:1].upper()}{told[1:]}{why}"


def _result_summary(read: RoundView, played: Round) -> SummaryList:
    """The actual result beside what was called, entered, lit and displayed."""
    lay = "Cards as they lay" if played.cards else "Dice as they lay"
    rows = [SummaryRow(lay, _format_faces(read.faces) if read.faces else "None")]
    if played.no_result:
        reason = void_reason_label(played.no_result.reason)
        by = format_person(msgspec.to_builtins(played.no_result.by)) if played.no_result.by else ""
        grounds = f", on grounds of {played.no_result.grounds}" if played.no_result.grounds else ""
        rows.append(SummaryRow("No result", f"{reason}{grounds}{f', {by}' if by else ''}"))
    if played.called:
        total = played.called.total
        announced = "no total announced" if total is None else f"announced as total {total}"
        rows.append(SummaryRow("Called", format_html("{}, {}", dice(played.called.faces), announced)))
    if played.entered:
        rows.append(SummaryRow("Entered", _format_faces(played.entered.faces)))
    if played.lit is not None:
        rows.append(SummaryRow("Lit", ", ".join(map(read.bet_name, played.lit)) or "Nothing"))
    rows += [SummaryRow(f"Shown on {shown.device}", _format_faces(shown.faces)) for shown in played.displayed]
    return SummaryList(rows)


def _format_faces(faces: Any) -> SafeString:
    return format_html('{} <span class="unbroken">total {}</span>', dice(faces), sum(faces))


def _events_table(read: RoundView, played: Round) -> DataTable:
    """By time; events of one instant in the order reported."""
    in_order = sorted(played.events, key=lambda event: event.at)
    return DataTable(
        caption="What happened, in order",
        columns=(
            Column("When", lambda event: format_clock_time(event.at, read.casino), is_row_heading=True),
            Column("What", lambda event: event_label(event.name, event.count, event.by)),
        ),
        rows=in_order,
        page_size=500,
        name="events",
        is_caption_hidden=True,
    )


def _wagers_table(read: RoundView, notes: RecordNotes) -> DataTable:
    """What the table reported beside what the rules give and what was found and decided about it."""

    def bet(row: WagerView, format_time: Callable[[datetime], str]) -> Lines:
        changes = [Phrase("{}, {}", row.change_text(each), format_time(each.at)) for each in row.wager.changes]
        first = [row.first_text] if changes else []
        paid = [f"Returned later, after a dispute: entry {entry:,}" for entry in row.payment_entries]
        return Lines(row.bet_label, *first, *changes, *paid)

    def clock_time(instant: datetime) -> SafeString:
        return format_clock_time(instant, read.casino)

    def holder_on_page(row: WagerView) -> Lines:
        """The time may break into two lines, so that the last column fits on a laptop."""
        placed = format_html('<span class="breakable">{}</span>', clock_time(row.wager.placed_at))
        return Lines(row.holder, placed, *row.tender_lines)

    def found(row: WagerView, name: Callable[[Any], str] = lambda finding: str(finding.code)) -> Lines:
        about = notes.for_wager(row.wager.id).findings
        return Lines(
            *(Phrase("{} {}", Link(each.href, name(each)), each.state) for each in about), *later_decision_lines(row)
        )

    def found_on_page(row: WagerView) -> Lines:
        """Without the code, which the head of the page has: it would push the last column off a laptop's screen."""
        return found(row, lambda finding: "Finding")

    def verdict(row: WagerView) -> SafeString:
        href, reported = row.calculator_href, tag(reported_verdict(row, notes))
        if not href:
            return reported
        return format_html(
            '{}<br><a class="on-screen unbroken" href="{}">What would this pay?'
            '<span class="visually-hidden"> Wager {}</span></a>',
            reported,
            href,
            row.wager.id,
        )

    def proof(row: WagerView) -> SafeString:
        return format_html(
            '<a class="on-screen" href="{}">Proof<span class="visually-hidden"> of wager {} for its patron</span></a>',
            casino_url("proofs:make", read.casino, index=read.entry.index, wager=row.wager.id),
            row.wager.id,
        )

    return DataTable(
        caption="Wagers",
        columns=(
            Column("Wager", lambda row: row.wager.id, is_row_heading=True),
            Column("Whose", "holder", display=holder_on_page),
            Column("On", lambda row: bet(row, datetime.isoformat), display=lambda row: bet(row, clock_time)),
            Column("Stake", "stake_cents", is_money=True),
            Column("Table said", lambda row: reported_verdict(row, notes), display=verdict),
            Column("Paid", _returned, is_money=True),
            Column("Due", lambda row: due_cents(row, notes), is_money=True),
            Column("Decided", found, display=found_on_page),
            Column("With", lambda row: Lines(*row.tender_lines), is_in_file_only=True),
            Column("Placed", lambda row: row.wager.placed_at.isoformat(), is_in_file_only=True),
            Column("Proof", proof, is_control=True),
        ),
        rows=read.wagers,
        page_size=WAGERS_A_PAGE,
        empty="Nobody wagered in this round.",
        name="wagers",
        is_caption_hidden=True,
    )


def later_decision_lines(row: WagerView) -> Iterator[str | Phrase]:
    """What was decided later about this wager by itself, and what was handed back because of it."""
    decided, wager = row.round.later_decisions, row.wager.id
    if decided is None:
        return
    if wager in decided.wagers:
        yield f"Declared void by entry {decided.wagers[wager][0]:,}"
    if wager in (decided.forfeited or ()):
        yield "Forfeited when the round was invalidated"
    if refund := decided.refunds.get(wager):
        yield Phrase("{} of it handed back later", Amount(refund))


def reported_verdict(row: WagerView, notes: RecordNotes) -> Tag:
    """The verdict that the table reported. Green only if nothing stands against it."""
    own, decided = notes.for_wager(row.wager.id), row.round.later_decisions
    is_void = decided is not None and row.wager.id in decided.wagers
    return replace(own, void=own.void or "Void").tag(row.verdict) if is_void else own.tag(row.verdict)


def due_cents(row: WagerView, notes: RecordNotes) -> int | str:
    """What the rules give: by the finding about the wager if there is one, which also counts the rounds of a streak."""
    due = [each.due_cents for each in notes.for_wager(row.wager.id).findings if each.due_cents is not None]
    owed = row.owed
    return due[0] if due else owed.cents if owed and owed.cents is not None else ""


def _returned(row: WagerView) -> int | str:
    return "Not yet" if row.returned_cents is None else row.returned_cents


def _wager_totals(read: RoundView) -> dict[str, int]:
    """Total staked and returned. Withdrawn wagers are left out of both, because a player may have taken the chips back
    before anything was returned; a running streak has returned nothing yet."""
    standing = [row for row in read.wagers if not row.position.was_withdrawn]
    return {
        "wagers": len(read.wagers),
        "withdrawn": len(read.wagers) - len(standing),
        "staked": sum(row.stake_cents for row in standing),
        "returned": sum(row.returned_cents or 0 for row in standing),
    }


def _other_entries(casino: Casino, own: LogEntry, name: str) -> list[dict[str, Any]]:
    """Other entries that name this round: streaks on the screen, faults, disputes. Entries about another table are left
    out, because two tables may use the same round numbers."""
    found = search_entries(casino.slug, EntryQuery(round=name), limit=MOST_OTHER_ENTRIES)
    others = [entry for entry in found.entries if entry.index != own.index and entry.table in (None, own.table)]
    return [{"told": describe_entry(entry), "href": entry_url(casino, entry.index), "entry": entry} for entry in others]
