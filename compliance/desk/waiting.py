"""What waits for a person. Each subject has a provider; the desk lies above all apps, so it asks them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from compliance.accounts.models import Casino, Invitation, User
from compliance.accounts.roles import Role
from compliance.accounts.second_factor import FEW_RECOVERY_CODES, recovery_codes_left
from compliance.accounts.selectors import lacking_second_factor, locked_people
from compliance.alerts.selectors import MAY_READ as MAY_READ_ALERTS
from compliance.alerts.selectors import alerts_waiting_for
from compliance.disputes.selectors import waiting_at, with_inspectors
from compliance.disputes.standing import MAY_INSPECT, MAY_LOG
from compliance.equipment.needs import TOPIC as EQUIPMENT
from compliance.equipment.needs import needs_of
from compliance.equipment.selectors import equipment_now, stopped_tables
from compliance.equipment.services import MAY_RECORD
from compliance.fairness.models import MAY_MARK
from compliance.fairness.selectors import unseen_signals
from compliance.reviews.selectors import MAY_ANSWER, MAY_REVIEW, UNANSWERED, counts_of, waiting_questions
from compliance.reviews.states import State as ReviewState
from compliance.signs.offers import needs_of as needs_of_tables
from compliance.signs.standing import SUPERVISORS
from compliance.web.components import Kind
from promotions.claims.selectors import untold_denials
from promotions.draws.selectors import untold
from promotions.standing import MAY_WRITE as MAY_WRITE_PROMOTIONS
from promotions.terms.selectors import amendments_waiting_for
from rounds.floor.models import Table
from rounds.floor.selectors import keys_waiting_for
from rounds.floor.standing import MAY_READ
from rounds.intake.selectors import feeds_in_figures
from rounds.rulebook.selectors import waiting_for_approval


@dataclass(frozen=True)
class Waiting:
    """One thing to do: what it is, where it is done, how pressing it is in one word, and at which casino, if at one."""

    label: str
    href: str
    state: str
    kind: Kind
    hint: str = ""
    casino: Casino | None = None


MOST_SHOWN = 20
Provider = Callable[[User, datetime], Iterable[Waiting]]


def own_second_factor(user: User, now: datetime) -> Iterator[Waiting]:
    if not user.has_second_factor:
        hint = "Nobody can use your account with your password alone."
        yield Waiting("Set up a second factor", reverse("accounts:enrol"), "Recommended", "info", hint)
        return
    left = recovery_codes_left(user)
    # A demo person's codes are shown on the screen, so none are needed.
    if left <= FEW_RECOVERY_CODES and not user.is_demo:
        hint = f"You have {left} recovery code{'' if left == 1 else 's'} left. They get you in when your phone is lost."
        yield Waiting("Make new recovery codes", reverse("accounts:new-codes"), "Needed", "warning", hint)


def people_to_look_after(user: User, now: datetime) -> Iterator[Waiting]:
    for casino in user.casinos_with(Role.ADMINISTRATOR):
        yield from _people_of(casino, now)


def _people_of(casino: Casino, now: datetime) -> Iterator[Waiting]:
    people = reverse("accounts:people", kwargs={"casino": casino.slug})
    invitations = reverse("accounts:invitations", kwargs={"casino": casino.slug})
    waiting = Invitation.objects.waiting(now).filter(casino=casino).count()
    expired = Invitation.objects.expired(now).filter(casino=casino).count()
    locked = locked_people(casino, now).count()
    lacking = lacking_second_factor(casino).count()
    if locked:
        yield Waiting(_count(locked, "sign-in", "locked"), f"{people}?state=locked", "Locked", "warning", casino=casino)
    if expired:
        yield Waiting(_count(expired, "invitation", "ran out"), invitations, "Expired", "warning", casino=casino)
    if waiting:
        yield Waiting(_count(waiting, "invitation", "not yet accepted"), invitations, "Waiting", "info", casino=casino)
    if lacking:
        label = _count(lacking, "account", "without the second factor its role needs")
        yield Waiting(label, f"{people}?state=no-second-factor", "Missing", "warning", casino=casino)


def rule_versions(user: User, now: datetime) -> Iterator[Waiting]:
    """Proposals and rulings that this person may approve, the oldest first."""
    for version in waiting_for_approval(user).order_by("proposed_at", "pk")[:MOST_SHOWN]:
        hint = f"Proposed by {version.proposed_by}"
        what = "Approve the ruling in" if version.is_ruling else "Approve"
        yield Waiting(f"{what} {version}", version.address("approve"), "Waiting", "warning", hint, version.casino)


def _count(number: int, noun: str, rest: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'} {rest}"


def keys_to_approve(user: User, now: datetime) -> Iterator[Waiting]:
    """A controller is silent until a second person has approved its key."""
    for key in keys_waiting_for(user):
        controller = key.controller
        href = reverse("floor:controller", kwargs={"casino": controller.casino.slug, "controller": controller.slug})
        hint = f"Proposed by {key.proposed_by}"
        yield Waiting(f"Approve the key of {controller}", href, "Waiting", "info", hint, controller.casino)


def feeds_to_look_into(user: User, now: datetime) -> Iterator[Waiting]:
    """Lines that were refused, and rounds from paper that want a second person."""
    for feeds in feeds_in_figures(user.casinos_with(*MAY_READ)):
        there = {"casino": feeds.casino.slug}
        if feeds.quarantined:
            label = _count(feeds.quarantined, "line", "in quarantine")
            yield Waiting(label, reverse("intake:quarantine", kwargs=there), "Waiting", "info", casino=feeds.casino)
        if feeds.on_paper:
            label = _count(feeds.on_paper, "round", "from paper to confirm")
            yield Waiting(label, reverse("intake:paper-rounds", kwargs=there), "Waiting", "info", casino=feeds.casino)


def disputes_to_see_to(user: User, now: datetime) -> Iterator[Waiting]:
    """Open disputes of the operator's staff; complaints of the inspectors."""
    for casino, number, late in waiting_at(user.casinos_with(*MAY_LOG), now):
        there = reverse("disputes:disputes", kwargs={"casino": casino.slug})
        if late:
            label = _count(late, "dispute", "overdue")
            yield Waiting(label, f"{there}?overdue=on", "Overdue", "danger", casino=casino)
        if number > late:
            yield Waiting(_count(number - late, "dispute", "open"), there, "Waiting", "info", casino=casino)
    for dispute in with_inspectors(user.casinos_with(*MAY_INSPECT))[:MOST_SHOWN]:
        label = f"Determine complaint {dispute.reference}"
        is_late = dispute.is_overdue(now)
        state, kind = ("Overdue", "danger") if is_late else ("Waiting", "warning")
        yield Waiting(label, dispute.get_absolute_url(), state, kind, casino=dispute.casino)  # type: ignore[arg-type]


