"""Reads of disputes. Reached through access_dispute; absent and forbidden both raise NotFound."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Q, QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.disputes import entry_kinds
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import (
    Attachment,
    Dispute,
    DisputeDraft,
    DisputedWager,
    DisputeQuerySet,
    OwnProcedure,
    Step,
)
from compliance.disputes.permissions import MAY_READ, PROMOTERS, roles_that_may_log_disputes
from rounds.intake.entry_kinds import DISPUTE_PAID, ROUND
from rounds.intake.round_records import DisputePayment, read_payment

DRAFT_LIFETIME = timedelta(days=1)
# Dimensions by which repeated disputes are counted.
COUNT_BY_LABELS = {"table": "Table", "dealer": "Dealer", "bet": "Wager", "clause": "Clause"}
MAX_COUNT_ROWS = 12


def disputes_visible_to(user: User, casino: Casino) -> DisputeQuerySet:
    """The casino's disputes that this person may read: all, those about promotions, or none."""
    disputes = Dispute.objects.filter(casino=casino)
    if user.has_role(*MAY_READ, casino=casino):
        return disputes
    return disputes.about_promotions() if user.has_role(*PROMOTERS, casino=casino) else disputes.none()


def access_dispute(user: User, casino: Casino, number: int) -> Dispute:
    found = disputes_visible_to(user, casino).with_file().filter(number=number).first()
    if found is None:
        raise NotFound
    return found


def access_attachment(user: User, dispute: Dispute, attachment: int) -> Attachment:
    may = disputes_visible_to(user, dispute.casino).filter(pk=dispute.pk).exists()
    found = dispute.attachments.filter(pk=attachment).first() if may else None
    if found is None:
        raise NotFound
    return found


def draft_of(user: User, casino: Casino, index: int) -> DisputeDraft | None:
    return DisputeDraft.objects.filter(person=user, casino=casino, subject_index=index).first()


def drafts_of(user: User, casino: Casino, now: datetime) -> QuerySet[DisputeDraft]:
    return DisputeDraft.objects.filter(person=user, casino=casino, saved_at__gte=now - DRAFT_LIFETIME)


def search_disputes(
    disputes: DisputeQuerySet, *, words: str, state: str, table: str, now: datetime, overdue: bool = False
) -> DisputeQuerySet:
    found = disputes.select_related("casino", "version")
    text = words.strip()
    if text:
        number = text.upper().removeprefix("D-")
        by_number = Q(number=int(number)) if number.isascii() and number.isdigit() and len(number) < 9 else Q()
        found = found.filter(by_number | Q(round__icontains=text) if by_number else Q(round__icontains=text))
    if state in DisputeState:
        found = found.filter(state=state)
    if table:
        found = found.filter(table=table)
    return found.overdue(now) if overdue else found


def disputes_about(user: User, casino: Casino, index: int) -> DisputeQuerySet:
    return disputes_visible_to(user, casino).filter(subject_index=index).select_related("casino")


def own_procedure_of(casino: Casino) -> OwnProcedure | None:
    return OwnProcedure.objects.filter(casino=casino).order_by("-at", "-pk").first()


@dataclass(frozen=True)
class OpenRequest:
    """An inspector's request that the operator has not answered."""

    step: Step
    due_on: date


def open_requests(dispute: Dispute) -> list[OpenRequest]:
    steps = list(dispute.steps.all())
    answered = {step.said.get("answers") for step in steps if step.kind == entry_kinds.ANSWERED}
    return [
        OpenRequest(step, date.fromisoformat(step.said["due_on"]))
        for step in steps
        if step.kind == entry_kinds.ASKED and step.entry_index not in answered
    ]


@dataclass(frozen=True)
class DisputeCount:
    label: str
    disputes: int


def count_repeated_disputes(casino: Casino, by: str, since: datetime) -> list[DisputeCount]:
    """Number of disputes by table, dealer, wager or clause; the most disputed first."""
    disputes = Dispute.objects.filter(casino=casino, logged_at__gte=since)
    if by in ("table", "dealer"):
        rows = disputes.exclude(**{by: ""}).order_by().values(by).annotate(n=Count("pk"))
    else:
        wagers = DisputedWager.objects.filter(dispute__in=disputes).exclude(**{by: ""})
        rows = wagers.order_by().values(by).annotate(n=Count("dispute", distinct=True))
    return [DisputeCount(row[by], row["n"]) for row in rows.order_by("-n", by)[:MAX_COUNT_ROWS]]


def dispute_payments(log: str, rounds: Collection[int]) -> dict[int, list[DisputePayment]]:
    """Payments after disputes about these rounds, by the entry of the round. One query."""
    steps = Step.objects.filter(log=log, kind=DISPUTE_PAID, dispute__subject_index__in=rounds)
    paid: dict[int, list[DisputePayment]] = {}
    for step in steps.order_by("entry_index"):
        paid.setdefault(step.said["corrects"], []).append(read_payment(step.entry_index, step.said))
    return paid


def rounds_with_payments(log: str, first: int, last: int) -> set[int]:
    """The rounds among entries first..last-1 whose settlement was changed after a dispute."""
    span = {"dispute__subject_index__gte": first, "dispute__subject_index__lt": last}
    paid = Step.objects.filter(log=log, kind=DISPUTE_PAID, dispute__subject_kind=ROUND, **span)
    return set(paid.values_list("dispute__subject_index", flat=True))


def open_counts(casinos: Collection[Casino], now: datetime) -> list[tuple[Casino, int, int]]:
    """For the home page: open and overdue disputes of each casino, in one query."""
    rows = (
        Dispute.objects.unfinished()
        .filter(casino__in=casinos)
        .order_by()
        .values("casino")
        .annotate(n=Count("pk"), late=Count("pk", filter=Q(due_at__lt=now)))
    )
    known = {casino.pk: casino for casino in casinos}
    return [(known[row["casino"]], row["n"], row["late"]) for row in rows]


def disputes_with_inspectors(casinos: Collection[Casino]) -> DisputeQuerySet:
    waiting = Dispute.objects.filter(casino__in=casinos, state=DisputeState.WITH_INSPECTOR)
    return waiting.select_related("casino").order_by("due_at", "pk")


def may_log_dispute(user: User, casino: Casino, *, is_promotion: bool = False) -> bool:
    return user.has_role(*roles_that_may_log_disputes(is_promotion=is_promotion), casino=casino)
