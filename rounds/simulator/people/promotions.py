"""Promotions that were not filed, drawn, paid or explained as the rules say, at and beside their thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from compliance.accounts.models import User
from compliance.accounts.roles import Role
from promotions.claims.models import Claim, Form
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_telling
from promotions.demo import answers_like
from promotions.draws.models import Draw, Winner
from promotions.draws.services import hold_draw, record_attempt, record_winner, schedule_draw, stop_draw
from promotions.draws.states import Act
from promotions.duties import governing
from promotions.terms.content import Prize, Terms
from promotions.terms.models import Draft, TermsVersion
from promotions.terms.services import ask_amendment, begin_draft, file_terms, record_material
from rounds.engine.packs import Pack
from rounds.engine.promotion_duties import Promotions
from rounds.simulator.faults.injector import NoRoom
from rounds.simulator.people.records import Records, records

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
DINNER = Prize(name="Dinner", type="goods", value_cents=9_000)
ON_THE_STAGE: Mapping[str, Any] = {"place": "The stage", "method": "Barrel"}
# Long enough that two working days have passed, however the weekend falls.
MUCH_LATER = 6 * DAY


def _has_promotions(pack: Pack) -> bool:
    return pack.duties.promotions is not None


def _starts(house: Records) -> datetime:
    """Twenty days ago: the promotion is over, and so is every time that began with it."""
    starts_at = house.now - 20 * DAY
    if governing(house.casino, starts_at - 5 * DAY) is None:
        raise NoRoom
    return starts_at


def _duties(house: Records) -> Promotions:
    assert house.pack.duties.promotions is not None
    return house.pack.duties.promotions


def _marketer(house: Records) -> User:
    return house.who(Role.MARKETING, Role.COMPLIANCE_OFFICER)


def _draft(house: Records, answers: Mapping[str, Any], now: datetime, **of: Any) -> Draft:
    draft = begin_draft(casino=house.casino, actor=_marketer(house), now=now, **of)
    draft.answers = dict(answers)
    draft.save(update_fields=["answers"])
    return draft


def _filed(house: Records, *prizes: Prize, before: timedelta = 5 * DAY, without: str = "") -> TermsVersion:
    """Complete terms but for what they are told to leave out."""
    starts_at = _starts(house)
    answers = dict(Terms(answers_like("Planted", starts_at)).with_prizes(prizes or (DINNER,)).answers)
    answers.pop(without, None)
    now = starts_at - before
    return file_terms(draft=_draft(house, answers, now), actor=_marketer(house), now=now)


def _drawn(house: Records, prize: Prize, scrutineer: str = "") -> Draw:
    filed = _filed(house, prize)
    at, by = filed.starts_at + 8 * DAY, _marketer(house)
    scheduled = schedule_draw(promotion=filed.promotion, scheduled_at=at, actor=by, now=filed.starts_at, **ON_THE_STAGE)
    hold_draw(
        draw=scheduled, held_at=at, entries=9, result="Ticket 4", scrutineer=scrutineer,
        is_confirmed=bool(scrutineer), actor=by, now=at, **ON_THE_STAGE,
    )  # fmt: skip
    return scheduled


def _won(house: Records) -> Winner:
    draw = _drawn(house, DINNER)
    return record_winner(
        draw=draw, prize=DINNER.name, value_cents=DINNER.value_cents, entry_drawn="4", person={},
        actor=_marketer(house), now=draw.scheduled_at,
    )  # fmt: skip


def _claimed(house: Records, prize: Prize) -> tuple[Claim, datetime]:
    filed = _filed(house, prize)
    at = filed.starts_at + 9 * DAY
    claim = record_claim(
        promotion=filed.promotion, prize=prize.name, value_cents=prize.value_cents, claimed_at=at, details="",
        actor=_marketer(house), now=at,
    )  # fmt: skip
    return claim, at


def _paid(house: Records, prize: Prize, **how: Any) -> tuple[int, datetime]:
    claim, at = _claimed(house, prize)
    decide_claim(claim=claim, is_met=True, reasons="", actor=_marketer(house), now=at)
    payment = pay_prize(claim=claim, paid_at=at, actor=_marketer(house), now=at, **how)
    return payment.entry_index, at


@records("PROMO-FILED-LATE", fits=_has_promotions)
def file_late(house: Records) -> None:
    """Terms are filed a second too late before the start; others exactly in time."""
    due = timedelta(hours=_duties(house).filing.hours_before_commencement)
    for case, off in (("under", -SECOND), ("at", timedelta())):
        filed = _filed(house, before=due + off)
        says = f"Terms were filed {due + off} before the start."
        house.plant("PROMO-FILED-LATE", filed.entry_index, says, at=filed.filed_at, case=case, finding=case == "under")


@records("PROMO-INCOMPLETE", fits=_has_promotions)
def leave_out_a_term(house: Records) -> None:
    """Terms do not say who may take part; they were filed when the promotion had begun."""
    filed = _filed(house, before=-HOUR, without="eligibility")
    says = "The terms did not say who may take part."
    house.plant("PROMO-INCOMPLETE", filed.entry_index, says, at=filed.filed_at, also=("PROMO-FILED-LATE",))


@records("PROMO-PROHIBITED", fits=_has_promotions)
def give_away_tobacco(house: Records) -> None:
    """A prize is handed over together with tobacco."""
    entry, at = _paid(house, DINNER, form=Form.AS_DESCRIBED, includes=["tobacco"])
    house.plant("PROMO-PROHIBITED", entry, "A prize was handed over together with tobacco.", at=at)


@records("PROMO-AMENDED", fits=_has_promotions)
def change_the_terms(house: Records) -> None:
    """Terms are changed and used while the promotion runs; a change that only waits for approval is no breach."""
    for is_used in (True, False):
        filed = _filed(house)
        now = filed.starts_at + 2 * DAY
        answers = {**filed.terms.answers, "eligibility": {"text": "Members of the gold tier alone."}}
        draft = _draft(house, answers, now, promotion=filed.promotion)
        asked = ask_amendment(
            draft=draft, reason="Too many entries.", in_use_at=now - DAY if is_used else None,
            actor=_marketer(house), now=now,
        )  # fmt: skip
        says = f"Changed terms {'were used' if is_used else 'waited'} without approval."
        case = "breach" if is_used else "clear"
        house.plant("PROMO-AMENDED", asked.entry_index, says, at=now, case=case, finding=is_used)


@records("PROMO-SCRUTINEER", fits=_has_promotions)
def draw_without_a_scrutineer(house: Records) -> None:
    """A prize a cent above the figure is drawn without a scrutineer; another exactly at the figure."""
    figure = _duties(house).scrutineer.over_cents
    for case, cents in (("over", figure + 1), ("at", figure)):
        draw = _drawn(house, Prize(name="Prize", type="goods", value_cents=cents))
        held = draw.steps.get(act=Act.HELD)
        says = f"A prize of {cents} cents was drawn without a scrutineer."
        house.plant("PROMO-SCRUTINEER", held.entry_index, says, at=held.recorded_at, case=case, finding=case == "over")


@records("PROMO-CASH-CHOICE", fits=_has_promotions)
def pay_without_a_choice(house: Records) -> None:
    """Cash a cent above the figure is paid in notes though nobody was asked; exactly at the figure nobody need be."""
    figure = _duties(house).cash_choice.over_cents
    for case, cents in (("over", figure + 1), ("at", figure)):
        prize = Prize(name="Cash", type="cash", value_cents=cents)
        entry, at = _paid(house, prize, form=Form.CASH, chosen={}, paid={"cash": cents})
        says = f"{cents} cents were paid in cash and the winner had no choice."
        house.plant("PROMO-CASH-CHOICE", entry, says, at=at, case=case, finding=case == "over", also=())


@records("PROMO-CASH-ALTERNATIVE", fits=_has_promotions)
def pay_another_alternative(house: Records) -> None:
    """A cash alternative is paid a dollar short of what the terms state; another as they state it."""
    stated = 200_000
    for case, cents in (("under", stated - 100), ("at", stated)):
        bicycle = Prize(name="Bicycle", type="goods", value_cents=250_000, cash_alternative_cents=stated)
        entry, at = _paid(house, bicycle, form=Form.CASH_ALTERNATIVE, paid={"cash": cents})
        says = f"A cash alternative of {cents} cents was paid; the terms state {stated}."
        house.plant("PROMO-CASH-ALTERNATIVE", entry, says, at=at, case=case, finding=case == "under")


@records("PROMO-NOT-REFERENCED", fits=_has_promotions)
def print_without_reference(house: Records) -> None:
    """A poster does not say where the terms are."""
    filed = _filed(house)
    poster = record_material(
        promotion=filed.promotion, medium="poster", description="A poster", used_from_on=filed.starts_at.date(),
        is_referring=False, where="", actor=_marketer(house), now=filed.starts_at,
    )  # fmt: skip
    says = "A poster did not say where the terms are."
    house.plant("PROMO-NOT-REFERENCED", poster.entry_index, says, at=filed.starts_at)


@records("PROMO-WINNER-LATE", fits=_has_promotions)
def reach_a_winner_late(house: Records) -> None:
    """Nobody tries to reach a winner until the time is over; another winner is telephoned within the hour."""
    for is_late in (True, False):
        winner, by = _won(house), _marketer(house)
        at = winner.at + (MUCH_LATER if is_late else HOUR)
        record_attempt(winner=winner, method="telephone", attempted_at=at, is_reached=True, actor=by, now=at)
        says = f"The winner was first tried {at - winner.at} after the draw."
        case = "over" if is_late else "under"
        house.plant("PROMO-WINNER-LATE", winner.entry_index, says, at=winner.at, case=case, finding=is_late)


@records("PROMO-DENIAL-RECORD", fits=_has_promotions)
def deny_without_a_record(house: Records) -> None:
    """A claim a cent above the figure is denied and nobody kept the claimant's name; another exactly at the figure."""
    figure = _duties(house).denial.record_over_cents
    for case, cents in (("over", figure + 1), ("at", figure)):
        entry, at = _denied(house, cents, told_after=HOUR)
        says = f"A claim of {cents} cents was denied without the claimant's name and address."
        house.plant("PROMO-DENIAL-RECORD", entry, says, at=at, case=case, finding=case == "over")


