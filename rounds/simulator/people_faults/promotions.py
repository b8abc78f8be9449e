"""Injectors: promotions not filed, drawn, paid or explained as the rules require, with cases at each threshold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from promotions.claims.models import Claim, HandoverType
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_reasons_told
from promotions.demo import demo_answers
from promotions.draws.filed_terms import HELD_WITHIN
from promotions.draws.models import Draw, DrawStep, Winner
from promotions.draws.services import (
    hold_draw,
    record_attempt,
    record_winner,
    schedule_draw,
    stop_draw,
    validate_draw,
)
from promotions.draws.states import DrawAct
from promotions.shared.duties import promotion_rules_at
from promotions.terms.content.terms import Prize, Terms
from promotions.terms.models import Draft, TermsVersion
from promotions.terms.services import add_prescribed_item, begin_draft, file_terms, record_material, request_amendment
from rounds.engine import Pack, Promotions, pack
from rounds.simulator.faults.injector import NoRoomForFault
from rounds.simulator.people_faults.record_injector import CasinoRecords, register_record_injector

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
DINNER = Prize(name="Dinner", type="goods", value_cents=9_000)
DRAW_DETAILS: Mapping[str, Any] = {"place": "The stage", "method": "Barrel"}
DRAWN_AFTER = 8 * DAY
# At least two working days, wherever the weekend falls.
MUCH_LATER = 6 * DAY
PLACE_AND_TIMES, PRIZES = "place-date-and-time-of-promotion", "prizes-and-values"


def _has_promotions(pack: Pack) -> bool:
    return pack.duties.promotions is not None


def _promotion_start(house: CasinoRecords) -> datetime:
    """Twenty days ago: the promotion and all its deadlines are over."""
    starts_at = house.now - 20 * DAY
    if promotion_rules_at(house.casino, starts_at - 5 * DAY) is None:
        raise NoRoomForFault
    return starts_at


def _promotion_duties(house: CasinoRecords) -> Promotions:
    assert house.pack.duties.promotions is not None
    return house.pack.duties.promotions


def _marketer(house: CasinoRecords) -> User:
    return house.person_in_role(Role.MARKETING, Role.COMPLIANCE_OFFICER)


def _draft_terms(house: CasinoRecords, answers: Mapping[str, Any], now: datetime, **of: Any) -> Draft:
    draft = begin_draft(casino=house.casino, actor=_marketer(house), now=now, **of)
    draft.answers = dict(answers)
    draft.save(update_fields=["answers"])
    return draft


def _file_terms(house: CasinoRecords, *prizes: Prize, before: timedelta = 5 * DAY, without: str = "") -> TermsVersion:
    """Complete terms, less the answer named by `without`, or less its place where a promotion needs its times."""
    starts_at = _promotion_start(house)
    answers = dict(
        Terms(demo_answers("Planted", starts_at, drawn_after=DRAWN_AFTER)).with_prizes(prizes or (DINNER,)).answers
    )
    answer = answers.pop(without, None)
    if without == PLACE_AND_TIMES:
        answers[without] = {**answer, "place": ""}
    now = starts_at - before
    return file_terms(draft=_draft_terms(house, answers, now), actor=_marketer(house), now=now)


def _schedule_draw(house: CasinoRecords, prize: Prize = DINNER) -> Draw:
    filed = _file_terms(house, prize)
    at, by = filed.starts_at + DRAWN_AFTER, _marketer(house)
    return schedule_draw(promotion=filed.promotion, scheduled_at=at, actor=by, now=filed.starts_at, **DRAW_DETAILS)


def _hold_draw(draw: Draw, house: CasinoRecords, *, after: timedelta = timedelta(), entries: int = 9) -> DrawStep:
    at = draw.scheduled_at + after
    return hold_draw(
        draw=draw,
        held_at=at,
        entries=entries,
        result="Ticket 4",
        scrutineer="",
        is_confirmed=False,
        actor=_marketer(house),
        now=at,
        **DRAW_DETAILS,
    )


def _record_winner(house: CasinoRecords, draw: Draw, ticket: str = "4") -> Winner:
    winner = record_winner(
        draw=draw,
        prize=DINNER.name,
        value_cents=DINNER.value_cents,
        entry_drawn=ticket,
        person={},
        actor=_marketer(house),
        now=draw.scheduled_at,
    )
    return Winner.objects.select_related("draw__promotion__casino").get(pk=winner.pk)


def _contact_winner(house: CasinoRecords, winner: Winner, after: timedelta = HOUR, method: str = "telephone") -> None:
    at = winner.at + after
    by = _marketer(house)
    record_attempt(winner=winner, method=method, attempted_at=at, is_reached=True, actor=by, now=at)


def claim_prize(house: CasinoRecords, prize: Prize = DINNER) -> tuple[Claim, datetime]:
    filed = _file_terms(house, prize)
    at = filed.starts_at + 9 * DAY
    claim = record_claim(
        promotion=filed.promotion,
        prize=prize.name,
        value_cents=prize.value_cents,
        claimed_at=at,
        details="",
        actor=_marketer(house),
        now=at,
    )
    return claim, at


def _pay_claim(house: CasinoRecords, prize: Prize, **how: Any) -> tuple[int, datetime]:
    claim, at = claim_prize(house, prize)
    decide_claim(claim=claim, is_met=True, reasons="", actor=_marketer(house), now=at)
    payment = pay_prize(claim=claim, paid_at=at, actor=_marketer(house), now=at, **how)
    return payment.entry_index, at


@register_record_injector("PROMO-FILED-LATE", fits=_has_promotions)
def file_terms_late(house: CasinoRecords) -> None:
    """Terms are filed a second too late before the start; others exactly in time."""
    due = timedelta(hours=_promotion_duties(house).filing.hours_before_commencement)
    for case, off in (("under", -SECOND), ("at", timedelta())):
        filed = _file_terms(house, before=due + off)
        says = f"Terms were filed {due + off} before the start."
        house.record_fault(filed.entry_index, says, at=filed.filed_at, case=case, finding=case == "under")


@register_record_injector("PROMO-INCOMPLETE", fits=_has_promotions)
def omit_required_term(house: CasinoRecords) -> None:
    """Terms lack an item that the rules require, each item once; they were filed when the promotion had begun."""
    for item in _promotion_duties(house).terms:
        filed = _file_terms(house, _prize_without(item), before=-HOUR, without=item.item)
        says = f"The terms did not state {item.item}."
        house.record_fault(filed.entry_index, says, at=filed.filed_at, case=item.item, also=("PROMO-FILED-LATE",))


def _prize_without(item: pack.TermsItem) -> Prize:
    """A prize that lacks what the item requires of prizes; a complete one if it requires nothing of them."""
    if item.details:
        details = dict.fromkeys(item.details[:-1], "1")
        return Prize(name="Prize", type=item.item.removesuffix("-details"), value_cents=9_000, details=details)
    return replace(DINNER, value_cents=0) if item.item == PRIZES else DINNER


@register_record_injector("PROMO-PROHIBITED", fits=_has_promotions)
def offer_prohibited_prize(house: CasinoRecords) -> None:
    """Each prohibited prize is offered, liquor above its limit; liquor at the limit is no breach. And a prize is handed
    over together with tobacco."""
    entry, at = _pay_claim(house, DINNER, form=HandoverType.AS_DESCRIBED, includes=["tobacco"])
    house.record_fault(entry, "A prize was handed over together with tobacco.", at=at)
    for item in _promotion_duties(house).prohibited:
        filed = _file_terms(house, _prohibited_prize(house, item), before=-HOUR)
        says = f"A prize was prohibited: {item.item}."
        house.record_fault(filed.entry_index, says, at=filed.filed_at, case=item.item, also=("PROMO-FILED-LATE",))
        if item.over_litres is not None:
            filed = _file_terms(house, replace(DINNER, liquor_ml=item.over_litres * 1_000))
            says = f"A prize had {item.over_litres} litres of liquor."
            house.record_fault(filed.entry_index, says, at=filed.filed_at, case="at", finding=False)


def _prohibited_prize(house: CasinoRecords, item: pack.ProhibitedPrize) -> Prize:
    """A prize that is prohibited by this item. What the regulations prescribe is put on the casino's list first."""
    if item.over_litres is not None:
        return replace(DINNER, liquor_ml=item.over_litres * 1_000 + 1)
    if item.words:
        return replace(DINNER, includes=(item.item,))
    by, at = house.person_in_role(Role.AUTHORITY_OFFICER), _promotion_start(house) - 10 * DAY
    listed = add_prescribed_item(casino=house.casino, item="Fireworks", basis="A regulation.", actor=by, now=at)
    return replace(DINNER, includes=(f"prescribed:{listed.pk}",))


