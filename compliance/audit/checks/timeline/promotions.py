"""Checks of promotions: terms and their filing, draws and winners, claims, payments and denials.

The rows behind the entries are append-only and timestamped, so the state at any instant can be read from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from compliance.audit.catalogue import record_codes as codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.context.finding_draft import FindingDraft, format_amount, format_duration
from compliance.audit.context.rules_in_force import VersionInForce
from compliance.audit.context.timeline import EventContext, LookBack
from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
from promotions.claims.denials import needs_claimant_details, overdue_at
from promotions.claims.entry_kinds import CLAIM, DECIDED, PAID, TOLD
from promotions.claims.models import Claim, ClaimDecision, HandoverType, Payment
from promotions.draws.entry_kinds import ATTEMPT, HELD, STOPPED, WINNER
from promotions.draws.models import Winner
from promotions.draws.notification_deadline import is_notification_required, winner_deadline
from promotions.terms.content.completeness import find_missing
from promotions.terms.content.filing_deadline import is_filed_in_time
from promotions.terms.content.prize_rules import all_prohibitions, needs_scrutineer
from promotions.terms.content.terms import Prize, Terms
from promotions.terms.entry_kinds import MATERIAL, POSTPONED, TERMS
from promotions.terms.models import Promotion
from promotions.terms.selectors import prescribed_items_at, version_in_force
from rounds.engine import Promotions
from rounds.ledger import entry_kinds as ledger_kinds

# Stop of a draw, and of a whole promotion.
STOP_KINDS = (STOPPED, POSTPONED)
# Each log is verified once a day. Where nothing else is recorded, that entry proves that a deadline has passed.
DEADLINE_ENTRIES = frozenset(
    {ledger_kinds.VERIFIED, TERMS, MATERIAL, HELD, STOPPED, CLAIM, DECIDED, TOLD, PAID, WINNER, ATTEMPT}
)
# How far back the last deadline entry is looked for, and the longest time that two working days can span.
LOOK_BACK, LONGEST_DEADLINE = timedelta(days=40), timedelta(days=15)


@dataclass(frozen=True)
class PromotionContext:
    """An entry, and the rule version in force at its time that has duties on promotions."""

    subject: EventContext
    version: VersionInForce
    duties: Promotions

    @property
    def body(self) -> Any:
        return self.subject.body

    def draft(self, code: FindingCode, *, clause: str, **words: Any) -> FindingDraft:
        return self.subject.draft(code, version=self.version, clause=clause, **words)

    def load_promotion(self) -> Promotion:
        number = self.body["promotion"]
        key = ("promotion", self.subject.casino.pk, number)
        return self.subject.cached_read(key, lambda: Promotion.objects.get(casino=self.subject.casino, number=number))

    def terms_at(self, promotion: Promotion, at: datetime) -> Terms:
        version = version_in_force(promotion, at)
        return version.terms if version else Terms({})

    def prescribed_values(self, at: datetime) -> dict[str, str]:
        return self.subject.cached_read(("prescribed", at), lambda: prescribed_items_at(self.subject.casino, at))

    def format_time(self, at: datetime) -> str:
        local = at.astimezone(self.subject.casino.zone)
        return f"{local.day} {local:%b %Y %H:%M %Z}"


def _with_promotion_duties(
    check: Callable[[PromotionContext], Iterable[FindingDraft]],
) -> Callable[[EventContext], Iterator[FindingDraft]]:
    """Wraps a check so that it yields nothing where no rule version in force has duties on promotions."""

    def evaluate(context: EventContext) -> Iterator[FindingDraft]:
        for version in context.versions:
            if version.pack.duties.promotions is not None:
                yield from check(PromotionContext(context, version, version.pack.duties.promotions))
                return

    return evaluate


def check_terms(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-FILED-LATE, PROMO-AMENDED, PROMO-INCOMPLETE and PROMO-PROHIBITED, at every filing and requested
    amendment."""
    body, duties = context.body, context.duties
    terms, received = Terms(body["terms"]), datetime.fromisoformat(body["received_at"])
    what = f"P-{body['promotion']}, version {body['version']}"
    is_amendment = body["act"] == "amendment"
    starts = terms.starts_at
    if starts and not is_amendment and not is_filed_in_time(received, starts, duties.filing):
        ahead = format_duration(starts - received) if received <= starts else "no time"
        required = format_duration(timedelta(hours=duties.filing.hours_before_commencement))
        yield context.draft(
            codes.PROMO_FILED_LATE, clause=duties.filing.clause, what=what, found=ahead, required=required
        )
    if is_amendment and body["in_use_at"]:
        used = context.format_time(datetime.fromisoformat(body["in_use_at"]))
        began = context.format_time(starts) if starts else "an unknown time"
        yield context.draft(codes.PROMO_AMENDED, clause=duties.amendment.clause, what=what, found=used, required=began)
    if is_amendment and not body["in_use_at"]:
        return
    if lacking := find_missing(terms, duties):
        clauses = "; ".join(f"{lack.clause}: {lack.sentence}" for lack in lacking)
        found = f"{len(lacking)} thing{'s' if len(lacking) > 1 else ''} that they must say"
        yield context.draft(codes.PROMO_INCOMPLETE, clause=lacking[0].clause, what=what, found=found, required=clauses)
    yield from _prohibited_prize_drafts(context, what, terms.prizes, received)


