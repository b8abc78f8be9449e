"""Checks of how prizes are awarded: draws, winners and payments, compared with the terms as filed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from compliance.audit.catalogue import record_codes as codes
from compliance.audit.checks.timeline.promotion_context import (
    PromotionContext,
    prohibited_prize_drafts,
    promotion_check,
)
from compliance.audit.context.entry_source import FileEntry
from compliance.audit.context.finding_draft import FindingDraft, format_amount
from promotions.claims.entry_kinds import PAID
from promotions.claims.models import HandoverType
from promotions.draws.entry_kinds import HELD, WINNER
from promotions.draws.filed_terms import differences
from promotions.terms.content.prize_rules import needs_scrutineer
from promotions.terms.content.terms import PRIZES, Prize, Terms


def check_scrutineer(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-SCRUTINEER (`duties.promotions.scrutineer`): no confirmed scrutineer although the most valuable prize
    needed one."""
    particulars = context.body["particulars"]
    if particulars["scrutineer"] and particulars["scrutineer_confirmed"]:
        return
    prizes = context.terms_at(context.read_promotion(), datetime.fromisoformat(context.body["happened_at"])).prizes
    if needs_scrutineer(prizes, context.duties):
        duty = context.duties.scrutineer
        largest = max(prize.value_cents for prize in prizes)
        yield context.draft(
            codes.PROMO_SCRUTINEER,
            clause=duty.clause,
            what=_draw_label(context),
            found=format_amount(largest),
            required=format_amount(duty.over_cents),
        )


def _draw_label(context: PromotionContext) -> str:
    return f"P-{context.body['promotion']}, draw {context.body['draw']}"


