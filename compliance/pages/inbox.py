"""Inbox: the tasks waiting for a person. One provider a subject; this app is above all others and may import them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from compliance.analysis.fairness.models import MAY_ACKNOWLEDGE
from compliance.analysis.fairness.selectors import unseen_signals
from compliance.core.accounts.auth.second_factor import FEW_RECOVERY_CODES, count_recovery_codes_left
from compliance.core.accounts.models import Casino, Invitation, User
from compliance.core.accounts.roles import ADMINISTERED_ROLES, Role
from compliance.core.accounts.selectors import administered_roles, count_by_problem
from compliance.core.web.ui.components import TagKind
from compliance.core.web.ui.links import casino_url
from compliance.disputes.permissions import MAY_INSPECT, MAY_LOG
from compliance.disputes.selectors import disputes_with_inspectors, open_counts
from compliance.inspection.reviews.selectors import MAY_ANSWER, MAY_REVIEW, UNANSWERED, count_reviews, waiting_questions
from compliance.inspection.reviews.states import ReviewState as ReviewState
from compliance.notify.alerts.selectors import MAY_READ as MAY_READ_ALERTS
from compliance.notify.alerts.selectors import alerts_waiting_for
from compliance.tables.equipment.selectors import load_equipment_status, stopped_tables
from compliance.tables.equipment.services.floor_records import MAY_RECORD, MAY_REPORT_FAULTS, MAY_RETURN_TO_PLAY
from compliance.tables.equipment.todo_items import TOPIC as EQUIPMENT
from compliance.tables.equipment.todo_items import equipment_todo_items
from compliance.tables.signs.permissions import SUPERVISORS
from compliance.tables.signs.presentation.table_hooks import collect_todo_items as needs_of_tables
from promotions.claims.selectors import unnotified_denials
from promotions.draws.selectors import unnotified_draws
from promotions.shared.permissions import MAY_WRITE as MAY_WRITE_PROMOTIONS
from promotions.terms.selectors import amendments_waiting_for, decisions_to_read, filings_to_read
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ
from rounds.floor.selectors import approvable_keys
from rounds.intake.selectors import feed_counts
from rounds.rulebook.selectors import waiting_for_approval


@dataclass(frozen=True)
class InboxItem:
    """One task: what it is, the page where it is done, how urgent it is, and the casino, if it belongs to one."""

    label: str
    href: str
    state: str
    kind: TagKind
    hint: str = ""
    casino: Casino | None = None


MOST_SHOWN = 20
Provider = Callable[[User, datetime], Iterable[InboxItem]]


def own_second_factor(user: User, now: datetime) -> Iterator[InboxItem]:
    if not user.has_second_factor:
        hint = "Nobody can use your account with your password alone."
        yield InboxItem("Set up a second factor", reverse("accounts:enrol"), "Recommended", "info", hint)
        return
    left = count_recovery_codes_left(user)
    # Demo users see their codes on the screen and need no recovery codes.
    if left <= FEW_RECOVERY_CODES and not user.is_demo:
        hint = f"You have {left} recovery code{'' if left == 1 else 's'} left. They get you in when your phone is lost."
        yield InboxItem("Make new recovery codes", reverse("accounts:new-codes"), "Needed", "warning", hint)


def account_problems(user: User, now: datetime) -> Iterator[InboxItem]:
    for casino in user.casinos_with(*ADMINISTERED_ROLES):
        yield from _account_problems_at(casino, administered_roles(user, casino), now)


def _account_problems_at(casino: Casino, roles: frozenset[Role], now: datetime) -> Iterator[InboxItem]:
    people = casino_url("accounts:people", casino)
    invitations = casino_url("accounts:invitations", casino)
    invited = Invitation.objects.filter(casino=casino, role__in=roles)
    waiting, expired = invited.waiting(now).count(), invited.expired(now).count()
    problems = count_by_problem(casino, roles, now)
    if both := problems["both-sides"]:
        label = _count_label(both, "account", "suspended: government and casino roles")
        yield InboxItem(label, f"{people}?state=both-sides", "Suspended", "danger", casino=casino)
    if locked := problems["locked"]:
        yield InboxItem(
            _count_label(locked, "sign-in", "locked"), f"{people}?state=locked", "Locked", "warning", casino=casino
        )
    if expired:
        yield InboxItem(
            _count_label(expired, "invitation", "ran out"), invitations, "Expired", "warning", casino=casino
        )
    if waiting:
        yield InboxItem(
            _count_label(waiting, "invitation", "not yet accepted"), invitations, "Waiting", "info", casino=casino
        )
    if lacking := problems["no-second-factor"]:
        label = _count_label(lacking, "account", "without the second factor its role needs")
        yield InboxItem(label, f"{people}?state=no-second-factor", "Missing", "warning", casino=casino)


def rule_versions_to_approve(user: User, now: datetime) -> Iterator[InboxItem]:
    """Proposals and rulings that this person may approve, oldest first."""
    for version in waiting_for_approval(user).order_by("proposed_at", "pk")[:MOST_SHOWN]:
        hint = f"Proposed by {version.proposed_by}"
        what = "Approve the ruling in" if version.is_ruling else "Approve"
        yield InboxItem(f"{what} {version}", version.address("approve"), "Waiting", "warning", hint, version.casino)


def _count_label(number: int, noun: str, rest: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'} {rest}"


def keys_to_approve(user: User, now: datetime) -> Iterator[InboxItem]:
    """The controller cannot send until a second person has approved its key."""
    for key in approvable_keys(user):
        controller = key.controller
        href = casino_url("floor:controller", controller.casino, controller=controller.slug)
        hint = f"Proposed by {key.proposed_by}"
        yield InboxItem(f"Approve the key of {controller}", href, "Waiting", "info", hint, controller.casino)


def feeds_to_check(user: User, now: datetime) -> Iterator[InboxItem]:
    """Quarantined lines, and paper rounds that need a second person."""
    for feeds in feed_counts(user.casinos_with(*MAY_READ)):
        casino = feeds.casino
        if feeds.quarantined:
            label = _count_label(feeds.quarantined, "line", "in quarantine")
            yield InboxItem(label, casino_url("intake:quarantine", casino), "Waiting", "info", casino=casino)
        if feeds.on_paper:
            label = _count_label(feeds.on_paper, "round", "from paper to confirm")
            yield InboxItem(label, casino_url("intake:paper-rounds", casino), "Waiting", "info", casino=casino)


def disputes_to_handle(user: User, now: datetime) -> Iterator[InboxItem]:
    """For the operator's staff open disputes, for inspectors complaints."""
    for casino, number, late in open_counts(user.casinos_with(*MAY_LOG), now):
        there = casino_url("disputes:disputes", casino)
        if late:
            label = _count_label(late, "dispute", "overdue")
            yield InboxItem(label, f"{there}?overdue=on", "Overdue", "danger", casino=casino)
        if number > late:
            yield InboxItem(_count_label(number - late, "dispute", "open"), there, "Waiting", "info", casino=casino)
    for dispute in disputes_with_inspectors(user.casinos_with(*MAY_INSPECT))[:MOST_SHOWN]:
        label = f"Determine complaint {dispute.reference}"
        is_late = dispute.is_overdue(now)
        state, kind = ("Overdue", "danger") if is_late else ("Waiting", "warning")
        yield InboxItem(label, dispute.get_absolute_url(), state, kind, casino=dispute.casino)  # type: ignore[arg-type]


