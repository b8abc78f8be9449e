"""Checks of promotions: terms and their filing, marketing material, integrity stops, denials and deadlines.

Entries are append-only and timestamped, so the state at any instant can be read from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from compliance.audit.catalogue import record_codes as codes
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.checks.timeline.promotion_context import (
    PromotionContext,
    prohibited_prize_drafts,
    promotion_check,
    with_promotion_duties,
)
from compliance.audit.context.entry_source import FileEntry
from compliance.audit.context.finding_draft import FindingDraft, format_amount, format_duration
from compliance.audit.context.promotion_file import PromotionFile, kept_details
from compliance.audit.context.timeline import LookBack
from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
from promotions.claims.denials import claimed_value_cents, details_not_kept, overdue_at
from promotions.claims.entry_kinds import CLAIM, DECIDED, PAID, TOLD
from promotions.draws.entry_kinds import ATTEMPT, HELD, STOPPED, WINNER
from promotions.draws.notification_deadline import NotificationDeadline, is_notification_required, winner_deadline
from promotions.shared.deadlines import HolidayCache
from promotions.terms.content.completeness import find_missing, unanswered_questions
from promotions.terms.content.filing_deadline import is_filed_in_time
from promotions.terms.content.terms import Terms
from promotions.terms.entry_kinds import MATERIAL, POSTPONED, TERMS
from rounds.ledger import entry_kinds as ledger_kinds

# Stop of a draw, and of a whole promotion.
STOP_KINDS = (STOPPED, POSTPONED)
# Each log is verified once a day. Where nothing else is recorded, that entry proves that a deadline has passed.
DEADLINE_ENTRIES = frozenset(
    {ledger_kinds.VERIFIED, TERMS, MATERIAL, HELD, STOPPED, CLAIM, DECIDED, TOLD, PAID, WINNER, ATTEMPT}
)
# How far back the last deadline entry is looked for, and the longest time that two working days can span.
LOOK_BACK, LONGEST_DEADLINE = timedelta(days=40), timedelta(days=15)


def check_terms(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-FILED-LATE, PROMO-AMENDED, PROMO-INCOMPLETE, PROMO-PROHIBITED and PROMO-PRIZE-WORDS, at every filing and
    requested amendment."""
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
        clauses = "; ".join(f"{lack.clause}: {lack.sentence.rstrip('.')}" for lack in lacking)
        found = f"{len(lacking)} thing{'s' if len(lacking) > 1 else ''} that they must say"
        yield context.draft(codes.PROMO_INCOMPLETE, clause=lacking[0].clause, what=what, found=found, required=clauses)
    yield from prohibited_prize_drafts(context, what, terms.prizes, received)
    if asked := unanswered_questions(terms, duties, context.prescribed_values(received)):
        yield context.draft(
            codes.PROMO_PRIZE_WORDS,
            clause=asked[0].clause,
            what=what,
            found=" ".join(each.sentence for each in asked),
            required=f"Clause {', '.join(dict.fromkeys(each.clause for each in asked))} may prohibit it",
        )