def alerts_to_acknowledge(user: User, now: datetime) -> Iterator[Waiting]:
    """What this person has to be told, and has not said yet that they were."""
    for casino in user.casinos_with(*MAY_READ_ALERTS):
        for alert in alerts_waiting_for(user, casino).order_by("raised_at", "pk")[:MOST_SHOWN]:
            href = reverse("alerts:alert", kwargs={"casino": casino.slug, "alert": alert.entry_index})
            hint = f"Acknowledge it: you must be told by {alert.clause}."
            yield Waiting(alert.statement, href, alert.tag.label, "danger", hint, casino)


def stopped_play(user: User, now: datetime) -> Iterator[Waiting]:
    """Tables that rest for a fault: mend it, or sign for their return."""
    for casino in user.casinos_with(*MAY_READ):
        for table, faults in stopped_tables(casino.slug).items():
            href = reverse("equipment:fault", kwargs={"casino": casino.slug, "fault": faults[0].index})
            yield Waiting(f"Play is stopped at {table}", href, faults[0].tag.label, "danger", casino=casino)


def equipment_to_look_after(user: User, now: datetime) -> Iterator[Waiting]:
    """What the tables need of those who stand at them, in one line a casino; the day list has it all."""
    for casino in user.casinos_with(*MAY_RECORD):
        tables = list(Table.objects.filter(casino=casino).in_use(now).select_related("casino"))
        needs = needs_of(equipment_now(casino, tables, now))
        if needs:
            href = reverse("equipment:board", kwargs={"casino": casino.slug})
            label = _count(len(needs), "thing", "to do at the tables’ equipment")
            yield Waiting(label, href, needs[0].state.label, needs[0].state.kind, casino=casino)