@register_record_injector("PROMO-PRIZE-WORDS", fits=_has_promotions)
def offer_prize_with_cigars(house: CasinoRecords) -> None:
    """The name of a prize mentions cigars and nobody said whether it includes tobacco; of another somebody did."""
    for is_asked in (False, True):
        free_of = ("tobacco",) if is_asked else ()
        hamper = Prize(name="Hamper with cigars", type="goods", value_cents=9_000, free_of=free_of)
        filed = _file_terms(house, hamper, before=5 * DAY if is_asked else -HOUR)
        case, also = ("clear", ()) if is_asked else ("breach", ("PROMO-FILED-LATE",))
        says = "A hamper with cigars was offered."
        house.record_fault(filed.entry_index, says, at=filed.filed_at, case=case, finding=not is_asked, also=also)


@register_record_injector("PROMO-AMENDED", fits=_has_promotions)
def change_terms_during_promotion(house: CasinoRecords) -> None:
    """Terms are changed and used while the promotion runs; a change that only waits for approval is no breach."""
    for is_used in (True, False):
        filed = _file_terms(house)
        now = filed.starts_at + 2 * DAY
        answers = {**filed.terms.answers, "eligibility": {"text": "Members of the gold tier alone."}}
        draft = _draft_terms(house, answers, now, promotion=filed.promotion)
        asked = request_amendment(
            draft=draft,
            reason="Too many entries.",
            in_use_at=now - DAY if is_used else None,
            actor=_marketer(house),
            now=now,
        )
        says = f"Changed terms {'were used' if is_used else 'waited'} without approval."
        case = "breach" if is_used else "clear"
        house.record_fault(asked.entry_index, says, at=now, case=case, finding=is_used)


