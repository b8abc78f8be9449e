"""Demo promotions at Harbour, one in each state, created through the services."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from promotions.claims.models import HandoverType
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_reasons_told
from promotions.draws.services import hold_draw, record_attempt, record_winner, schedule_draw
from promotions.shared.duties import promotion_rules_at
from promotions.terms.content.terms import Prize, Terms
from promotions.terms.models import Promotion, TermsVersion
from promotions.terms.services import add_prescribed_item, begin_draft, file_terms, record_material, request_amendment
from rounds.ledger import encode_timestamp

CASINO = "harbour"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
CAR = Prize(
    name="Hatchback",
    type="vehicle",
    value_cents=2_850_000,
    cash_alternative_cents=2_500_000,
    details={
        "make": "Acme",
        "model": "Zip 1.5",
        "accessories": "Floor mats, tow bar",
        "on-road-costs": "Registration, compulsory insurance and delivery are included",
    },
)
TRIP = Prize(
    name="Weekend in Cairns",
    type="travel",
    value_cents=420_000,
    details={
        "persons": "2",
        "airfares": "Return, economy",
        "transfers": "Included",
        "other-transport": "Not included",
        "duration": "3 nights",
        "accommodation-standard": "Four stars",
        "meals": "Breakfast",
        "date-restrictions": "To be taken within 12 months, not in school holidays",
        "spending-money": "$500 included",
    },
    conditions="Not transferable. Travel insurance is the winner's own affair.",
)
DINNER = Prize(name="Dinner for two", type="goods", value_cents=18_000, quantity=20)


def make_demo_promotions(now: datetime) -> None:
    """Idempotent: skips casinos that have promotions, and those whose rules say nothing on promotions."""
    casino = Casino.objects.get(slug=CASINO)
    if promotion_rules_at(casino, now - 30 * DAY) is None or Promotion.objects.filter(casino=casino).exists():
        return
    people = {role: User.objects.get(email=demo_email(role)) for role in (Role.MARKETING, Role.AUTHORITY_OFFICER)}
    with transaction.atomic():
        _make_promotions(casino, people[Role.MARKETING], people[Role.AUTHORITY_OFFICER], now)


def _make_promotions(casino: Casino, marketer: User, officer: User, now: datetime) -> None:
    """One ended, one running with an amendment pending, one filed late, and a draft."""
    add_prescribed_item(
        casino=casino, item="Fireworks", basis="Demo regulation, part 3", actor=officer, now=now - 40 * DAY
    )
    spring = _file_terms(casino, marketer, "Spring Draw", now - 25 * DAY, (CAR, TRIP, DINNER), now - 28 * DAY)
    _make_draw_and_claims(spring, marketer, now)
    running = _file_terms(casino, marketer, "Harbour Lights", now - 3 * DAY, (TRIP, DINNER), now - 9 * DAY)
    _request_amendment(running, marketer, now)
    _file_terms(casino, marketer, "Lucky Fortnight", now + 8 * HOUR, (DINNER,), now - 2 * HOUR)
    begun = begin_draft(casino=casino, like=spring, actor=marketer, now=now - HOUR)
    begun.answers = {**begun.answers, "name": "Summer Draw", "eligibility": {}}
    begun.save(update_fields=["answers"])


def _file_terms(
    casino: Casino, marketer: User, name: str, starts_at: datetime, prizes: tuple[Prize, ...], now: datetime
) -> TermsVersion:
    draft = begin_draft(casino=casino, actor=marketer, now=now)
    draft.answers = dict(Terms(demo_answers(name, starts_at)).with_prizes(prizes).answers)
    draft.save(update_fields=["answers"])
    version = file_terms(draft=draft, actor=marketer, now=now)
    record_material(
        promotion=version.promotion,
        medium="poster",
        description="Poster A2 at the main entrance",
        used_from_on=date(now.year, now.month, now.day),
        is_referring=True,
        where="QR code and address at the foot",
        actor=marketer,
        now=now,
    )
    return version


def demo_answers(name: str, starts_at: datetime, drawn_after: timedelta = 20 * DAY - HOUR) -> Mapping[str, Any]:
    ends_at = starts_at + drawn_after + HOUR
    return {
        "name": name,
        "place-date-and-time-of-promotion": {
            "place": "Main gaming floor of Harbour Casino",
            "starts_at": encode_timestamp(starts_at),
            "ends_at": encode_timestamp(ends_at),
        },
        "manner-of-award": {"text": "One entry is drawn from a barrel for each prize, the largest prize first."},
        "when-and-where-awarded": {"awarded_at": encode_timestamp(ends_at - HOUR), "where": "The stage beside the bar"},
        "eligibility": {"text": "Members aged 18 or more. Staff and their households cannot win."},
        "minimum-wager": {"kind": "minimum", "cents": 2_000, "text": "One entry for each wager of that size."},
        "nature-and-qualifications": {"text": "The prizes described here. The maker's guarantee applies, no other."},
        "closing-of-entries": {"closes_at": encode_timestamp(ends_at - 2 * HOUR)},
        "method-of-claiming": {"text": "At the members' desk within 30 days.", "presence": "not-required"},
        "notification-of-winner": {"methods": ["telephone", "email"], "text": ""},
        "publication-of-results": {"text": "On the screen at the entrance for two weeks."},
        "scrutineer": {"name": "A partner of the casino's auditors"},
    }


def _request_amendment(running: TermsVersion, marketer: User, now: datetime) -> None:
    draft = begin_draft(
        casino=running.promotion.casino, promotion=running.promotion, like=running, actor=marketer, now=now - DAY
    )
    draft.answers = {**draft.answers, "eligibility": {"text": "Members aged 18 or more who joined before this year."}}
    draft.save(update_fields=["answers"])
    request_amendment(draft=draft, reason="More entries came in than the barrel holds.", actor=marketer, now=now - DAY)


def _make_draw_and_claims(spring: TermsVersion, marketer: User, now: datetime) -> None:
    by: dict[str, Any] = {"actor": marketer}
    held_at = now - 5 * DAY - HOUR
    draw = schedule_draw(
        promotion=spring.promotion,
        scheduled_at=held_at,
        place="The stage beside the bar",
        method="Barrel",
        now=held_at - 5 * DAY,
        **by,
    )
    hold_draw(
        draw=draw,
        held_at=held_at,
        place="The stage beside the bar",
        method="Barrel",
        entries=4_812,
        result="Tickets 2231, 871, 4077",
        scrutineer="A partner of the casino's auditors",
        is_confirmed=True,
        now=held_at + HOUR,
        **by,
    )
    winners = [
        record_winner(
            draw=draw,
            prize=prize.name,
            value_cents=prize.value_cents,
            entry_drawn=ticket,
            now=held_at + HOUR,
            person={"name": f"Demo winner {ticket}", "telephone": "+61 2 5550 0100"},
            **by,
        )
        for prize, ticket in ((CAR, "2231"), (TRIP, "871"), (DINNER, "4077"))
    ]
    at = held_at + 2 * HOUR
    record_attempt(winner=winners[0], method="telephone", attempted_at=at, is_reached=True, now=at, **by)
    record_attempt(winner=winners[1], method="telephone", attempted_at=at, is_reached=False, now=at, **by)
    common: dict[str, Any] = {"promotion": spring.promotion, "claimed_at": now - 2 * DAY, "now": now - 2 * DAY} | by
    paid = record_claim(prize=CAR.name, value_cents=CAR.value_cents, details="", winner=winners[0], **common)
    decide_claim(claim=paid, is_met=True, reasons="", now=now - 2 * DAY, **by)
    pay_prize(
        claim=paid, form=HandoverType.AS_DESCRIBED, paid_at=now - DAY, statement="Keys handed over", now=now - DAY, **by
    )
    denied = record_claim(prize=DINNER.name, value_cents=DINNER.value_cents, details="Ticket 4076", **common)
    person = {"name": "Demo claimant", "address": "12 Quay Street, Sydney"}
    decide_claim(claim=denied, is_met=False, reasons="Ticket 4076 was not drawn.", person=person, now=now - DAY, **by)
    record_reasons_told(claim=denied, method="mail", told_at=now - 20 * HOUR, now=now - 20 * HOUR, **by)
    waiting = record_claim(prize=DINNER.name, value_cents=9_000, details="Half of a torn ticket", **common)
    decide_claim(claim=waiting, is_met=False, reasons="Half a ticket is no entry.", now=now - 3 * HOUR, **by)
    record_claim(prize=DINNER.name, value_cents=DINNER.value_cents, details="Ticket 4077", **common)
