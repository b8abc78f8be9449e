"""Use cases of administrators on an account: disable, enable, reset the second factor, unlock."""

import io
from collections.abc import Callable

import pytest
from axes.models import AccessAttempt
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.errors import (
    CannotChangeOwnAccount,
    DisabledAlready,
    EnabledAlready,
    NoSecondFactor,
    NotAdministrator,
    WorksElsewhere,
)
from compliance.core.accounts.models import AccountEvent, EventKind, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import (
    disable_person,
    enable_person,
    give_role,
    reset_second_factor,
    unlock_sign_in,
)
from tests.compliance.core.accounts.people import LONG_AGO, PASSWORD, Cast, browser_of, hire, sign_off

NOW = LONG_AGO.replace(month=6)


def test_disabling_ends_the_sessions_at_once_and_enabling_lets_in_again(cast: Cast) -> None:
    inside = browser_of(cast.mara)
    assert inside.get("/").status_code == 200
    page = f"/casinos/harbour/people/{cast.mara.pk}/"
    browser_of(cast.ada).post(page + "disable/", {"reason": "On leave", **sign_off(cast.ada)})
    assert inside.get("/").headers["Location"] == "/sign-in/"
    typed = {"email": cast.mara.email, "password": PASSWORD}
    assert Client().post("/sign-in/", typed).status_code == 200
    assert AccountEvent.objects.get(kind=EventKind.DISABLED).detail == "On leave"
    browser_of(cast.ada).post(page + "enable/", sign_off(cast.ada))
    assert Client().post("/sign-in/", typed).status_code == 302
    assert inside.get("/").status_code == 302


def test_nobody_disables_themselves(cast: Cast) -> None:
    page = f"/casinos/harbour/people/{cast.ada.pk}/disable/"
    shown = browser_of(cast.ada).post(page, {"reason": "Enough", **sign_off(cast.ada)}).content.decode()
    assert "You cannot do this to your own account." in shown
    with pytest.raises(CannotChangeOwnAccount):
        disable_person(subject=cast.ada, casino=cast.harbour, reason="Enough", actor=cast.ada, now=NOW)
    assert disable_person(subject=cast.ada, casino=cast.harbour, reason="Left", actor=cast.bruno, now=NOW) == cast.ada


def test_one_cannot_disable_twice_or_enable_the_enabled(cast: Cast) -> None:
    with pytest.raises(EnabledAlready):
        enable_person(subject=cast.ines, casino=cast.harbour, actor=cast.gail, now=NOW)
    disable_person(subject=cast.ines, casino=cast.harbour, reason="x", actor=cast.gail, now=NOW)
    with pytest.raises(DisabledAlready):
        disable_person(subject=cast.ines, casino=cast.harbour, reason="x", actor=cast.gail, now=NOW)


def test_an_account_that_works_elsewhere_too_is_not_one_casinos_to_stop(cast: Cast) -> None:
    give_role(subject=cast.mara, casino=cast.marina, role=Role.MARKETING, actor=cast.otto, now=NOW)
    acts: tuple[Callable[[User], User], ...] = (
        lambda actor: disable_person(subject=cast.mara, casino=cast.harbour, reason="x", actor=actor, now=NOW),
        lambda actor: reset_second_factor(subject=cast.mara, casino=cast.harbour, actor=actor, now=NOW),
    )
    for act in acts:
        with pytest.raises(WorksElsewhere):
            act(cast.ada)
    give_role(subject=cast.ada, casino=cast.marina, role=Role.ADMINISTRATOR, actor=cast.otto, now=NOW)
    for act in reversed(acts):
        act(cast.ada)
    assert not User.objects.get(pk=cast.mara.pk).is_active


def test_an_outsider_and_a_colleague_without_the_role_can_do_nothing(cast: Cast) -> None:
    for stranger in (cast.otto, cast.mara):
        with pytest.raises(NotAdministrator):
            disable_person(subject=cast.ines, casino=cast.harbour, reason="x", actor=stranger, now=NOW)
        with pytest.raises(NotAdministrator):
            reset_second_factor(subject=cast.ines, casino=cast.harbour, actor=stranger, now=NOW)
        with pytest.raises(NotAdministrator):
            unlock_sign_in(subject=cast.ines, casino=cast.harbour, actor=stranger, now=NOW)
    unlock_sign_in(subject=cast.ines, casino=cast.harbour, actor=cast.gail, now=NOW)


def test_resetting_the_second_factor_ends_the_sessions_and_asks_for_a_new_one(cast: Cast) -> None:
    inside = browser_of(cast.ines)
    page = f"/casinos/harbour/people/{cast.ines.pk}/second-factor/reset/"
    assert browser_of(cast.gail).post(page, sign_off(cast.gail)).status_code == 302
    assert inside.get("/").headers["Location"] == "/sign-in/"
    assert not TOTPDevice.objects.filter(user=cast.ines).exists()
    again = Client()
    again.post("/sign-in/", {"email": cast.ines.email, "password": PASSWORD})
    assert again.get("/").headers["Location"] == "/sign-in/second-factor/"
    assert AccountEvent.objects.get(kind=EventKind.SECOND_FACTOR_RESET).actor == cast.gail
    with pytest.raises(NoSecondFactor):
        reset_second_factor(subject=cast.ines, casino=cast.harbour, actor=cast.gail, now=NOW)


def test_those_who_run_the_service_can_reset_it_where_no_administrator_can(cast: Cast) -> None:
    inside = browser_of(cast.ines)
    nora = hire("nora", cast.harbour, Role.MARKETING, by=cast.ada)
    for email, problem in (("nobody@example.com", "no account"), (nora.email, "no second factor")):
        with pytest.raises(CommandError, match=problem):
            call_command("reset_second_factor", email)
    call_command("reset_second_factor", "INES@example.com", stdout=io.StringIO())
    assert inside.get("/").headers["Location"] == "/sign-in/"
    assert not TOTPDevice.objects.filter(user=cast.ines).exists()
    event = AccountEvent.objects.get(kind=EventKind.SECOND_FACTOR_RESET)
    assert (event.actor, event.detail) == (None, "by those who run the service")


def test_unlocking_lets_a_locked_person_try_again_at_once(cast: Cast) -> None:
    for _ in range(5):
        Client().post("/sign-in/", {"email": cast.mara.email, "password": "wrong"})
    right = {"email": cast.mara.email, "password": PASSWORD}
    assert Client().post("/sign-in/", right).status_code == 429
    ada = browser_of(cast.ada)
    person = f"/casinos/harbour/people/{cast.mara.pk}/"
    assert "Unlock sign-in" in ada.get(person).content.decode()
    assert "Locked" in ada.get("/casinos/harbour/people/?state=locked").content.decode()
    assert ada.post(person + "unlock/").status_code == 302
    assert Client().post("/sign-in/", right).status_code == 302
    assert not AccessAttempt.objects.exists()
    assert "Unlock sign-in" not in ada.get(person).content.decode()