@register_record_injector("PROMO-SCRUTINEER", fits=_has_promotions)
def draw_without_scrutineer(house: CasinoRecords) -> None:
    """A prize a cent above the figure is drawn without a scrutineer; another exactly at the figure."""
    figure = _promotion_duties(house).scrutineer.over_cents
    for case, cents in (("over", figure + 1), ("at", figure)):
        held = _hold_draw(_schedule_draw(house, Prize(name="Prize", type="goods", value_cents=cents)), house)
        says = f"A prize of {cents} cents was drawn without a scrutineer."
        house.record_fault(held.entry_index, says, at=held.recorded_at, case=case, finding=case == "over")


@register_record_injector("PROMO-CASH-CHOICE", fits=_has_promotions)
def pay_cash_without_choice(house: CasinoRecords) -> None:
    """Cash a cent above the figure is paid in notes though nobody was asked; exactly at the figure nobody need be."""
    figure = _promotion_duties(house).cash_choice.over_cents
    for case, cents in (("over", figure + 1), ("at", figure)):
        prize = Prize(name="Cash", type="cash", value_cents=cents)
        entry, at = _pay_claim(house, prize, form=HandoverType.CASH, chosen={}, paid={"cash": cents})
        says = f"{cents} cents were paid in cash and the winner had no choice."
        house.record_fault(entry, says, at=at, case=case, finding=case == "over", also=())


