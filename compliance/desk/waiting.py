"""What waits for a person. Each subject has a provider; the desk lies above all apps, so it asks them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from compliance.accounts.models import Casino, Invitation, User
from compliance.accounts.roles import Role
from compliance.accounts.second_factor import FEW_RECOVERY_CODES, recovery_codes_left
from compliance.accounts.selectors import lacking_second_factor, locked_people
from compliance.reviews.selectors import MAY_ANSWER, MAY_REVIEW, counts_of, waiting_questions
from compliance.reviews.states import State as ReviewState
from compliance.web.components import Kind
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
    for feeds in feeds_in_figures(user.casinos_with(*MAY_READ), now):
        there = {"casino": feeds.casino.slug}
        if feeds.quarantined:
            label = _count(feeds.quarantined, "line", "in quarantine")
            yield Waiting(label, reverse("intake:quarantine", kwargs=there), "Waiting", "info", casino=feeds.casino)
        if feeds.on_paper:
            label = _count(feeds.on_paper, "round", "from paper to confirm")
            yield Waiting(label, reverse("intake:paper-rounds", kwargs=there), "Waiting", "info", casino=feeds.casino)


def findings_to_review(user: User, now: datetime) -> Iterator[Waiting]:
    """For those who review: what waits, and what waits for a second person."""
    for casino in user.casinos_with(*MAY_REVIEW):
        counts, queue = counts_of(casino, now), reverse("reviews:queue", kwargs={"casino": casino.slug})
        if counts.waiting:
            label, late = _count(counts.waiting, "finding", "to review"), counts.late
            hint = f"{late:,} past the service level" if late else ""
            yield Waiting(label, queue, "Late" if late else "Waiting", "warning" if late else "info", hint, casino)
        if seconding := counts.by_state.get(ReviewState.SECONDING, 0):
            label = _count(seconding, "decision", "for a second reviewer")
            yield Waiting(label, f"{queue}?state=seconding", "Waiting", "info", casino=casino)


def questions_to_answer(user: User, now: datetime) -> Iterator[Waiting]:
    """For the operator: what the inspectorate asked, the most pressing first."""
    for casino in user.casinos_with(*MAY_ANSWER):
        for question in waiting_questions(casino).order_by("due_at")[:MOST_SHOWN]:
            is_late = question.due_at is not None and question.due_at < now
            label = f"Answer about {question.finding.code}"
            kind: Kind = "danger" if is_late else "warning"
            yield Waiting(label, question.answer_href, "Late" if is_late else "Waiting", kind, casino=casino)


PROVIDERS: tuple[Provider, ...] = (
    own_second_factor,
    questions_to_answer,
    findings_to_review,
    rule_versions,
    keys_to_approve,
    feeds_to_look_into,
    people_to_look_after,
)


def waiting_for(user: User, now: datetime) -> list[Waiting]:
    """What is pressing first; within that, in the order of the providers."""
    found = [thing for provider in PROVIDERS for thing in provider(user, now)]
    order: tuple[Kind, ...] = ("danger", "warning", "info", "success", "neutral")
    return sorted(found, key=lambda thing: order.index(thing.kind))