def tables_that_need_somebody(user: User, now: datetime) -> Iterator[Waiting]:
    """Signs to put up, notices that will lapse, tables to close: for those who stand at the tables."""
    for casino in user.casinos_with(*SUPERVISORS):
        tables = list(Table.objects.in_use(now).filter(casino=casino).select_related("casino"))
        for need in [need for need in needs_of_tables(tables, now) if need.topic != EQUIPMENT][:MOST_SHOWN]:
            href = reverse("signs:table", kwargs={"casino": casino.slug, "table": need.table.slug})
            label = f"{need.table}: {need.label}"
            yield Waiting(label, href, need.state.label, need.state.kind, need.hint, casino)


def promotions_to_look_after(user: User, now: datetime) -> Iterator[Waiting]:
    """Amendments to decide; winners and claimants who wait to be told; drafts that must be filed soon."""
    for version in amendments_waiting_for(user)[:MOST_SHOWN]:
        casino = version.promotion.casino
        hint = f"Asked for by {version.filed_by}"
        yield Waiting(
            f"Decide the amendment of {version.name}", version.address("decide"), "Waiting", "warning", hint, casino
        )
    for casino in user.casinos_with(*MAY_WRITE_PROMOTIONS):
        there = {"casino": casino.slug}
        draws = untold(casino, now)
        overdue = sum(draw.overdue for draw in draws)
        if draws:
            label = _count(sum(draw.winners for draw in draws), "winner", "not told yet")
            state, kind = ("Overdue", "danger") if overdue else ("Waiting", "warning")
            yield Waiting(label, reverse("draws:not-told", kwargs=there), state, kind, casino=casino)  # type: ignore[arg-type]
        if denials := untold_denials(casino).count():
            label = _count(denials, "denied claim", "to explain to the patron")
            yield Waiting(label, reverse("promotions:board", kwargs=there), "Waiting", "warning", casino=casino)


def findings_to_review(user: User, now: datetime) -> Iterator[Waiting]:
    """For those who review: what waits, and what waits for a second person."""
    for casino in user.casinos_with(*MAY_REVIEW):
        counts, queue = counts_of(casino, now), reverse("reviews:queue", kwargs={"casino": casino.slug})
        if counts.waiting:
            label, late = _count(counts.waiting, "finding", "to review"), counts.late
            hint = f"{late:,} past the service level" if late else ""
            yield Waiting(label, queue, "Late" if late else "Waiting", "warning" if late else "info", hint, casino)
        if counts.unanswered:
            label = _count(counts.unanswered, "question", "not answered in time")
            yield Waiting(label, f"{queue}?state={UNANSWERED}", "Overdue", "danger", casino=casino)
        if seconding := counts.by_state.get(ReviewState.SECONDING, 0):
            label = _count(seconding, "decision", "for a second reviewer")
            yield Waiting(label, f"{queue}?state=seconding", "Waiting", "info", casino=casino)


def questions_to_answer(user: User, now: datetime) -> Iterator[Waiting]:
    """For the operator: what the inspectorate asked, the most pressing first."""
    for casino in user.casinos_with(*MAY_ANSWER):
        for question in waiting_questions(casino).order_by("due_at")[:MOST_SHOWN]:
            is_late = question.due_at is not None and question.due_at <= now
            label = f"Answer about {question.finding.code}"
            kind: Kind = "danger" if is_late else "warning"
            yield Waiting(label, question.answer_href, "Late" if is_late else "Waiting", kind, casino=casino)


def signals_to_look_at(user: User, now: datetime) -> Iterator[Waiting]:
    for casino in user.casinos_with(*MAY_MARK):
        if unseen := unseen_signals(casino):
            signals = reverse("fairness:signals", kwargs={"casino": casino.slug})
            hint = "What chance would hardly give. Nothing is proved."
            label = _count(unseen, "signal", "that nobody looked at")
            yield Waiting(label, f"{signals}?state=unseen", "Waiting", "info", hint, casino)


PROVIDERS: tuple[Provider, ...] = (
    own_second_factor,
    tables_that_need_somebody,
    disputes_to_see_to,
    alerts_to_acknowledge,
    stopped_play,
    equipment_to_look_after,
    questions_to_answer,
    findings_to_review,
    signals_to_look_at,
    rule_versions,
    keys_to_approve,
    feeds_to_look_into,
    promotions_to_look_after,
    people_to_look_after,
)


def waiting_for(user: User, now: datetime) -> list[Waiting]:
    """What is pressing first; within that, in the order of the providers."""
    found = [thing for provider in PROVIDERS for thing in provider(user, now)]
    order: tuple[Kind, ...] = ("danger", "warning", "info", "success", "neutral")
    return sorted(found, key=lambda thing: order.index(thing.kind))