@register_record_injector("PROMO-CASH-ALTERNATIVE", fits=_has_promotions)
def pay_wrong_cash_alternative(house: CasinoRecords) -> None:
    """A cash alternative is paid a dollar short of what the terms state; another as they state it."""
    stated = 200_000
    for case, cents in (("under", stated - 100), ("at", stated)):
        bicycle = Prize(name="Bicycle", type="goods", value_cents=250_000, cash_alternative_cents=stated)
        entry, at = _pay_claim(house, bicycle, form=HandoverType.CASH_ALTERNATIVE, paid={"cash": cents})
        says = f"A cash alternative of {cents} cents was paid; the terms state {stated}."
        house.record_fault(entry, says, at=at, case=case, finding=case == "under")


@register_record_injector("PROMO-NOT-REFERENCED", fits=_has_promotions)
def print_poster_without_reference(house: CasinoRecords) -> None:
    """A poster does not say where the terms are."""
    filed = _file_terms(house)
    poster = record_material(
        promotion=filed.promotion,
        medium="poster",
        description="A poster",
        used_from_on=filed.starts_at.date(),
        is_referring=False,
        where="",
        actor=_marketer(house),
        now=filed.starts_at,
    )
    says = "A poster did not say where the terms are."
    house.record_fault(poster.entry_index, says, at=filed.starts_at)


@register_record_injector("PROMO-WINNER-LATE", fits=_has_promotions)
def contact_winner_late(house: CasinoRecords) -> None:
    """Nobody tries to reach a winner until the time is over, whatever the method; another winner is telephoned within
    the hour."""
    late = [(method, MUCH_LATER) for method in _promotion_duties(house).notification.methods]
    for method, after in (*late, ("telephone", HOUR)):
        draw = _schedule_draw(house)
        _hold_draw(draw, house)
        winner, is_late = _record_winner(house, draw), after == MUCH_LATER
        _contact_winner(house, winner, after, method)
        says = f"The winner was first tried by {method} {after} after the draw."
        case = method if is_late else "under"
        house.record_fault(winner.entry_index, says, at=winner.at, case=case, finding=is_late)


@register_record_injector("PROMO-DENIAL-RECORD", fits=_has_promotions)
def deny_claim_without_record(house: CasinoRecords) -> None:
    """A claim a cent above the figure is denied and nobody kept the claimant's name; another exactly at the figure."""
    figure = _promotion_duties(house).denial.record_over_cents
    for case, cents in (("over", figure + 1), ("at", figure)):
        entry, at = _deny_claim(house, cents, told_after=HOUR)
        says = f"A claim of {cents} cents was denied without the claimant's name and address."
        house.record_fault(entry, says, at=at, case=case, finding=case == "over")


@register_record_injector("PROMO-DENIAL-NOT-TOLD", fits=_has_promotions)
def explain_denial_late(house: CasinoRecords) -> None:
    """A claimant is told days later why the claim was denied; another within the hour."""
    for is_late in (True, False):
        entry, at = _deny_claim(house, DINNER.value_cents, told_after=MUCH_LATER if is_late else HOUR)
        says = f"The claimant was told why {'six days' if is_late else 'an hour'} later."
        case = "over" if is_late else "under"
        house.record_fault(entry, says, at=at, case=case, finding=is_late)


def _deny_claim(house: CasinoRecords, cents: int, *, told_after: timedelta) -> tuple[int, datetime]:
    claim, at = claim_prize(house, Prize(name="Dinner", type="goods", value_cents=cents))
    by = _marketer(house)
    decision = decide_claim(claim=claim, is_met=False, reasons="The ticket was not drawn.", actor=by, now=at)
    record_reasons_told(claim=claim, method="mail", told_at=at + told_after, actor=by, now=at + told_after)
    return decision.entry_index, at