def check_draw(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-DRAW-POSTPONED (`duties.promotions.integrity`) and PROMO-DRAW-NOT-AS-FILED (`duties.promotions.terms`), at
    a draw that was held."""
    body, promotion = context.body, context.read_promotion()
    held_at, recorded_at = (datetime.fromisoformat(body[name]) for name in ("happened_at", "recorded_at"))
    if postponed_at := promotion.postponed_at(body["draw"], held_at, recorded_at):
        yield context.draft(
            codes.PROMO_DRAW_POSTPONED,
            clause=context.duties.integrity.clause,
            what=_draw_label(context),
            found=context.format_time(held_at),
            required=context.format_time(postponed_at),
        )
    found = list(
        differences(
            context.terms_at(promotion, held_at),
            held_at,
            body["particulars"]["entries"],
            rescheduled_at=promotion.rescheduled_at(body["draw"], recorded_at),
            was_postponed=promotion.was_postponed(held_at),
        )
    )
    if found:
        filed = (each.filed if isinstance(each.filed, str) else context.format_time(each.filed) for each in found)
        clauses = [context.terms_clause(each.item) for each in found]
        yield context.draft(
            codes.PROMO_DRAW_NOT_AS_FILED,
            clause=clauses[0],
            what=f"{_draw_label(context)}, was held on {context.format_time(held_at)}",
            found=" and ".join(each.found for each in found),
            required="; ".join(f"{words} ({clause})" for words, clause in zip(filed, clauses, strict=True)),
        )


def check_winner(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-PRIZE-TWICE and PROMO-ENTRY-TWICE (`duties.promotions.terms`): more winners than prizes, or an entry that
    won before."""
    promotion, winner, body = context.read_promotion(), context.entry, context.body
    drawn_at = promotion.drawn_at(body["draw"]) or context.subject.event_time
    terms, reference = context.terms_at(promotion, drawn_at), promotion.reference(winner)
    others = promotion.winners_of_prize(winner)
    yield from _prize_count_draft(context, terms, body["prize"], f"{reference} won", others)
    if repeated := promotion.same_entry_winners(winner, terms):
        yield context.draft(
            codes.PROMO_ENTRY_TWICE,
            clause=context.terms_clause("manner-of-award"),
            what=f"Entry {body['entry_drawn']}",
            found=f"{reference} ({body['prize']})",
            required=", ".join(f"{promotion.reference(each)} ({each.content['prize']})" for each in repeated),
            evidence=[each.index for each in repeated],
        )


def _prize_count_draft(
    context: PromotionContext, terms: Terms, name: str, what: str, others: Sequence[FileEntry]
) -> Iterator[FindingDraft]:
    """Nothing where no terms are on record. `others` had the prize before."""
    prize, count = terms.prize_named(name), len(others) + 1
    if not terms.prizes or (prize and count <= prize.quantity):
        return
    yield context.draft(
        codes.PROMO_PRIZE_TWICE,
        clause=context.terms_clause(PRIZES),
        what=f"{what} “{name}”",
        found=str(count),
        required=str(prize.quantity) if prize else "none",
        evidence=[each.index for each in others],
    )


def check_payment(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-PRIZE-AMOUNT, PROMO-CASH-CHOICE, PROMO-CASH-ALTERNATIVE, PROMO-PRIZE-TWICE and PROMO-PROHIBITED, at the
    payment of a prize."""
    body, promotion = context.body, context.read_promotion()
    claim = promotion.claim(body["claim"])
    if claim is None:
        return
    paid_at, name, claimed_cents = (
        context.entry.required_instant("paid_at"),
        claim.content["prize"],
        claim.content["value_cents"],
    )
    terms = context.terms_at(promotion, paid_at)
    prize = terms.prize_named(name)
    what = f"Claim C-{body['claim']} ({name})"
    is_cash_prize = prize.is_cash if prize else body["form"] == HandoverType.CASH
    if is_cash_prize:
        yield from _cash_prize_drafts(context, what, prize.value_cents if prize else claimed_cents)
    elif body["form"] != HandoverType.AS_DESCRIBED or body["paid"]:
        yield from _cash_alternative_draft(context, what, prize.cash_alternative_cents if prize else None)
    earlier = promotion.earlier_payments(context.entry, name)
    yield from _prize_count_draft(context, terms, name, f"C-{body['claim']} was paid", earlier)
    handed = Prize(
        name=name,
        type=prize.type if prize else "goods",
        value_cents=claimed_cents,
        includes=tuple(body["includes"]),
        liquor_ml=body["liquor_ml"],
    )
    yield from prohibited_prize_drafts(context, what, [handed], paid_at)


def _cash_prize_drafts(context: PromotionContext, what: str, due_cents: int) -> Iterator[FindingDraft]:
    """The amount is that of the prize in the terms, not that of the claim, which somebody typed."""
    choice, chosen, paid = context.duties.cash_choice, context.body["chosen"], context.body["paid"]
    is_chosen, paid_cents = due_cents > choice.over_cents, sum(paid.values())
    if is_chosen and chosen != paid:
        yield context.draft(
            codes.PROMO_CASH_CHOICE,
            clause=choice.clause,
            what=f"{what[0].lower()}{what[1:]} was paid as {_parts_label(paid)}, "
            f"and the winner chose {_parts_label(chosen)}",
            found=format_amount(due_cents),
            required=format_amount(choice.over_cents),
        )
    if paid_cents != due_cents:
        yield context.draft(
            codes.PROMO_PRIZE_AMOUNT,
            clause=choice.clause if is_chosen else context.terms_clause(PRIZES),
            what=what,
            found=format_amount(paid_cents),
            required=format_amount(due_cents),
            found_cents=paid_cents,
            required_cents=due_cents,
        )


def _cash_alternative_draft(context: PromotionContext, what: str, stated: int | None) -> Iterator[FindingDraft]:
    paid_cents = sum(context.body["paid"].values())
    if stated != paid_cents:
        yield context.draft(
            codes.PROMO_CASH_ALTERNATIVE,
            clause=context.duties.cash_alternative.clause,
            what=what,
            found=format_amount(paid_cents),
            required=f"they state {format_amount(stated)}",
        )


def _parts_label(parts: dict[str, int]) -> str:
    words = [f"{method.replace('-', ' ')} {format_amount(cents)}" for method, cents in sorted(parts.items())]
    return " and ".join(words) or "nothing that is recorded"


CHECKS = (
    promotion_check(HELD, check_scrutineer, codes.PROMO_SCRUTINEER),
    promotion_check(HELD, check_draw, codes.PROMO_DRAW_POSTPONED, codes.PROMO_DRAW_NOT_AS_FILED),
    promotion_check(WINNER, check_winner, codes.PROMO_PRIZE_TWICE, codes.PROMO_ENTRY_TWICE),
    promotion_check(
        PAID,
        check_payment,
        codes.PROMO_CASH_CHOICE,
        codes.PROMO_PRIZE_AMOUNT,
        codes.PROMO_CASH_ALTERNATIVE,
        codes.PROMO_PRIZE_TWICE,
        codes.PROMO_PROHIBITED,
    ),
)
