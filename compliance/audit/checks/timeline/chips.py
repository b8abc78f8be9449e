"""Chips without a denomination, and vouchers: value, colour, table, redemption."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from compliance.audit.catalogue.table_codes import (
    CHIPS_COLOUR,
    CHIPS_ELSEWHERE,
    CHIPS_REDEEMED,
    CHIPS_VALUE,
    FEED_CHIPS_COUNT,
    VOUCHER_VALUE,
)
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.shared.roles import positions_for_role
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from compliance.audit.projections.rounds import round_from_entry
from rounds.engine import Pack, wager_holder
from rounds.engine import pack as engine_pack
from rounds.intake import entry_kinds
from rounds.intake.columns.round_encoding import chips_checksum
from rounds.intake.protocol.round import ColourValue, Round, Wager


def _chips_duty(context: EventContext) -> engine_pack.ColourChips | None:
    return context.pack.duties.colour_chips if context.pack else None


LONGEST_ROUND = timedelta(days=1)


def _chip_label(context: EventContext) -> str:
    body = context.body
    return f"{body.colour.capitalize()} of set {body.set}"


def _chip_holder(each: EventAt) -> str:
    return each.body.player or f"seat {each.body.seat}"


# --- Which chips are out --------------------------------------------------------------------------------------------


def known_chip_checksums(events: Sequence[EventAt]) -> set[int]:
    """Checksums, like those in the wager columns, of chips issued at this table whose value is beyond doubt: a holder
    got that colour at one value only. Screening selects every other wager with chips."""
    issued = [each for each in events if each.kind == entry_kinds.CHIPS_ISSUED]
    values: dict[tuple[str, str], set[int]] = {}
    for each in issued:
        values.setdefault((_chip_holder(each), each.body.colour), set()).add(each.body.value)
    return {
        chips_checksum(_chip_holder(each), each.body.colour, each.body.value, table)
        for each in issued
        if len(values[_chip_holder(each), each.body.colour]) == 1
        for table in (None, each.table)
    }


def _session_issues(history: History, until: datetime | None = None) -> list[list[EventAt]]:
    """Issues since the table opened, grouped by holder, colour and value, without those handed back since. In order of
    the last issue. A redemption at a value that was never issued ends all values of its holder and colour."""
    in_play: dict[tuple[str, str, int], list[EventAt]] = {}
    for each in history.events_since_last(entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED):
        if each.kind not in CHIP_KINDS or (until is not None and each.at > until):
            continue
        key = (_chip_holder(each), each.body.colour, each.body.value)
        if each.kind == entry_kinds.CHIPS_ISSUED:
            in_play[key] = [*in_play.pop(key, ()), each]
        elif each.body.issued_at == each.table and in_play.pop(key, None) is None:
            in_play = {known: issues for known, issues in in_play.items() if known[:2] != key[:2]}
    return list(in_play.values())


def _chips_out(context: EventContext, is_asked: Callable[[EventAt], bool]) -> list[EventAt]:
    """The last issue of each holder, colour and value of which chips are certainly still out: some were neither handed
    back nor lost in wagers. Only those asked for, because counting lost chips reads the table's rounds."""
    return [
        issues[-1]
        for issues in _session_issues(context.history)
        if is_asked(issues[-1]) and not _are_all_lost(context, issues)
    ]


def _are_all_lost(context: EventContext, issues: Sequence[EventAt]) -> bool:
    """Whether wagers since the first issue lost as many chips as were issued. Won chips are not counted: they may have
    been paid in other chips."""
    first, value = issues[0], issues[0].body.value
    own = [wager for each in _rounds_since(context, first.at) for wager in each.wagers if _is_wager_with(first, wager)]
    lost = sum(max(wager.stake - (wager.returned or 0), 0) for wager in own)
    return bool(lost >= value * sum(each.body.chips for each in issues))


def _rounds_since(context: EventContext, first_at: datetime) -> list[Round]:
    """The table's rounds that were not over at an instant, up to this entry."""
    rounds = context.source.rounds([context.table], started=(first_at - LONGEST_ROUND, context.event_time))
    entries = context.source.entries_at([each.index for each in rounds if each.ended_at >= first_at])
    return [each for each in map(round_from_entry, entries) if each is not None]


def _is_wager_with(issued: EventAt, wager: Wager) -> bool:
    """Whether the wager was placed with the chips that were issued: same holder, colour, value and table."""
    chips = wager.chips
    return (
        chips is not None
        and wager_holder(wager) == _chip_holder(issued)
        and (chips.colour, chips.value) == (issued.body.colour, issued.body.value)
        and chips.issued_at in (None, issued.table)
    )