def alerts_to_acknowledge(user: User, now: datetime) -> Iterator[InboxItem]:
    """Alerts that must be delivered to this person and that they have not acknowledged."""
    for casino in user.casinos_with(*MAY_READ_ALERTS):
        for alert in alerts_waiting_for(user, casino).order_by("raised_at", "pk")[:MOST_SHOWN]:
            href = casino_url("alerts:alert", casino, alert=alert.entry_index)
            hint = f"Acknowledge it: you must be told by {alert.clause}."
            yield InboxItem(alert.local_statement, href, alert.tag.label, "danger", hint, casino)


def tables_stopped_by_fault(user: User, now: datetime) -> Iterator[InboxItem]:
    """Tables at which play is stopped, for the people who can do something: report a repair, or sign for the return."""
    for casino in user.casinos_with(*MAY_REPORT_FAULTS | MAY_RETURN_TO_PLAY):
        may_sign = user.has_role(*MAY_RETURN_TO_PLAY, casino=casino)
        for table, faults in stopped_tables(casino.slug).items():
            waiting = [fault for fault in faults if may_sign or fault.mended_at is None]
            if waiting:
                href = casino_url("equipment:fault", casino, fault=waiting[0].index)
                yield InboxItem(f"Play is stopped at {table}", href, waiting[0].tag.label, "danger", casino=casino)


def equipment_tasks(user: User, now: datetime) -> Iterator[InboxItem]:
    """One line a casino for the supervisors at its tables; the day list has the details."""
    for casino in user.casinos_with(*MAY_RECORD):
        tables = list(Table.objects.filter(casino=casino).in_use(now).select_related("casino"))
        needs = equipment_todo_items(load_equipment_status(casino, tables, now))
        if needs:
            href = casino_url("equipment:board", casino)
            label = _count_label(len(needs), "thing", "to do at the tables’ equipment")
            yield InboxItem(label, href, needs[0].state.label, needs[0].state.kind, casino=casino)


def table_tasks(user: User, now: datetime) -> Iterator[InboxItem]:
    """Signs to show, notices about to lapse and tables to close, for the supervisors at the tables."""
    for casino in user.casinos_with(*SUPERVISORS):
        tables = list(Table.objects.in_use(now).filter(casino=casino).select_related("casino"))
        for need in [need for need in needs_of_tables(tables, now) if need.topic != EQUIPMENT][:MOST_SHOWN]:
            href = casino_url("signs:table", casino, table=need.table.slug)
            label = f"{need.table}: {need.label}"
            yield InboxItem(label, href, need.state.label, need.state.kind, need.hint, casino)


