"""The demo's disputes: one in each state about paper rounds, and one about a promotion. Only in demo mode."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from django.conf import settings

from compliance.core.accounts.demo import NotADemoError, demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.disputes.entry_bodies import DecisionBody, PatronNotificationBody
from compliance.disputes.models import Dispute
from compliance.disputes.services import (
    add_inspector_note,
    advise_patron,
    close_dispute,
    decide_dispute,
    log_dispute,
    record_complaint,
    record_patron_notification,
    record_payment,
    request_from_operator,
)
from compliance.disputes.subject.disputed_entry import DisputedEntry, subject_at
from promotions.claims.entry_kinds import CLAIM, DECIDED
from rounds.floor.models import Table
from rounds.intake.protocol.round import Round
from rounds.intake.services.paper_rounds import confirm_paper_round, enter_paper_round
from rounds.ledger import EntryQuery, readers

# A table without Super Streak: paper rounds do not reach its display, which would then have miscounted.
CASINO, TABLE = "harbour", "sb-2"
MINUTE = timedelta(minutes=1)


def make_demo_disputes(now: datetime) -> None:
    """Creates the disputes. Idempotent: a casino that has disputes of either kind gets no more of it."""
    if not settings.DEMO:
        raise NotADemoError
    casino = Casino.objects.get(slug=CASINO)
    table = Table.objects.filter(casino=casino, slug=TABLE).select_related("casino").first()
    if table is None:
        return
    floor, disputes = _DemoCast(table, now), Dispute.objects.filter(casino=casino)
    if not disputes.exists():
        floor.log_round_disputes()
    if not disputes.filter(subject_kind=CLAIM).exists():
        floor.log_promotion_dispute()


class _DemoCast:
    """The demo people at one table, and their steps in its disputes."""

    def __init__(self, table: Table, now: datetime) -> None:
        self.table, self.now = table, now
        self.people = {role: User.objects.get(email=demo_email(role)) for role in Role}
        self.gina, self.sid = self.people[Role.GAMES_SUPERVISOR], self.people[Role.CASINO_SUPERVISOR]

    def log_round_disputes(self) -> None:
        self._log_dispute(1, hours=0.5)
        self._log_dispute(2, hours=5)
        self._pay_and_close(self._log_dispute(3, hours=3))
        self._refuse_claim(self._log_dispute(4, hours=4))
        self._complain_to_inspector(self._log_dispute(5, hours=30))

    def log_promotion_dispute(self) -> None:
        """About the claim denied last; without a denied claim there is nothing to dispute."""
        log = self.table.casino.slug
        decided = (entry.content() for entry in readers.iterate_matches(log, EntryQuery(kind=DECIDED)))
        denied = next((body["claim"] for body in decided if body["decision"] == "denied"), None)
        claims = (
            entry
            for entry in readers.iterate_matches(log, EntryQuery(kind=CLAIM))
            if entry.content()["claim"] == denied
        )
        subject = subject_at(self.table.casino, claim.index) if (claim := next(claims, None)) else None
        if subject is not None:
            log_dispute(
                subject=subject,
                wagers=(),
                grounds="promotion",
                statement="The ticket was torn at your own desk.",
                present=(),
                actor=self.people[Role.MARKETING],
                now=self.now - 60 * MINUTE,
            )

    def _log_dispute(self, place: int, hours: float) -> Dispute:
        at = self.now - timedelta(hours=hours)
        return log_dispute(
            subject=self._enter_round(place, at - 10 * MINUTE),
            wagers=[f"demo-{place}-2"],
            grounds="not-paid",
            statement="I had twenty-five dollars on the ten, and the dealer took them.",
            present=["dealer", "games-supervisor"],
            actor=self.gina,
            now=at,
        )

    def _pay_and_close(self, dispute: Dispute) -> None:
        at = dispute.logged_at
        self._decide(dispute, "upheld", "The chips lay on ten. They were paid as nine.", amount_cents=17_500)
        record_payment(
            dispute=dispute,
            way="paid",
            amount_cents=17_500,
            wager=f"demo-{dispute.number}-2",
            note="In chips.",
            actor=self.sid,
            now=at + 8 * MINUTE,
        )
        self._notify_patron(dispute, "accepts")
        close_dispute(dispute=dispute, reason="Paid at the table.", actor=self.sid, now=at + 12 * MINUTE)

    def _refuse_claim(self, dispute: Dispute) -> None:
        self._decide(dispute, "refused", "The film shows the chips on the line between nine and ten.")
        self._notify_patron(dispute, "not-satisfied")

    def _complain_to_inspector(self, dispute: Dispute) -> None:
        at, inspector = dispute.logged_at, self.people[Role.INSPECTOR]
        self._refuse_claim(dispute)
        advise_patron(dispute=dispute, how="printed", language="English", actor=self.sid, now=at + 15 * MINUTE)
        record_complaint(dispute=dispute, received="writing", actor=inspector, now=at + 60 * MINUTE)
        add_inspector_note(
            dispute=dispute, text="Ask for the camera above seat 4 as well.", actor=inspector, now=at + 65 * MINUTE
        )
        request_from_operator(
            dispute=dispute,
            what="footage",
            question="The cameras above this table, ten minutes around the round.",
            due_on=(self.now + timedelta(days=3)).date(),
            actor=inspector,
            now=at + 70 * MINUTE,
        )

    def _decide(self, dispute: Dispute, outcome: str, reasons: str, amount_cents: int = 0) -> None:
        body = DecisionBody(outcome=outcome, reasons=reasons, clause="9.12", amount_cents=amount_cents)  # type: ignore[arg-type]
        decide_dispute(dispute=dispute, rung=0, decision=body, actor=self.gina, now=dispute.logged_at + 5 * MINUTE)

    def _notify_patron(self, dispute: Dispute, answer: str) -> None:
        body = PatronNotificationBody(
            told="The decision and its reasons.",
            language="English",
            acknowledged="acknowledged",
            answer=answer,  # type: ignore[arg-type]
        )
        record_patron_notification(
            dispute=dispute, notification=body, actor=self.gina, now=dispute.logged_at + 9 * MINUTE
        )

    def _enter_round(self, place: int, at: datetime) -> DisputedEntry:
        """Dice 2-4-4. Small is paid correctly; $25 on a total of ten is taken although it wins $150."""
        paper = enter_paper_round(
            table=self.table,
            played=_demo_round(place, at),
            played_at=at,
            why="The controller was being replaced.",
            actor=self.gina,
            now=at + MINUTE,
        )
        confirmed = confirm_paper_round(paper=paper, actor=self.sid, now=at + 2 * MINUTE)
        assert confirmed.entry_index is not None
        subject = subject_at(self.table.casino, confirmed.entry_index)
        assert subject is not None
        return subject


def _demo_round(place: int, at: datetime) -> Round:
    names = ("tumbled", "bets-open", "no-more-bets-called", "uncovered", "result-called")
    events = [{"name": name, "at": at + timedelta(seconds=8 * step)} for step, name in enumerate(names)]
    events[0]["count"] = 3
    placed = at + timedelta(seconds=10)
    wager = {"player": "p-07", "tender": "value-chips", "placed_at": placed}
    wagers = [
        {**wager, "id": f"demo-{place}-1", "bet": "small", "stake": 2_500, "verdict": "win", "returned": 5_000},
        {**wager, "id": f"demo-{place}-2", "bet": "total:10", "stake": 2_500, "verdict": "lose", "returned": 0},
    ]
    body = {
        "round": f"demo-{place}",
        "gaming_day": at.date(),
        "events": events,
        "dice": (2, 4, 4),
        "wagers": wagers,
        "called": {"faces": (2, 4, 4), "total": 10},
    }
    return msgspec.convert(body, Round)
