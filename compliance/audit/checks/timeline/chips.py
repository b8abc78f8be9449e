"""Chips without a denomination, and vouchers: value, colour, redemption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compliance.audit.catalogue.table_codes import CHIPS_COLOUR, CHIPS_REDEEMED, CHIPS_VALUE, VOUCHER_VALUE
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.shared.roles import positions_for_role
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from rounds.engine import Pack, wager_holder
from rounds.engine import pack as engine_pack
from rounds.intake import entry_kinds
from rounds.intake.columns.round_encoding import chips_checksum


def _chips_duty(context: EventContext) -> engine_pack.ColourChips | None:
    return context.pack.duties.colour_chips if context.pack else None


def _chip_label(context: EventContext) -> str:
    body = context.body
    return f"{body.colour.capitalize()} of set {body.set}"


def _chip_holder(each: EventAt) -> str:
    return each.body.player or f"seat {each.body.seat}"


def issued_chip_checksums(events: Sequence[EventAt]) -> set[int]:
    """Every value at which chips were issued, as checksums like those in the wager columns. Screening compares them."""
    issued = [each for each in events if each.kind == entry_kinds.CHIPS_ISSUED]
    return {chips_checksum(_chip_holder(each), each.body.colour, each.body.value) for each in issued}


def chips_in_play(context: EventContext) -> list[EventAt]:
    """Chips issued since the table opened and not redeemed since, in order of issue."""
    in_play: dict[tuple[str, str], EventAt] = {}
    for each in context.history.events_since_last(entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED):
        key = (
            (_chip_holder(each), each.body.colour)
            if each.kind in (entry_kinds.CHIPS_ISSUED, entry_kinds.CHIPS_REDEEMED)
            else None
        )
        if key is not None and each.kind == entry_kinds.CHIPS_ISSUED:
            in_play[key] = each
        elif key is not None:
            in_play.pop(key, None)
    return list(in_play.values())


def check_value_marker(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-VALUE (`duties.colour_chips`): above the table's minimum, a marker must show what a chip is worth."""
    duty, body = _chips_duty(context), context.body
    minimum = context.rules_in_force.limits.minimum_cents if context.rules_in_force else None
    if duty is None or minimum is None or body.value <= minimum:
        return
    if body.marker != body.value:
        marker = f"under a marker of {format_amount(body.marker)}" if body.marker is not None else "without a marker"
        yield context.draft(
            CHIPS_VALUE,
            what=_chip_label(context),
            found=f"{format_amount(body.value)} {marker}",
            required=f"{format_amount(body.value)} with its marker",
            clause=duty.marker_above_minimum_clause,
        )


def check_colour(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-COLOUR (`duties.colour_chips`): one colour for two players, or several colours for one, without consent."""
    duty, body, pack = _chips_duty(context), context.body, context.pack
    if duty is None or pack is None:
        return
    holder = _chip_holder(context.event)
    mine = [each for each in chips_in_play(context) if _chip_holder(each) == holder and each.body.colour != body.colour]
    theirs = [
        each for each in chips_in_play(context) if _chip_holder(each) != holder and each.body.colour == body.colour
    ]
    wrong = list(_second_colour_breaches(context, duty, pack, mine)) if mine else []
    agreement = duty.same_colour_needs_agreement_clause
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


def check_redemption(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-REDEEMED (`duties.colour_chips`): redeemed at another table, or not for their value."""
    duty, body = _chips_duty(context), context.body
    if duty is None:
        return
    wrong = []
    if body.issued_at != context.table and not (duty.elsewhere_if_closed and body.issuer_closed):
        wrong.append((f"at {context.table}", f"{body.issued_at} issued it"))
    if body.paid != body.chips * body.value:
        wrong.append((f"for {format_amount(body.paid)}", f"{format_amount(body.chips * body.value)} was due"))
    if wrong:
        found, required = wrong[0]
        yield context.draft(
            CHIPS_REDEEMED,
            what=_chip_label(context),
            found=found,
            required=required,
            clause=duty.redeemed_clause,
            required_cents=body.chips * body.value,
            found_cents=body.paid,
        )


def check_redeemed_value(context: EventContext) -> Iterator[FindingDraft]:
    """CHIPS-VALUE: a chip must be redeemed at the value it was issued at."""
    duty, body = _chips_duty(context), context.body
    issued = [
        each
        for each in context.history.events_since_last(entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED)
        if each.kind == entry_kinds.CHIPS_ISSUED
        and (_chip_holder(each), each.body.colour) == (_chip_holder(context.event), body.colour)
    ]
    if duty is None or not issued or body.issued_at != context.table or body.value == issued[-1].body.value:
        return
    yield context.draft(
        CHIPS_VALUE,
        what=_chip_label(context),
        found=format_amount(body.value),
        required=format_amount(issued[-1].body.value),
        clause=duty.marker_above_minimum_clause,
        evidence=issued[-1:],
    )


def check_wagered_chip_value(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """CHIPS-VALUE: a wagered chip must count what it was issued at. Chips without a recorded issue are not checked,
    because their value is unknown."""
    duty = context.pack.duties.colour_chips
    chips = [(wager, wager.chips) for wager in context.round.wagers if wager.chips is not None]
    for wager, counted in chips if duty is not None else ():
        issued = [
            each
            for each in history.events_since_last(entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED)
            if each.kind == entry_kinds.CHIPS_ISSUED
            and each.at <= wager.placed_at
            and (_chip_holder(each), each.body.colour) == (wager_holder(wager), counted.colour)
        ]
        if duty is not None and issued and issued[-1].body.value != counted.value and wager.verdict != "refused":
            yield round_history_draft(
                context,
                CHIPS_VALUE,
                what=f"{counted.colour.capitalize()} in wager {wager.id}",
                wager=wager.id,
                found=format_amount(counted.value),
                required=format_amount(issued[-1].body.value),
                evidence=[issued[-1].index],
                clause=duty.marker_above_minimum_clause,
            )


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


SINCE_OPENING_LOOK_BACK = LookBack(
    frozenset(
        {entry_kinds.CHIPS_ISSUED, entry_kinds.CHIPS_REDEEMED, entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED}
    )
)
CHECKS = (
    TimelineCheck(frozenset({CHIPS_VALUE}), frozenset({entry_kinds.CHIPS_ISSUED}), check_value_marker, LookBack()),
    TimelineCheck(
        frozenset({CHIPS_VALUE}), frozenset({entry_kinds.CHIPS_REDEEMED}), check_redeemed_value, SINCE_OPENING_LOOK_BACK
    ),
    TimelineCheck(
        frozenset({CHIPS_COLOUR}), frozenset({entry_kinds.CHIPS_ISSUED}), check_colour, SINCE_OPENING_LOOK_BACK
    ),
    TimelineCheck(frozenset({CHIPS_REDEEMED}), frozenset({entry_kinds.CHIPS_REDEEMED}), check_redemption, LookBack()),
    TimelineCheck(frozenset({VOUCHER_VALUE}), frozenset({entry_kinds.VOUCHER_EXCHANGED}), check_voucher, LookBack()),
)
ROUND_CHECKS = (RoundHistoryCheck(frozenset({CHIPS_VALUE}), check_wagered_chip_value, SINCE_OPENING_LOOK_BACK),)