def promotion_tasks(user: User, now: datetime) -> Iterator[InboxItem]:
    """Amendments to decide; filings and decisions of the last days; winners and claimants to notify."""
    for version in amendments_waiting_for(user)[:MOST_SHOWN]:
        casino = version.promotion.casino
        hint = f"Asked for by {version.filed_by}"
        yield InboxItem(
            f"Decide the amendment of {version.name}", version.address("decide"), "Waiting", "warning", hint, casino
        )
    for version in filings_to_read(user, now)[:MOST_SHOWN]:
        casino, hint = version.promotion.casino, f"Filed by {version.filed_by}"
        yield InboxItem(f"Read the terms of {version.name}", version.address("version"), "Filed", "info", hint, casino)
    for version in decisions_to_read(user, now)[:MOST_SHOWN]:
        casino, state = version.promotion.casino, "Approved" if version.is_effective() else "Refused"
        label = f"The amendment of {version.name} is decided"
        yield InboxItem(label, version.address("version"), state, "info", casino=casino)
    for casino in user.casinos_with(*MAY_WRITE_PROMOTIONS):
        draws = unnotified_draws(casino, now)
        overdue = sum(draw.overdue for draw in draws)
        if draws:
            label = _count_label(sum(draw.winners for draw in draws), "winner", "not told yet")
            state, kind = ("Overdue", "danger") if overdue else ("Waiting", "warning")
            yield InboxItem(label, casino_url("draws:not-told", casino), state, kind, casino=casino)  # type: ignore[arg-type]
        if denials := unnotified_denials(casino).count():
            label = _count_label(denials, "denied claim", "to explain to the patron")
            yield InboxItem(label, casino_url("promotions:board", casino), "Waiting", "warning", casino=casino)


def findings_to_review(user: User, now: datetime) -> Iterator[InboxItem]:
    """For reviewers: findings to review, and those that need a second reviewer."""
    for casino in user.casinos_with(*MAY_REVIEW):
        counts, queue = count_reviews(casino, now), casino_url("reviews:queue", casino)
        if counts.waiting:
            label, late = _count_label(counts.waiting, "finding", "to review"), counts.late
            hint = f"{late:,} past the service level" if late else ""
            yield InboxItem(label, queue, "Late" if late else "Waiting", "warning" if late else "info", hint, casino)
        if counts.unanswered:
            label = _count_label(counts.unanswered, "question", "not answered in time")
            yield InboxItem(label, f"{queue}?state={UNANSWERED}", "Overdue", "danger", casino=casino)
        if seconding := counts.by_state.get(ReviewState.SECONDING, 0):
            label = _count_label(seconding, "decision", "for a second reviewer")
            yield InboxItem(label, f"{queue}?state=seconding", "Waiting", "info", casino=casino)


def questions_to_answer(user: User, now: datetime) -> Iterator[InboxItem]:
    """For the operator: the inspectorate's questions, most urgent first."""
    for casino in user.casinos_with(*MAY_ANSWER):
        for question in waiting_questions(casino).order_by("due_at")[:MOST_SHOWN]:
            is_late = question.due_at is not None and question.due_at <= now
            label = f"Answer about {question.finding.code}"
            kind: TagKind = "danger" if is_late else "warning"
            yield InboxItem(label, question.answer_href, "Late" if is_late else "Waiting", kind, casino=casino)


def fairness_signals_to_check(user: User, now: datetime) -> Iterator[InboxItem]:
    for casino in user.casinos_with(*MAY_ACKNOWLEDGE):
        if unseen := unseen_signals(casino):
            signals = casino_url("fairness:signals", casino)
            hint = "What chance would hardly give. Nothing is proved."
            label = _count_label(unseen, "signal", "that nobody looked at")
            yield InboxItem(label, f"{signals}?state=unseen", "Waiting", "info", hint, casino)


PROVIDERS: tuple[Provider, ...] = (
    own_second_factor,
    table_tasks,
    disputes_to_handle,
    alerts_to_acknowledge,
    tables_stopped_by_fault,
    equipment_tasks,
    questions_to_answer,
    findings_to_review,
    fairness_signals_to_check,
    rule_versions_to_approve,
    keys_to_approve,
    feeds_to_check,
    promotion_tasks,
    account_problems,
)


def inbox_items(user: User, now: datetime) -> list[InboxItem]:
    """Most urgent first; then in the order of the providers."""
    found = [thing for provider in PROVIDERS for thing in provider(user, now)]
    order: tuple[TagKind, ...] = ("danger", "warning", "info", "success", "neutral")
    return sorted(found, key=lambda thing: order.index(thing.kind))
