"""Promotions, by what marketing recorded: terms and their filing, draws and winners, claims, payments and denials.

The rows behind the entries only ever grow and bear their times, so what was so at an instant is read from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from compliance.alerts.measuring import IMMEDIATELY
from compliance.audit.checks.ways_in import OverTime
from compliance.audit.circumstances import VersionUsed
from compliance.audit.drafts import Draft, amount, lasting
from compliance.audit.stories import Looks, Subject
from promotions.claims.denials import flagged_at, is_kept_with_details
from promotions.claims.models import Claim, ClaimDecision, Form, Payment
from promotions.draws.models import Winner
from promotions.draws.telling import applies, telling
from promotions.terms.completeness import missing
from promotions.terms.content import Prize, Terms
from promotions.terms.filing_clock import is_in_time
from promotions.terms.models import Promotion
from promotions.terms.prizes import every_prohibition, needs_scrutineer
from promotions.terms.selectors import prescribed_at, version_in_force
from rounds.engine.promotion_duties import Promotions

TERMS, MATERIAL, DRAWN, STOPPED = "promotion-terms", "promotion-material", "promotion-drawn", "promotion-stop"
# Of a draw, and of a whole promotion.
STOPS = (STOPPED, "promotion-postponed")
CLAIMED, DECIDED, TOLD, PAID = (
    "promotion-claim", "promotion-claim-decided", "promotion-denial-told", "promotion-prize-paid",
)  # fmt: skip
WINNER, ATTEMPT = "promotion-winner", "promotion-winner-told"
# Each log is verified once a day: where nobody records anything, that entry shows that a time is over.
DAILY = "ledger-verified"
SHOW_TIME = frozenset({DAILY, TERMS, MATERIAL, DRAWN, STOPPED, CLAIMED, DECIDED, TOLD, PAID, WINNER, ATTEMPT})
# How far back the last such entry is looked for, and how long before its end a time of two working days may begin.
LOOKED_BACK, FARTHEST = timedelta(days=40), timedelta(days=15)


@dataclass(frozen=True)
class Asked:
    """An entry, and the rule version that has duties on promotions when it was recorded."""

    subject: Subject
    version: VersionUsed
    duties: Promotions

    @property
    def body(self) -> Any:
        return self.subject.body

    def draft(self, code: str, *, clause: str, **words: Any) -> Draft:
        return self.subject.draft(code, version=self.version, clause=clause, **words)

    def promotion(self) -> Promotion:
        number = self.body["promotion"]
        key = ("promotion", self.subject.casino.pk, number)
        return self.subject.once(key, lambda: Promotion.objects.get(casino=self.subject.casino, number=number))

    def terms_at(self, promotion: Promotion, at: datetime) -> Terms:
        standing = version_in_force(promotion, at)
        return standing.terms if standing else Terms({})

    def prescribed(self, at: datetime) -> dict[str, str]:
        return self.subject.once(("prescribed", at), lambda: prescribed_at(self.subject.casino, at))

    def day(self, at: datetime) -> str:
        local = at.astimezone(self.subject.casino.zone)
        return f"{local.day} {local:%b %Y %H:%M %Z}"


def _asked(judge: Callable[[Asked], Iterable[Draft]]) -> Callable[[Subject], Iterator[Draft]]:
    """Nothing where no rules in force say anything about promotions."""

    def judged(subject: Subject) -> Iterator[Draft]:
        for version in subject.versions:
            if version.pack.duties.promotions is not None:
                yield from judge(Asked(subject, version, version.pack.duties.promotions))
                return

    return judged


def judge_terms(asked: Asked) -> Iterator[Draft]:
    """At every filing and every amendment that was asked for."""
    body, duties = asked.body, asked.duties
    terms, received = Terms(body["terms"]), datetime.fromisoformat(body["received_at"])
    what = f"P-{body['promotion']}, version {body['version']}"
    is_amendment = body["act"] == "amendment"
    starts = terms.starts_at
    if starts and not is_amendment and not is_in_time(received, starts, duties.filing):
        ahead = lasting(starts - received) if received <= starts else "no time"
        required = lasting(timedelta(hours=duties.filing.hours_before_commencement))
        yield asked.draft("PROMO-FILED-LATE", clause=duties.filing.clause, what=what, found=ahead, required=required)
    if is_amendment and body["in_use_at"]:
        used = asked.day(datetime.fromisoformat(body["in_use_at"]))
        began = asked.day(starts) if starts else "an unknown time"
        yield asked.draft("PROMO-AMENDED", clause=duties.amendment.clause, what=what, found=used, required=began)
    if is_amendment and not body["in_use_at"]:
        return
    if lacking := missing(terms, duties):
        clauses = "; ".join(f"{lack.clause}: {lack.sentence}" for lack in lacking)
        found = f"{len(lacking)} thing{'s' if len(lacking) > 1 else ''} that they must say"
        yield asked.draft("PROMO-INCOMPLETE", clause=lacking[0].clause, what=what, found=found, required=clauses)
    yield from _prohibited(asked, what, terms.prizes, received)


def _prohibited(asked: Asked, what: str, prizes: Iterable[Prize], at: datetime) -> Iterator[Draft]:
    if wrong := every_prohibition(prizes, asked.duties, asked.prescribed(at)):
        found = "; ".join(each.sentence.rstrip(".") for each in wrong)
        clauses = ", ".join(dict.fromkeys(each.clause for each in wrong))
        required = f"clause {clauses} prohibits it"
        yield asked.draft("PROMO-PROHIBITED", clause=wrong[0].clause, what=what, found=found, required=required)


def judge_material(asked: Asked) -> Iterator[Draft]:
    if not asked.body["refers_to_terms"]:
        what = f"Marketing material of P-{asked.body['promotion']} ({asked.body['description']})"
        found = f"used from {asked.body['used_from']}"
        clause = asked.duties.terms_shown.clause
        yield asked.draft("PROMO-NOT-REFERENCED", clause=clause, what=what, found=found, required=f"clause {clause}")


def judge_draw(asked: Asked) -> Iterator[Draft]:
    """A draw without the scrutineer that its most valuable prize needed, or whom nobody says confirmed it."""
    said = asked.body["particulars"]
    if said["scrutineer"] and said["scrutineer_confirmed"]:
        return
    prizes = asked.terms_at(asked.promotion(), datetime.fromisoformat(asked.body["happened_at"])).prizes
    if needs_scrutineer(prizes, asked.duties):
        duty = asked.duties.scrutineer
        largest = max(prize.value_cents for prize in prizes)
        what = f"P-{asked.body['promotion']}, draw {asked.body['draw']}"
        yield asked.draft(
            "PROMO-SCRUTINEER", clause=duty.clause, what=what, found=amount(largest), required=amount(duty.over_cents)
        )


def judge_stop(asked: Asked) -> Iterator[Draft]:
    """The service tells the inspectorate as the stop is recorded: late is what was recorded late."""
    duty = asked.duties.integrity
    happened, recorded = (datetime.fromisoformat(asked.body[name]) for name in ("happened_at", "recorded_at"))
    if duty.told_at_once and recorded - happened > IMMEDIATELY:
        draw = f", draw {asked.body['draw']}" if "draw" in asked.body else ""
        what = f"P-{asked.body['promotion']}{draw}, told {lasting(recorded - happened)} later,"
        yield asked.draft(
            "PROMO-STOP-NOT-TOLD", clause=duty.clause, what=what, found=asked.day(happened),
            required=f"the {duty.told}",
        )  # fmt: skip


def judge_payment(asked: Asked) -> Iterator[Draft]:
    body, duties = asked.body, asked.duties
    payment = Payment.objects.select_related("claim__promotion__casino").get(
        claim__casino=asked.subject.casino, claim__number=body["claim"]
    )
    claim = payment.claim
    terms = asked.terms_at(claim.promotion, payment.paid_at)
    prize = terms.prize_named(claim.prize)
    what = f"claim C-{claim.number} ({claim.prize})"
    choice = duties.cash_choice
    if body["form"] == Form.CASH and claim.value_cents > choice.over_cents and body["chosen"] != body["paid"]:
        yield asked.draft(
            "PROMO-CASH-CHOICE", clause=choice.clause, what=f"{what} was paid as {_parts(body['paid'])}, "
            f"and the winner chose {_parts(body['chosen'])}", found=amount(claim.value_cents),
            required=amount(choice.over_cents),
        )  # fmt: skip
    stated = prize.cash_alternative_cents if prize else None
    if body["form"] == Form.CASH_ALTERNATIVE and stated != payment.paid_cents:
        yield asked.draft(
            "PROMO-CASH-ALTERNATIVE", clause=duties.cash_alternative.clause, what=what[0].upper() + what[1:],
            found=amount(payment.paid_cents), required=f"they state {amount(stated)}",
        )  # fmt: skip
    handed = Prize(
        name=claim.prize, type=prize.type if prize else "goods", value_cents=claim.value_cents,
        includes=tuple(body["includes"]), liquor_ml=body["liquor_ml"],
    )  # fmt: skip
    yield from _prohibited(asked, what[0].upper() + what[1:], [handed], payment.paid_at)


def _parts(parts: dict[str, int]) -> str:
    words = [f"{method.replace('-', ' ')} {amount(cents)}" for method, cents in sorted(parts.items())]
    return " and ".join(words) or "nothing that is recorded"


def judge_denial(asked: Asked) -> Iterator[Draft]:
    """A denied claim over the figure without name and address."""
    body, duty = asked.body, asked.duties.denial
    if body["decision"] != "denied" or body["person"] or not is_kept_with_details(body["value_cents"], duty):
        return
    claim = Claim.objects.get(casino=asked.subject.casino, number=body["claim"])
    if claim.personal_id is None:
        yield asked.draft(
            "PROMO-DENIAL-RECORD", clause=duty.record_clause, what=f"C-{claim.number} ({amount(claim.value_cents)})",
            found="the claimant's name and address",
            required=f"above {amount(duty.record_over_cents)} they are kept",
        )  # fmt: skip


def judge_time(asked: Asked) -> Iterator[Draft]:
    """Whose time ran out between the last such entry and this one: winners not tried, denials not explained."""
    before = asked.subject.story.last(*SHOW_TIME)
    since = before.at if before else asked.subject.at - LOOKED_BACK
    yield from _late_winners(asked, since)
    yield from _untold_denials(asked, since)


def _late_winners(asked: Asked, since: datetime) -> Iterator[Draft]:
    duty, casino, now = asked.duties.notification, asked.subject.casino, asked.subject.at
    recent = Winner.objects.described().filter(
        Q(drawn_at__gte=since - FARTHEST, at__lte=now) | Q(entry_index=asked.subject.happened.index),
        draw__promotion__casino=casino,
    )
    late = []
    for winner in recent:
        due = telling(casino, winner.drawn_at, duty)
        in_time = winner.attempts.filter(method__in=duty.methods, at__lt=due.ends_at)
        is_own = winner.entry_index == asked.subject.happened.index
        is_over = due.ends_at <= now and (is_own or due.ends_at > since)
        if is_over and applies(duty, is_presence_required=winner.is_presence_required) and not in_time.exists():
            late.append((winner, due))
    if late:
        names = ", ".join(f"{winner.reference} ({winner.prize})" for winner, _ in late)
        tried = [winner.first_attempt_at for winner, _ in late if winner.first_attempt_at]
        due_by = asked.day(max(due.ends_at for _, due in late) - timedelta(minutes=1))
        yield asked.draft(
            "PROMO-WINNER-LATE", clause=duty.clause, what=names, required=due_by,
            found=f"on {asked.day(min(tried))}" if tried else "never made",
            evidence=[winner.entry_index for winner, _ in late],
        )  # fmt: skip


def _untold_denials(asked: Asked, since: datetime) -> Iterator[Draft]:
    casino, now = asked.subject.casino, asked.subject.at
    denials = ClaimDecision.objects.filter(claim__casino=casino, is_met=False, at__gte=since - FARTHEST, at__lt=now)
    late = []
    for decision in denials.select_related("claim", "told"):
        ends_at, told = flagged_at(casino, decision.at), decision.reasons_told()
        if since < ends_at <= now and (told is None or told.told_at >= ends_at):
            late.append((decision, ends_at))
    if late:
        duty = asked.duties.denial
        yield asked.draft(
            "PROMO-DENIAL-NOT-TOLD", clause=duty.clause, what=", ".join(f"C-{one.claim.number}" for one, _ in late),
            found=asked.day(max(ends for _, ends in late)), required="as soon as practicable is due",
            evidence=[one.entry_index for one, _ in late],
        )  # fmt: skip


def _check(codes: str, judged_at: str, judge: Callable[[Asked], Iterable[Draft]]) -> OverTime:
    return OverTime(frozenset(codes.split()), frozenset({judged_at}), _asked(judge), Looks())


CHECKS = (
    _check("PROMO-FILED-LATE PROMO-INCOMPLETE PROMO-AMENDED PROMO-PROHIBITED", TERMS, judge_terms),
    _check("PROMO-NOT-REFERENCED", MATERIAL, judge_material),
    _check("PROMO-SCRUTINEER", DRAWN, judge_draw),
    *(_check("PROMO-STOP-NOT-TOLD", kind, judge_stop) for kind in STOPS),
    _check("PROMO-CASH-CHOICE PROMO-CASH-ALTERNATIVE PROMO-PROHIBITED", PAID, judge_payment),
    _check("PROMO-DENIAL-RECORD", DECIDED, judge_denial),
    OverTime(
        frozenset({"PROMO-WINNER-LATE", "PROMO-DENIAL-NOT-TOLD"}), SHOW_TIME, _asked(judge_time),
        Looks(SHOW_TIME, back=LOOKED_BACK, everywhere=True),
    ),
)  # fmt: skip
