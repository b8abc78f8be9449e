"""Chips without a denomination, and vouchers: their value, whose colour it is, where and for how much they go back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compliance.audit.checks.people import means
from compliance.audit.checks.ways_in import OverTime, RoundOverTime
from compliance.audit.drafts import Draft, amount, over_time
from compliance.audit.packing import chips_checksum
from compliance.audit.seen import RoundSeen, holder_of
from compliance.audit.stories import Happened, Looks, Story, Subject
from rounds.engine.duties import ColourChips
from rounds.engine.packs import Pack

ISSUED, REDEEMED, EXCHANGED = "chips-issued", "chips-redeemed", "voucher-exchanged"
OPENED, CLOSED = "table-opened", "table-closed"


def _duty(subject: Subject) -> ColourChips | None:
    return subject.pack.duties.colour_chips if subject.pack else None


def _words(subject: Subject) -> str:
    body = subject.body
    return f"{body.colour.capitalize()} of set {body.set}"


def _holder(each: Happened) -> str:
    return each.body.player or f"seat {each.body.seat}"


def known_values(happened: Sequence[Happened]) -> set[int]:
    """As the columns of wagers have them: every value at which chips were issued."""
    issued = [each for each in happened if each.kind == ISSUED]
    return {chips_checksum(_holder(each), each.body.colour, each.body.value) for each in issued}


def held(subject: Subject) -> list[Happened]:
    """What was issued since the table opened and not handed back since, the latest last."""
    there: dict[tuple[str, str], Happened] = {}
    for each in subject.story.since(OPENED, CLOSED):
        place = (_holder(each), each.body.colour) if each.kind in (ISSUED, REDEEMED) else None
        if place is not None and each.kind == ISSUED:
            there[place] = each
        elif place is not None:
            there.pop(place, None)
    return list(there.values())


def judge_value(subject: Subject) -> Iterator[Draft]:
    """Above the minimum, a marker says what a chip is worth."""
    duty, body = _duty(subject), subject.body
    minimum = subject.circumstances.limits.minimum_cents if subject.circumstances else None
    if duty is None or minimum is None or body.value <= minimum:
        return
    if body.marker != body.value:
        marker = f"under a marker of {amount(body.marker)}" if body.marker is not None else "without a marker"
        yield subject.draft(
            "CHIPS-VALUE", what=_words(subject), found=f"{amount(body.value)} {marker}",
            required=f"{amount(body.value)} with its marker", clause=duty.marker_above_minimum_clause,
        )  # fmt: skip


def judge_colour(subject: Subject) -> Iterator[Draft]:
    duty, body, pack = _duty(subject), subject.body, subject.pack
    if duty is None or pack is None:
        return
    me = _holder(subject.happened)
    mine = [each for each in held(subject) if _holder(each) == me and each.body.colour != body.colour]
    theirs = [each for each in held(subject) if _holder(each) != me and each.body.colour == body.colour]
    wrong = list(_second_colour(subject, duty, pack, mine)) if mine else []
    agreement = duty.same_colour_needs_agreement_clause
    if theirs and agreement is not None and not body.agreed:
        wrong.append((f"{_holder(theirs[-1])} held that colour", "whoever holds it must agree", agreement))
    if wrong:
        found, required, clause = wrong[0]
        yield subject.draft(
            "CHIPS-COLOUR", what=_words(subject), found=found, required=required, clause=clause,
            evidence=[*mine, *theirs],
        )  # fmt: skip


def _second_colour(
    subject: Subject, duty: ColourChips, pack: Pack, mine: list[Happened]
) -> Iterator[tuple[str, str, str]]:
    body, clause = subject.body, duty.several_colours_clause
    allowed_by = body.approved_by.position if body.approved_by else None
    if allowed_by not in means(pack, duty.several_colours_by):
        found = f"a further colour beside {mine[-1].body.colour}"
        yield found, f"it needs the leave of the {duty.several_colours_by}", clause
    elif body.value != mine[-1].body.value:
        yield f"at {amount(body.value)} a chip", f"the other colour is worth {amount(mine[-1].body.value)}", clause


def judge_redeemed(subject: Subject) -> Iterator[Draft]:
    duty, body = _duty(subject), subject.body
    if duty is None:
        return
    wrong = []
    if body.issued_at != subject.table and not (duty.elsewhere_if_closed and body.issuer_closed):
        wrong.append((f"at {subject.table}", f"{body.issued_at} issued it"))
    if body.paid != body.chips * body.value:
        wrong.append((f"for {amount(body.paid)}", f"{amount(body.chips * body.value)} was due"))
    if wrong:
        found, required = wrong[0]
        yield subject.draft(
            "CHIPS-REDEEMED", what=_words(subject), found=found, required=required, clause=duty.redeemed_clause,
            required_cents=body.chips * body.value, found_cents=body.paid,
        )  # fmt: skip


def judge_value_at_issue(subject: Subject) -> Iterator[Draft]:
    """A chip is worth at the end what it was worth when it was issued."""
    duty, body = _duty(subject), subject.body
    issued = [each for each in subject.story.since(OPENED, CLOSED) if each.kind == ISSUED
              and (_holder(each), each.body.colour) == (_holder(subject.happened), body.colour)]  # fmt: skip
    if duty is None or not issued or body.issued_at != subject.table or body.value == issued[-1].body.value:
        return
    yield subject.draft(
        "CHIPS-VALUE", what=_words(subject), found=amount(body.value), required=amount(issued[-1].body.value),
        clause=duty.marker_above_minimum_clause, evidence=issued[-1:],
    )  # fmt: skip


def judge_wagers(seen: RoundSeen, story: Story) -> Iterator[Draft]:
    """In play, too, a chip counts what it was worth when it was issued. Chips of which no issue is on record are not
    judged: nobody said what they are worth."""
    duty = seen.pack.duties.colour_chips
    chips = [(wager, wager.chips) for wager in seen.round.wagers if wager.chips is not None]
    for wager, counted in chips if duty is not None else ():
        issued = [each for each in story.since(OPENED, CLOSED) if each.kind == ISSUED and each.at <= wager.placed_at
                  and (_holder(each), each.body.colour) == (holder_of(wager), counted.colour)]  # fmt: skip
        if duty is not None and issued and issued[-1].body.value != counted.value and wager.verdict != "refused":
            yield over_time(
                seen, "CHIPS-VALUE", what=f"{counted.colour.capitalize()} in wager {wager.id}", wager=wager.id,
                found=amount(counted.value), required=amount(issued[-1].body.value), evidence=[issued[-1].index],
                clause=duty.marker_above_minimum_clause,
            )  # fmt: skip


def judge_voucher(subject: Subject) -> Iterator[Draft]:
    duty, body = (subject.pack.duties.voucher if subject.pack else None), subject.body
    if duty is None:
        return
    if body.tokens != body.value or body.conditions_met is False:
        unmet = ", though its conditions were not met" if body.conditions_met is False else ""
        yield subject.draft(
            "VOUCHER-VALUE", what=f"Voucher {body.voucher}", found=f"{amount(body.tokens)}{unmet}",
            required=amount(body.value), clause=duty.clause, required_cents=body.value, found_cents=body.tokens,
        )  # fmt: skip


SINCE_OPENING = Looks(frozenset({ISSUED, REDEEMED, OPENED, CLOSED}))
CHECKS = (
    OverTime(frozenset({"CHIPS-VALUE"}), frozenset({ISSUED}), judge_value, Looks()),
    OverTime(frozenset({"CHIPS-VALUE"}), frozenset({REDEEMED}), judge_value_at_issue, SINCE_OPENING),
    OverTime(frozenset({"CHIPS-COLOUR"}), frozenset({ISSUED}), judge_colour, SINCE_OPENING),
    OverTime(frozenset({"CHIPS-REDEEMED"}), frozenset({REDEEMED}), judge_redeemed, Looks()),
    OverTime(frozenset({"VOUCHER-VALUE"}), frozenset({EXCHANGED}), judge_voucher, Looks()),
)
ROUND_CHECKS = (RoundOverTime(frozenset({"CHIPS-VALUE"}), judge_wagers, SINCE_OPENING),)