def check_material(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-NOT-REFERENCED (`duties.promotions.terms_shown`): marketing material without a reference to the terms."""
    if not context.body["refers_to_terms"]:
        what = f"Marketing material of P-{context.body['promotion']} ({context.body['description']})"
        found = f"used from {context.body['used_from']}"
        clause = context.duties.terms_shown.clause
        yield context.draft(
            codes.PROMO_NOT_REFERENCED, clause=clause, what=what, found=found, required=f"clause {clause}"
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


def check_denial_details(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-DENIAL-RECORD (`duties.promotions.denial`): a denied claim above the threshold without name or address."""
    body, duty = context.body, context.duties.denial
    if body["decision"] != "denied":
        return
    promotion = context.promotion_of_claim(body["claim"])
    claim = promotion.claim(body["claim"]) if promotion else None
    if promotion is None or claim is None:
        return
    claimed_at, recorded_at = (claim.required_instant(name) for name in ("claimed_at", "at"))
    terms = promotion.terms_in_force(claimed_at) or promotion.terms_in_force(recorded_at) or Terms({})
    value_cents = claimed_value_cents(claim.content["prize"], claim.content["value_cents"], terms)
    if missing := details_not_kept(kept_details(claim, context.entry), value_cents, duty):
        yield context.draft(
            codes.PROMO_DENIAL_RECORD,
            clause=duty.record_clause,
            what=f"C-{body['claim']} ({format_amount(value_cents)})",
            found=f"the claimant's {' and '.join(missing)}",
            required=f"above {format_amount(duty.record_over_cents)} they are kept",
        )


def check_deadlines(context: PromotionContext) -> Iterator[FindingDraft]:
    """PROMO-WINNER-LATE and PROMO-DENIAL-NOT-TOLD: deadlines that passed between the previous deadline entry and this
    one."""
    before, earliest = context.subject.history.last_of_kind(*DEADLINE_ENTRIES), context.subject.event_time - LOOK_BACK
    since = max(before.at, earliest) if before else earliest
    key = ("holidays", context.duties.notification.holiday_calendar)
    known = context.subject.cached_read(key, lambda: HolidayCache(context.subject.source.casino_facts_at))
    yield from _late_winner_notices(context, since, known)
    yield from _unexplained_denials(context, since, known)


def _late_winner_notices(context: PromotionContext, since: datetime, known: HolidayCache) -> Iterator[FindingDraft]:
    late = list(_late_winners(context, since, known))
    if not late:
        return
    duty = context.duties.notification
    names = ", ".join(f"{file.reference(winner)} ({winner.content['prize']})" for file, winner, _ in late)
    tried = [attempt.required_instant("at") for file, winner, _ in late for attempt in file.attempts(winner)]
    latest = max((due for _, _, due in late), key=lambda due: due.ends_at)
    others = (f"{day.day} {day:%b} by the reading {name}" for name, day in latest.by_reading.items())
    due_by = f"{context.format_time(latest.ends_at - timedelta(minutes=1))} ({', '.join(others)})"
    yield context.draft(
        codes.PROMO_WINNER_LATE,
        clause=duty.clause,
        what=names,
        required=due_by,
        found=f"on {context.format_time(min(tried))}" if tried else "never made",
        evidence=[winner.index for _, winner, _ in late],
    )


def _late_winners(
    context: PromotionContext, since: datetime, known: HolidayCache
) -> Iterator[tuple[PromotionFile, FileEntry, NotificationDeadline]]:
    """Winners whom nobody tried to notify before a deadline that has passed since then. One who is recorded only after
    the deadline is late at that entry."""
    duty, casino, event = context.duties.notification, context.subject.casino, context.subject.event
    own = [event] if event.kind == WINNER else []
    for won in [*context.subject.history.events_of_kind(WINNER), *own]:
        winner, promotion = FileEntry(won.entry), context.read_promotion(won.body["promotion"])
        drawn_at = promotion.drawn_at(winner.content["draw"])
        is_required = is_notification_required(duty, is_presence_required=winner.content["presence_required"])
        if drawn_at is None or not is_required:
            continue
        due = winner_deadline(casino, drawn_at, duty, known)
        is_over = due.ends_at <= event.at and (won is event or due.ends_at > since)
        attempts = [each for each in promotion.attempts(winner) if each.content["method"] in duty.methods]
        if is_over and not any(each.required_instant("at") < due.ends_at for each in attempts):
            yield promotion, winner, due


def _unexplained_denials(context: PromotionContext, since: datetime, known: HolidayCache) -> Iterator[FindingDraft]:
    casino, now = context.subject.casino, context.subject.event_time
    late = []
    for decision in context.subject.history.events_of_kind(DECIDED):
        ends_at = overdue_at(casino, decision.at, context.duties, known)
        is_over = decision.body["decision"] == "denied" and since < ends_at <= now
        if is_over and not _is_explained(context, decision.body["claim"], ends_at):
            late.append((decision, ends_at))
    if late:
        yield context.draft(
            codes.PROMO_DENIAL_NOT_TOLD,
            clause=context.duties.denial.clause,
            what=", ".join(f"C-{one.body['claim']}" for one, _ in late),
            found=context.format_time(max(ends for _, ends in late)),
            required="as soon as practicable is due",
            evidence=[one for one, _ in late],
        )


def _is_explained(context: PromotionContext, number: int, before: datetime) -> bool:
    """Whether the claimant was told the reasons of a denial after the claim and before an instant."""
    promotion = context.promotion_of_claim(number)
    claim = promotion.claim(number) if promotion else None
    if promotion is None or claim is None:
        return False
    told = (each.required_instant("told_at") for each in promotion.entries_of(TOLD, claim=number))
    return any(claim.required_instant("claimed_at") <= at < before for at in told)


CHECKS = (
    promotion_check(
        TERMS,
        check_terms,
        codes.PROMO_FILED_LATE,
        codes.PROMO_INCOMPLETE,
        codes.PROMO_AMENDED,
        codes.PROMO_PROHIBITED,
        codes.PROMO_PRIZE_WORDS,
    ),
    promotion_check(MATERIAL, check_material, codes.PROMO_NOT_REFERENCED),
    *(promotion_check(kind, check_stop_notified, codes.PROMO_STOP_NOT_TOLD) for kind in STOP_KINDS),
    promotion_check(DECIDED, check_denial_details, codes.PROMO_DENIAL_RECORD),
    TimelineCheck(
        frozenset({codes.PROMO_WINNER_LATE, codes.PROMO_DENIAL_NOT_TOLD}),
        DEADLINE_ENTRIES,
        with_promotion_duties(check_deadlines),
        LookBack(DEADLINE_ENTRIES, duration=LOOK_BACK + LONGEST_DEADLINE, is_casino_wide=True),
    ),
)