@records("PROMO-DENIAL-NOT-TOLD", fits=_has_promotions)
def explain_a_denial_late(house: Records) -> None:
    """A claimant is told days later why the claim was denied; another within the hour."""
    for is_late in (True, False):
        entry, at = _denied(house, DINNER.value_cents, told_after=MUCH_LATER if is_late else HOUR)
        says = f"The claimant was told why {'six days' if is_late else 'an hour'} later."
        case = "over" if is_late else "under"
        house.plant("PROMO-DENIAL-NOT-TOLD", entry, says, at=at, case=case, finding=is_late)


def _denied(house: Records, cents: int, *, told_after: timedelta) -> tuple[int, datetime]:
    claim, at = _claimed(house, Prize(name="Dinner", type="goods", value_cents=cents))
    by = _marketer(house)
    decision = decide_claim(claim=claim, is_met=False, reasons="The ticket was not drawn.", actor=by, now=at)
    record_telling(claim=claim, method="mail", told_at=at + told_after, actor=by, now=at + told_after)
    return decision.entry_index, at


@records("PROMO-STOP-NOT-TOLD", fits=_has_promotions)
def stop_without_telling(house: Records) -> None:
    """A draw is stopped for its integrity, and the inspectorate hears of it an hour later."""
    filed = _filed(house)
    at, by = filed.starts_at + 8 * DAY, _marketer(house)
    draw = schedule_draw(promotion=filed.promotion, scheduled_at=at, actor=by, now=filed.starts_at, **ON_THE_STAGE)
    stopped = stop_draw(
        draw=draw, act=Act.CANCELLED, determined_at=at, reason="The barrel was found open.", actor=by, now=at + HOUR
    )
    says = "A draw was stopped and the inspectorate was told an hour later."
    house.plant("PROMO-STOP-NOT-TOLD", stopped.entry_index, says, at=at)
