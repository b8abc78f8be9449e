"""Giving and ending roles: not to oneself, and a casino keeps an administrator."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from compliance.core.accounts.errors import (
    CannotGiveOwnRole,
    LastAdministrator,
    NotAdministrator,
    RoleEndedAlready,
    RoleHeldAlready,
)
from compliance.core.accounts.models import AccountEvent, EventKind, RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import end_role, give_role
from tests.compliance.core.accounts.people import LONG_AGO, Cast, browser_of, sign_off

NOW = LONG_AGO.replace(month=6)


def role_of(person: User, role: str = Role.ADMINISTRATOR) -> RoleAssignment:
    return RoleAssignment.objects.current().get(user=person, role=role)


def test_an_administrator_gives_a_role_and_it_is_written_down(cast: Cast) -> None:
    page = f"/casinos/harbour/people/{cast.mara.pk}/roles/give/"
    answer = browser_of(cast.ada).post(page, {"role": Role.SHIFT_MANAGER, **sign_off(cast.ada)})
    assert answer.headers["Location"] == f"/casinos/harbour/people/{cast.mara.pk}/"
    held = role_of(cast.mara, Role.SHIFT_MANAGER)
    assert (held.given_by, held.casino) == (cast.ada, cast.harbour)
    event = AccountEvent.objects.filter(kind=EventKind.ROLE_GIVEN).latest("pk")
    assert (event.actor, event.subject, event.casino, event.detail) == (
        cast.ada,
        cast.mara,
        cast.harbour,
        "Shift manager",
    )


def test_an_administrator_can_give_no_role_to_themselves(cast: Cast) -> None:
    """Refused by the form, the service and the database; a colleague can."""
    page = f"/casinos/harbour/people/{cast.ada.pk}/roles/give/"
    shown = browser_of(cast.ada).post(page, {"role": Role.SHIFT_MANAGER, **sign_off(cast.ada)})
    assert "You cannot give a role to yourself." in shown.content.decode()
    with pytest.raises(CannotGiveOwnRole):
        give_role(subject=cast.ada, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=NOW)
    with pytest.raises(IntegrityError, match="role_not_given_to_self"), transaction.atomic():
        RoleAssignment.objects.create(
            user=cast.ada, casino=cast.harbour, role=Role.SHIFT_MANAGER, given_by=cast.ada, given_at=NOW
        )
    give_role(subject=cast.ada, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.bruno, now=NOW)
    assert role_of(cast.ada, Role.SHIFT_MANAGER).given_by == cast.bruno


def test_only_an_administrator_of_that_casino_gives_and_ends_roles(cast: Cast) -> None:
    for stranger in (cast.otto, cast.ines, cast.mara):
        with pytest.raises(NotAdministrator):
            give_role(subject=cast.bruno, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=stranger, now=NOW)
        with pytest.raises(NotAdministrator):
            end_role(held=role_of(cast.bruno), actor=stranger, now=NOW)
    end_role(held=role_of(cast.bruno), actor=cast.ada, now=NOW)
    with pytest.raises(NotAdministrator):
        give_role(subject=cast.mara, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.bruno, now=NOW)


def test_a_role_is_held_once_and_ended_once(cast: Cast) -> None:
    with pytest.raises(RoleHeldAlready):
        give_role(subject=cast.ines, casino=cast.harbour, role=Role.INSPECTOR, actor=cast.gail, now=NOW)
    held = role_of(cast.ines, Role.INSPECTOR)
    end_role(held=held, actor=cast.gail, now=NOW)
    with pytest.raises(RoleEndedAlready):
        end_role(held=held, actor=cast.gail, now=NOW)
    again = give_role(subject=cast.ines, casino=cast.harbour, role=Role.INSPECTOR, actor=cast.gail, now=NOW)
    assert RoleAssignment.objects.filter(user=cast.ines).count() == 2
    assert again.ended_at is None


def test_an_ended_role_opens_nothing_from_the_next_request_on(cast: Cast) -> None:
    browser = browser_of(cast.bruno)
    assert browser.get("/casinos/harbour/people/").status_code == 200
    end_role(held=role_of(cast.bruno), actor=cast.ada, now=NOW)
    assert browser.get("/casinos/harbour/people/").status_code == 404


def test_what_a_service_asks_is_read_afresh(cast: Cast) -> None:
    """The page was opened with the role; the submission comes after the role, or the account, has ended."""
    ines, harbour = cast.ines, cast.harbour
    assert ines.has_role(Role.INSPECTOR, casino=harbour)
    assert ines.has_role_in_database(Role.SHIFT_MANAGER, Role.INSPECTOR, casino=harbour)
    assert not ines.has_role_in_database(Role.SHIFT_MANAGER, casino=harbour)
    assert not ines.has_role_in_database(Role.INSPECTOR, casino=cast.marina)
    User.objects.filter(pk=ines.pk).update(is_active=False)
    assert not ines.has_role_in_database(Role.INSPECTOR, casino=harbour)
    User.objects.filter(pk=ines.pk).update(is_active=True)
    end_role(held=role_of(ines, Role.INSPECTOR), actor=cast.gail, now=NOW)
    assert ines.has_role(Role.INSPECTOR, casino=harbour), "as it was when the page was opened"
    assert not ines.has_role_in_database(Role.INSPECTOR, casino=harbour)


def test_the_last_administrator_stays_whoever_asks(cast: Cast) -> None:
    end_role(held=role_of(cast.bruno), actor=cast.ada, now=NOW)
    with pytest.raises(LastAdministrator):
        end_role(held=role_of(cast.ada), actor=cast.ada, now=NOW)
    page = f"/casinos/harbour/people/{cast.ada.pk}/roles/{role_of(cast.ada).pk}/end/"
    shown = browser_of(cast.ada).post(page, sign_off(cast.ada)).content.decode()
    assert "A casino keeps at least one administrator" in shown
    give_role(subject=cast.mara, casino=cast.harbour, role=Role.ADMINISTRATOR, actor=cast.ada, now=NOW)
    assert browser_of(cast.ada).post(page, sign_off(cast.ada)).headers["Location"] == "/"
    assert not RoleAssignment.objects.current().filter(user=cast.ada).exists()


def test_a_disabled_administrator_does_not_count_as_one(cast: Cast) -> None:
    User.objects.filter(pk=cast.bruno.pk).update(is_active=False)
    with pytest.raises(LastAdministrator):
        end_role(held=role_of(cast.ada), actor=cast.ada, now=NOW)
    end_role(held=role_of(cast.bruno), actor=cast.ada, now=NOW)


def test_the_database_keeps_the_last_administrator_by_itself(cast: Cast) -> None:
    RoleAssignment.objects.filter(user=cast.bruno).update(ended_at=NOW)
    changes: tuple[Callable[[], int], ...] = (
        lambda: RoleAssignment.objects.filter(user=cast.ada).update(ended_at=NOW),
        lambda: User.objects.filter(pk=cast.ada.pk).update(is_active=False),
    )
    for change in changes:
        with pytest.raises(IntegrityError, match="keeps at least one administrator"), transaction.atomic():
            change()
    assert RoleAssignment.objects.current().filter(user=cast.ada).exists()


@pytest.mark.parametrize(
    "change", [{"role": Role.MARKETING}, {"given_at": NOW}, {"given_by": None}, {"casino_id": 0}, {"user_id": 0}]
)
def test_the_database_lets_nobody_rewrite_who_held_what(cast: Cast, change: dict[str, object]) -> None:
    held = RoleAssignment.objects.filter(user=cast.ines)
    with pytest.raises(IntegrityError, match="kept as it was written"), transaction.atomic():
        held.update(**change)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        held._raw_delete("default")
    held.update(ended_at=NOW)
    with pytest.raises(IntegrityError, match="kept as it was written"), transaction.atomic():
        held.update(ended_at=None)


def test_who_held_what_when_can_be_asked_later(cast: Cast) -> None:
    end_role(held=role_of(cast.ines, Role.INSPECTOR), actor=cast.gail, now=NOW)
    inspectors = RoleAssignment.objects.filter(casino=cast.harbour, role=Role.INSPECTOR)
    given_at, blink = inspectors.get().given_at, timedelta(microseconds=1)
    moments = (given_at - blink, given_at, NOW - blink, NOW)
    assert [inspectors.held_at(moment).exists() for moment in moments] == [False, True, True, False]