def _prohibited_prize_drafts(
    context: PromotionContext, what: str, prizes: Iterable[Prize], at: datetime
) -> Iterator[FindingDraft]:
    if wrong := all_prohibitions(prizes, context.duties, context.prescribed_values(at)):
        found = "; ".join(each.sentence.rstrip(".") for each in wrong)
        clauses = ", ".join(dict.fromkeys(each.clause for each in wrong))
        required = f"clause {clauses} prohibits it"
        yield context.draft(codes.PROMO_PROHIBITED, clause=wrong[0].clause, what=what, found=found, required=required)


def check_material(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-NOT-REFERENCED (`duties.promotions.terms_shown`): marketing material without a reference to the terms."""
    if not context.body["refers_to_terms"]:
        what = f"Marketing material of P-{context.body['promotion']} ({context.body['description']})"
        found = f"used from {context.body['used_from']}"
        clause = context.duties.terms_shown.clause
        yield context.draft(
            codes.PROMO_NOT_REFERENCED, clause=clause, what=what, found=found, required=f"clause {clause}"
        )


def check_scrutineer(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-SCRUTINEER (`duties.promotions.scrutineer`): no confirmed scrutineer although the most valuable prize
    needed one."""
    particulars = context.body["particulars"]
    if particulars["scrutineer"] and particulars["scrutineer_confirmed"]:
        return
    prizes = context.terms_at(context.load_promotion(), datetime.fromisoformat(context.body["happened_at"])).prizes
    if needs_scrutineer(prizes, context.duties):
        duty = context.duties.scrutineer
        largest = max(prize.value_cents for prize in prizes)
        what = f"P-{context.body['promotion']}, draw {context.body['draw']}"
        yield context.draft(
            codes.PROMO_SCRUTINEER,
            clause=duty.clause,
            what=what,
            found=format_amount(largest),
            required=format_amount(duty.over_cents),
        )


def check_stop_notified(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-STOP-NOT-TOLD (`duties.promotions.integrity`). The service notifies the inspectorate when the stop is
    recorded, so only a stop recorded late is notified late."""
    duty = context.duties.integrity
    happened_at, recorded_at = (datetime.fromisoformat(context.body[name]) for name in ("happened_at", "recorded_at"))
    if duty.told_at_once and recorded_at - happened_at > IMMEDIATE_LIMIT:
        draw = f", draw {context.body['draw']}" if "draw" in context.body else ""
        what = f"P-{context.body['promotion']}{draw}, told {format_duration(recorded_at - happened_at)} later,"
        yield context.draft(
            codes.PROMO_STOP_NOT_TOLD,
            clause=duty.clause,
            what=what,
            found=context.format_time(happened_at),
            required=f"the {duty.told}",
        )


def check_payment(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-CASH-CHOICE, PROMO-CASH-ALTERNATIVE and PROMO-PROHIBITED, at the payment of a prize."""
    body, duties = context.body, context.duties
    payment = Payment.objects.select_related("claim__promotion__casino").get(
        claim__casino=context.subject.casino, claim__number=body["claim"]
    )
    claim = payment.claim
    terms = context.terms_at(claim.promotion, payment.paid_at)
    prize = terms.prize_named(claim.prize)
    what = f"claim C-{claim.number} ({claim.prize})"
    choice = duties.cash_choice
    if body["form"] == HandoverType.CASH and claim.value_cents > choice.over_cents and body["chosen"] != body["paid"]:
        yield context.draft(
            codes.PROMO_CASH_CHOICE,
            clause=choice.clause,
            what=f"{what} was paid as {_parts_label(body['paid'])}, "
            f"and the winner chose {_parts_label(body['chosen'])}",
            found=format_amount(claim.value_cents),
            required=format_amount(choice.over_cents),
        )
    stated = prize.cash_alternative_cents if prize else None
    if body["form"] == HandoverType.CASH_ALTERNATIVE and stated != payment.paid_cents:
        yield context.draft(
            codes.PROMO_CASH_ALTERNATIVE,
            clause=duties.cash_alternative.clause,
            what=what[0].upper() + what[1:],
            found=format_amount(payment.paid_cents),
            required=f"they state {format_amount(stated)}",
        )
    handed = Prize(
        name=claim.prize,
        type=prize.type if prize else "goods",
        value_cents=claim.value_cents,
        includes=tuple(body["includes"]),
        liquor_ml=body["liquor_ml"],
    )
    yield from _prohibited_prize_drafts(context, what[0].upper() + what[1:], [handed], payment.paid_at)


def _parts_label(parts: dict[str, int]) -> str:
    words = [f"{method.replace('-', ' ')} {format_amount(cents)}" for method, cents in sorted(parts.items())]
    return " and ".join(words) or "nothing that is recorded"


def check_denial_details(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-DENIAL-RECORD (`duties.promotions.denial`): a denied claim above the threshold without name and address."""
    body, duty = context.body, context.duties.denial
    if body["decision"] != "denied" or body["person"] or not needs_claimant_details(body["value_cents"], duty):
        return
    claim = Claim.objects.get(casino=context.subject.casino, number=body["claim"])
    if claim.personal_id is None:
        yield context.draft(
            codes.PROMO_DENIAL_RECORD,
            clause=duty.record_clause,
            what=f"C-{claim.number} ({format_amount(claim.value_cents)})",
            found="the claimant's name and address",
            required=f"above {format_amount(duty.record_over_cents)} they are kept",
        )


def check_deadlines(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-WINNER-LATE and PROMO-DENIAL-NOT-TOLD: deadlines that passed between the previous deadline entry and this
    one."""
    before = context.subject.history.last_of_kind(*DEADLINE_ENTRIES)
    since = before.at if before else context.subject.event_time - LOOK_BACK
    yield from _late_winner_notices(context, since)
    yield from _unexplained_denials(context, since)


def _late_winner_notices(context: PromotionContext, since: datetime) -> Iterator[FindingDraft]:
    duty, casino, now = context.duties.notification, context.subject.casino, context.subject.event_time
    recent = Winner.objects.with_details().filter(
        Q(drawn_at__gte=since - LONGEST_DEADLINE, at__lte=now) | Q(entry_index=context.subject.event.index),
        draw__promotion__casino=casino,
    )
    late = []
    for winner in recent:
        due = winner_deadline(casino, winner.drawn_at, duty)
        in_time = winner.attempts.filter(method__in=duty.methods, at__lt=due.ends_at)
        is_own = winner.entry_index == context.subject.event.index
        is_over = due.ends_at <= now and (is_own or due.ends_at > since)
        if (
            is_over
            and is_notification_required(duty, is_presence_required=winner.is_presence_required)
            and not in_time.exists()
        ):
            late.append((winner, due))
    if late:
        names = ", ".join(f"{winner.reference} ({winner.prize})" for winner, _ in late)
        tried = [winner.first_attempt_at for winner, _ in late if winner.first_attempt_at]
        due_by = context.format_time(max(due.ends_at for _, due in late) - timedelta(minutes=1))
        yield context.draft(
            codes.PROMO_WINNER_LATE,
            clause=duty.clause,
            what=names,
            required=due_by,
            found=f"on {context.format_time(min(tried))}" if tried else "never made",
            evidence=[winner.entry_index for winner, _ in late],
        )


def _unexplained_denials(context: PromotionContext, since: datetime) -> Iterator[FindingDraft]:
    casino, now = context.subject.casino, context.subject.event_time
    denials = ClaimDecision.objects.filter(
        claim__casino=casino, is_met=False, at__gte=since - LONGEST_DEADLINE, at__lt=now
    )
    late = []
    for decision in denials.select_related("claim", "told"):
        ends_at, explanation = overdue_at(casino, decision.at), decision.get_reasons_told()
        if since < ends_at <= now and (explanation is None or explanation.told_at >= ends_at):
            late.append((decision, ends_at))
    if late:
        duty = context.duties.denial
        yield context.draft(
            codes.PROMO_DENIAL_NOT_TOLD,
            clause=duty.clause,
            what=", ".join(f"C-{one.claim.number}" for one, _ in late),
            found=context.format_time(max(ends for _, ends in late)),
            required="as soon as practicable is due",
            evidence=[one.entry_index for one, _ in late],
        )


def _timeline_check(
    entry_kind: str, check: Callable[[PromotionContext], Iterable[FindingDraft]], *codes: FindingCode
) -> TimelineCheck:
    return TimelineCheck(frozenset(codes), frozenset({entry_kind}), _with_promotion_duties(check), LookBack())


CHECKS = (
    _timeline_check(
        TERMS, check_terms, codes.PROMO_FILED_LATE, codes.PROMO_INCOMPLETE, codes.PROMO_AMENDED, codes.PROMO_PROHIBITED
    ),
    _timeline_check(MATERIAL, check_material, codes.PROMO_NOT_REFERENCED),
    _timeline_check(HELD, check_scrutineer, codes.PROMO_SCRUTINEER),
    *(_timeline_check(kind, check_stop_notified, codes.PROMO_STOP_NOT_TOLD) for kind in STOP_KINDS),
    _timeline_check(PAID, check_payment, codes.PROMO_CASH_CHOICE, codes.PROMO_CASH_ALTERNATIVE, codes.PROMO_PROHIBITED),
    _timeline_check(DECIDED, check_denial_details, codes.PROMO_DENIAL_RECORD),
    TimelineCheck(
        frozenset({codes.PROMO_WINNER_LATE, codes.PROMO_DENIAL_NOT_TOLD}),
        DEADLINE_ENTRIES,
        _with_promotion_duties(check_deadlines),
        LookBack(DEADLINE_ENTRIES, duration=LOOK_BACK, is_casino_wide=True),
    ),
)