# --- Value ----------------------------------------------------------------------------------------------------------


def check_issued_value(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-VALUE (`duties.colour_chips`): a second value while chips are out, another than the minimum where none was
    declared, or no marker above the minimum."""
    duty, body = _chips_duty(context), context.body
    if duty is None:
        return
    minimum = context.rules_in_force.limits.minimum_cents if context.rules_in_force else None
    wrong, others = [], _other_values_out(context) if duty.one_value_clause else []
    if others and duty.one_value_clause:
        worth = format_amount(others[-1].body.value)
        wrong.append(("", f"chips of that colour worth {worth} were still out", duty.one_value_clause))
    is_minimum_due = duty.value_unless_declared == "table-minimum" and body.declared is False
    if is_minimum_due and duty.unless_declared_clause and minimum not in (None, body.value):
        required = f"no value was declared, and the table's minimum is {format_amount(minimum)}"
        wrong.append(("", required, duty.unless_declared_clause))
    if minimum is not None and body.value > minimum and body.marker != body.value:
        marker = f" under a marker of {format_amount(body.marker)}" if body.marker is not None else " without a marker"
        wrong.append((marker, "above the table's minimum a marker shows the value", duty.marker_above_minimum_clause))
    if wrong:
        yield context.draft(
            CHIPS_VALUE,
            what=_chip_label(context),
            found=f"was issued at {format_amount(body.value)} a chip{''.join(marker for marker, _, _ in wrong)}",
            required="; ".join(required for _, required, _ in wrong),
            clause=wrong[0][2],
            evidence=others,
        )


def _other_values_out(context: EventContext) -> list[EventAt]:
    """Issues of the same colour to the same holder at another value, of which chips are still out."""
    own = (_chip_holder(context.event), context.body.colour)
    return _chips_out(
        context,
        lambda each: (_chip_holder(each), each.body.colour) == own and each.body.value != context.body.value,
    )


def _values_of_chips(history: History, holder: str, colour: str, until: datetime) -> list[EventAt]:
    """The last issue at each value that this holder's chips of the colour may have. Where all were handed back, the
    last issue. Empty where none is on record."""
    issued = [
        each
        for each in history.events_since_last(entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED)
        if each.kind == entry_kinds.CHIPS_ISSUED
        and each.at <= until
        and (_chip_holder(each), each.body.colour) == (holder, colour)
    ]
    out = {each.index for issues in _session_issues(history, until) for each in issues[-1:]}
    return [each for each in issued if each.index in out] or issued[-1:]


def _miscounted_words(counted_cents: int, issued: EventAt) -> dict[str, Any]:
    return {
        "found": f"counted {format_amount(counted_cents)} a chip",
        "required": f"at issue {format_amount(issued.body.value)} was fixed",
    }


def check_redeemed_value(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-VALUE: a chip must be redeemed at the value it was issued at."""
    duty, body = _chips_duty(context), context.body
    if duty is None or body.issued_at != context.table:
        return
    issued = _values_of_chips(context.history, _chip_holder(context.event), body.colour, context.event_time)
    if issued and body.value not in [each.body.value for each in issued]:
        yield context.draft(
            CHIPS_VALUE,
            what=_chip_label(context),
            **_miscounted_words(body.value, issued[-1]),
            clause=duty.marker_above_minimum_clause,
            evidence=issued,
        )


def _wagers_with_chips(context: RoundContext) -> list[tuple[Wager, ColourValue]]:
    return [
        (wager, wager.chips) for wager in context.round.wagers if wager.chips is not None and wager.verdict != "refused"
    ]


def check_wagered_chip_value(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """CHIPS-VALUE: a wagered chip must count what it was issued at. Chips without a recorded issue are not checked,
    because their value is unknown."""
    duty = context.pack.duties.colour_chips
    for wager, counted in _wagers_with_chips(context) if duty is not None else ():
        issued = _values_of_chips(history, wager_holder(wager), counted.colour, wager.placed_at)
        is_own = counted.issued_at in (None, context.table)
        if duty is not None and is_own and issued and counted.value not in [each.body.value for each in issued]:
            yield round_history_draft(
                context,
                CHIPS_VALUE,
                what=f"{counted.colour.capitalize()} in wager {wager.id}",
                wager=wager.id,
                **_miscounted_words(counted.value, issued[-1]),
                evidence=[each.index for each in issued],
                clause=duty.marker_above_minimum_clause,
            )


# --- Colour and table -----------------------------------------------------------------------------------------------


def check_colour(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-COLOUR (`duties.colour_chips`): one colour for two players, or several colours for one, without consent."""
    duty, body, pack = _chips_duty(context), context.body, context.pack
    if duty is None or pack is None:
        return
    holder, agreement = _chip_holder(context.event), duty.same_colour_needs_agreement_clause
    mine = _chips_out(context, lambda each: _chip_holder(each) == holder and each.body.colour != body.colour)
    theirs = _chips_out(context, lambda each: _chip_holder(each) != holder and each.body.colour == body.colour)
    wrong = list(_second_colour_breaches(context, duty, pack, mine)) if mine else []
    if theirs and agreement is not None and not body.agreed:
        wrong.append((f"{_chip_holder(theirs[-1])} held that colour", "whoever holds it must agree", agreement))
    if wrong:
        found, required, clause = wrong[0]
        yield context.draft(
            CHIPS_COLOUR,
            what=_chip_label(context),
            found=found,
            required=required,
            clause=clause,
            evidence=[*mine, *theirs],
        )


def _second_colour_breaches(
    context: EventContext, duty: engine_pack.ColourChips, pack: Pack, mine: list[EventAt]
) -> Iterator[tuple[str, str, str]]:
    body, clause = context.body, duty.several_colours_clause
    allowed_by = body.approved_by.position if body.approved_by else None
    if allowed_by not in positions_for_role(pack, duty.several_colours_by):
        found = f"a further colour beside {mine[-1].body.colour}"
        yield found, f"it needs the leave of the {duty.several_colours_by}", clause
    elif body.value != mine[-1].body.value:
        yield (
            f"at {format_amount(body.value)} a chip",
            f"the other colour is worth {format_amount(mine[-1].body.value)}",
            clause,
        )


def check_wagered_at_own_table(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """CHIPS-ELSEWHERE (`duties.colour_chips`): chips are wagered only at the table that issued them."""
    duty = context.pack.duties.colour_chips
    for wager, counted in _wagers_with_chips(context) if duty is not None else ():
        if duty is not None and counted.issued_at not in (None, context.table):
            yield round_history_draft(
                context,
                CHIPS_ELSEWHERE,
                what=f"{counted.colour.capitalize()} in wager {wager.id}",
                wager=wager.id,
                found=context.table,
                required=counted.issued_at or "",
                clause=duty.only_at_table_clause,
            )


# --- Redemption -----------------------------------------------------------------------------------------------------


def check_redemption(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-REDEEMED (`duties.colour_chips`): redeemed at another table, or not for their value."""
    duty, body = _chips_duty(context), context.body
    if duty is None:
        return
    wrong, evidence = [], []
    if body.issued_at != context.table:
        moved = _last_opened_or_closed(context, body.issued_at)
        is_closed = body.issuer_closed if moved is None else moved.kind == entry_kinds.TABLE_CLOSED
        if not (duty.elsewhere_if_closed and is_closed):
            was_open = " and was open" if moved is not None and not is_closed else ""
            wrong.append((f"at {context.table}", f"{body.issued_at} issued it{was_open}"))
            evidence = [moved] if moved is not None else []
    if body.paid != body.chips * body.value:
        wrong.append((f"for {format_amount(body.paid)}", f"{format_amount(body.chips * body.value)} was due"))
    if wrong:
        yield context.draft(
            CHIPS_REDEEMED,
            what=_chip_label(context),
            found=" and ".join(found for found, _ in wrong),
            required=" and ".join(required for _, required in wrong),
            clause=duty.redeemed_clause,
            required_cents=body.chips * body.value,
            found_cents=body.paid,
            evidence=evidence,
        )


def check_redeemed_count(context: EventContext) -> Iterator[FindingDraft]:
    """FEED-CHIPS-COUNT: a table redeemed more of its chips of a colour than it had issued and players can have won.
    Chips without a recorded issue are not counted."""
    body, own = context.body, [each for each in context.history.events if each.body.colour == context.body.colour]
    issued, still_out = [each for each in own if each.kind == entry_kinds.CHIPS_ISSUED], 0
    for each in own:
        if each.kind == entry_kinds.CHIPS_ISSUED:
            still_out += each.body.chips
        elif each.body.issued_at == context.table:
            # What was redeemed beyond that had been won, or issued before the history begins.
            still_out = max(still_out - each.body.chips, 0)
    if not issued or body.issued_at != context.table or body.chips <= still_out:
        return
    won = _won_chips(context, issued)
    if body.chips > still_out + won:
        yield context.draft(
            FEED_CHIPS_COUNT,
            what=_chip_label(context),
            found=f"{body.chips} chips",
            required=f"{still_out} were out, and at most {won} can have been won",
            evidence=issued,
        )


def _won_chips(context: EventContext, issued: Sequence[EventAt]) -> int:
    """The most chips of the colour that can have been paid out since the first issue: for wagers with that colour, and
    for other wagers of its holders, unless they were paid in something else."""
    holders, colour = {_chip_holder(each) for each in issued}, issued[0].body.colour
    least = min(each.body.value for each in issued)
    won = sum(
        max((wager.returned or 0) - wager.stake, 0)
        for played in _rounds_since(context, issued[0].at)
        for wager in played.wagers
        if wager.paid_in in (None, "colour-checks")
        and (wager_holder(wager) in holders or (wager.chips is not None and wager.chips.colour == colour))
    )
    return int(won // least)


def _last_opened_or_closed(context: EventContext, table: str) -> EventAt | None:
    """The last opening or closing of another table before this entry; None where the log has none."""
    return next((each for each in reversed(context.history.events) if each.table == table), None)


def check_voucher(context: EventContext) -> Iterator[FindingDraft]:
    """VOUCHER-VALUE (`duties.voucher`): not exchanged at its value, or although its conditions were not met."""
    duty, body = (context.pack.duties.voucher if context.pack else None), context.body
    if duty is None:
        return
    if body.tokens != body.value or body.conditions_met is False:
        unmet = ", though its conditions were not met" if body.conditions_met is False else ""
        yield context.draft(
            VOUCHER_VALUE,
            what=f"Voucher {body.voucher}",
            found=f"{format_amount(body.tokens)}{unmet}",
            required=format_amount(body.value),
            clause=duty.clause,
            required_cents=body.value,
            found_cents=body.tokens,
        )


CHIP_KINDS = frozenset({entry_kinds.CHIPS_ISSUED, entry_kinds.CHIPS_REDEEMED})
TABLE_KINDS = frozenset({entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED})
SINCE_OPENING_LOOK_BACK = LookBack(CHIP_KINDS | TABLE_KINDS)
# Lost chips are counted in the rounds since they were issued.
CHIPS_OUT_LOOK_BACK = LookBack(CHIP_KINDS | TABLE_KINDS | {entry_kinds.ROUND})
# Chips may be kept for some days before they are redeemed.
CHIP_COUNT_LOOK_BACK = LookBack(CHIP_KINDS | {entry_kinds.ROUND}, timedelta(days=7))
OTHER_TABLES_LOOK_BACK = LookBack(TABLE_KINDS, timedelta(days=7), is_casino_wide=True)
CHECKS = (
    TimelineCheck(
        frozenset({CHIPS_VALUE}), frozenset({entry_kinds.CHIPS_ISSUED}), check_issued_value, CHIPS_OUT_LOOK_BACK
    ),
    TimelineCheck(
        frozenset({CHIPS_VALUE}), frozenset({entry_kinds.CHIPS_REDEEMED}), check_redeemed_value, SINCE_OPENING_LOOK_BACK
    ),
    TimelineCheck(frozenset({CHIPS_COLOUR}), frozenset({entry_kinds.CHIPS_ISSUED}), check_colour, CHIPS_OUT_LOOK_BACK),
    TimelineCheck(
        frozenset({CHIPS_REDEEMED}), frozenset({entry_kinds.CHIPS_REDEEMED}), check_redemption, OTHER_TABLES_LOOK_BACK
    ),
    TimelineCheck(
        frozenset({FEED_CHIPS_COUNT}),
        frozenset({entry_kinds.CHIPS_REDEEMED}),
        check_redeemed_count,
        CHIP_COUNT_LOOK_BACK,
    ),
    TimelineCheck(frozenset({VOUCHER_VALUE}), frozenset({entry_kinds.VOUCHER_EXCHANGED}), check_voucher, LookBack()),
)
ROUND_CHECKS = (
    RoundHistoryCheck(frozenset({CHIPS_VALUE}), check_wagered_chip_value, SINCE_OPENING_LOOK_BACK),
    RoundHistoryCheck(frozenset({CHIPS_ELSEWHERE}), check_wagered_at_own_table, LookBack()),
)
