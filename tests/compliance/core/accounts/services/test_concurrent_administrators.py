"""Two administrators acting at the same time, with real commits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connections

from compliance.core.accounts.errors import AccountRefusal, RolesOfBothSides
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import disable_person, end_role, give_role
from tests.compliance.core.accounts.people import LONG_AGO, Cast, assemble, hire

pytestmark = pytest.mark.django_db(transaction=True)
NOW = LONG_AGO.replace(month=6)


@pytest.fixture
def cast() -> Cast:
    return assemble()


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Runs them concurrently; returns "done" or the refusal's code for each."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        start.wait()
        try:
            act()
        except AccountRefusal as refusal:
            return refusal.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))


def administrators(cast: Cast) -> int:
    held = RoleAssignment.objects.current().filter(casino=cast.harbour, role=Role.ADMINISTRATOR)
    return held.filter(user__is_active=True).count()


@pytest.mark.parametrize("attempt", range(3))
def test_two_who_leave_together_cannot_both(cast: Cast, attempt: int) -> None:
    roles = {person: RoleAssignment.objects.get(user=person) for person in (cast.ada, cast.bruno)}
    came_to = at_once(*(lambda person=person: end_role(held=roles[person], actor=person, now=NOW) for person in roles))
    assert came_to == ["done", "last-administrator"]
    assert administrators(cast) == 1


@pytest.mark.parametrize("attempt", range(3))
def test_two_who_disable_each_other_leave_one(cast: Cast, attempt: int) -> None:
    def disable(actor: User, subject: User) -> Callable[[], object]:
        return lambda: disable_person(subject=subject, casino=cast.harbour, reason="x", actor=actor, now=NOW)

    assert at_once(disable(cast.ada, cast.bruno), disable(cast.bruno, cast.ada)) == ["done", "not-administrator"]
    assert administrators(cast) == 1


@pytest.mark.parametrize("attempt", range(3))
def test_of_two_roles_given_at_once_one_of_each_side_one_is_refused(cast: Cast, attempt: int) -> None:
    """At different casinos, so that no lock but that of the person's row makes one wait for the other."""
    nora = hire("nora", cast.harbour, Role.MARKETING, by=cast.ada)
    end_role(held=nora.roles.get(), actor=cast.ada, now=NOW)

    def give(role: Role, casino: Casino, actor: User) -> Callable[[], object]:
        def act() -> None:
            try:
                give_role(subject=nora, casino=casino, role=role, actor=actor, now=NOW)
            except IntegrityError as error:
                raise RolesOfBothSides from error

        return act

    came_to = at_once(give(Role.INSPECTOR, cast.harbour, cast.gail), give(Role.SHIFT_MANAGER, cast.marina, cast.otto))
    assert came_to == ["done", "roles-of-both-sides"]
    assert RoleAssignment.objects.current().filter(user=nora).count() == 1