@register_record_injector("PROMO-STOP-NOT-TOLD", fits=_has_promotions)
def stop_draw_without_notification(house: CasinoRecords) -> None:
    """A draw is stopped for its integrity, and the inspectorate hears of it an hour later."""
    draw = _schedule_draw(house)
    at, by = draw.scheduled_at, _marketer(house)
    stopped = stop_draw(
        draw=draw, act=DrawAct.CANCELLED, determined_at=at, reason="The barrel was found open.", actor=by, now=at + HOUR
    )
    says = "A draw was stopped and the inspectorate was told an hour later."
    house.record_fault(stopped.entry_index, says, at=at)


@register_record_injector("PROMO-DRAW-POSTPONED", fits=_has_promotions)
def hold_postponed_draw(house: CasinoRecords) -> None:
    """A draw is held although it was postponed; another is validated first."""
    for is_validated in (False, True):
        draw, by = _schedule_draw(house), _marketer(house)
        at = draw.scheduled_at - HOUR
        stop_draw(draw=draw, act=DrawAct.POSTPONED, determined_at=at, reason="An open barrel.", actor=by, now=at)
        if is_validated:
            other = house.person_in_role(Role.COMPLIANCE_OFFICER)
            validate_draw(draw=draw, how="Counted.", scheduled_at=draw.scheduled_at, actor=other, now=at + SECOND)
        held = _hold_draw(draw, house)
        says = f"A postponed draw was held {'after' if is_validated else 'before'} it was validated."
        case = "clear" if is_validated else "breach"
        house.record_fault(held.entry_index, says, at=held.recorded_at, case=case, finding=not is_validated)


@register_record_injector("PROMO-DRAW-NOT-AS-FILED", fits=_has_promotions)
def hold_draw_at_another_time(house: CasinoRecords) -> None:
    """A draw is held before its time, too late, or without an entry; others at their time."""
    cases = (
        ("under", -SECOND, 9), ("at", timedelta(), 9), ("at-end", HELD_WITHIN, 9), ("over", HELD_WITHIN + SECOND, 9),
        ("empty", timedelta(), 0),
    )  # fmt: skip
    for case, after, entries in cases:
        held = _hold_draw(_schedule_draw(house), house, after=after, entries=entries)
        says = f"A draw with {entries} entries was held {after} after its time."
        is_found = not case.startswith("at")
        house.record_fault(held.entry_index, says, at=held.recorded_at, case=case, finding=is_found)


@register_record_injector("PROMO-PRIZE-TWICE", fits=_has_promotions)
def draw_two_winners_of_one_prize(house: CasinoRecords) -> None:
    """One prize is won twice; the first winner is honest."""
    draw = _schedule_draw(house)
    _hold_draw(draw, house)
    for ticket in ("4", "5"):
        winner = _record_winner(house, draw, ticket)
        _contact_winner(house, winner)
        case = "at" if ticket == "4" else "over"
        says = "One prize was won by two entries."
        house.record_fault(winner.entry_index, says, at=winner.at, case=case, finding=case == "over")


@register_record_injector("PROMO-ENTRY-TWICE", fits=_has_promotions)
def draw_one_entry_twice(house: CasinoRecords) -> None:
    """One entry wins two prizes; another entry wins one."""
    draw = _schedule_draw(house, replace(DINNER, quantity=3))
    _hold_draw(draw, house)
    for case, ticket in (("first", "4"), ("clear", "5"), ("breach", "4")):
        winner = _record_winner(house, draw, ticket)
        _contact_winner(house, winner)
        says = f"Entry {ticket} won."
        house.record_fault(winner.entry_index, says, at=winner.at, case=case, finding=case == "breach")


@register_record_injector("PROMO-PRIZE-AMOUNT", fits=_has_promotions)
def pay_another_amount(house: CasinoRecords) -> None:
    """A cash prize is paid a cent short, another a cent over, and one as the terms state it."""
    for case, off in (("under", -1), ("at", 0), ("over", 1)):
        prize = Prize(name="Cash", type="cash", value_cents=50_000)
        entry, at = _pay_claim(house, prize, form=HandoverType.CASH, paid={"cash": 50_000 + off})
        says = f"A cash prize of 50000 cents was paid with {50_000 + off}."
        house.record_fault(entry, says, at=at, case=case, finding=case != "at")
