"""Reauthentication: password and code in the submission that approves something."""

from datetime import UTC, datetime

import pytest
import time_machine
from axes.models import AccessAttempt

from compliance.core.accounts.models import AccountEvent, EventKind, RoleAssignment
from compliance.core.accounts.roles import Role
from tests.compliance.core.accounts.people import (
    PASSWORD,
    Cast,
    browser_of,
    code_now,
    next_code,
    sign_off,
    without_role_and_phone,
)

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


def disable_page(cast: Cast) -> str:
    return f"/casinos/harbour/people/{cast.mara.pk}/disable/"


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"password": "wrong"}, "That is not your password."),
        ({"password": ""}, "Enter your password to sign this off."),
        ({"code": "000000"}, "That code is wrong or was used already."),
        ({"code": ""}, "Enter the code your authenticator app shows now."),
        ({"code": "nonsense"}, "That code is wrong or was used already."),
    ],
)
def test_a_mistake_loses_nothing_that_was_typed(cast: Cast, typed: dict[str, str], problem: str) -> None:
    browser = browser_of(cast.ada)
    sent = {"reason": "Left on Friday", **sign_off(cast.ada), **typed}
    page = browser.post(disable_page(cast), sent).content.decode()
    assert problem in page
    assert "Left on Friday" in page
    assert PASSWORD not in page
    cast.mara.refresh_from_db()
    assert cast.mara.is_active
    browser.post(disable_page(cast), {"reason": "Left on Friday", **sign_off(cast.ada)})
    cast.mara.refresh_from_db()
    assert not cast.mara.is_active


def test_a_code_is_not_spent_on_another_mistake(cast: Cast) -> None:
    browser = browser_of(cast.ada)
    with time_machine.travel(START, tick=False):
        proof = {"password": PASSWORD, "code": code_now()}
        assert "Say why the account is disabled." in browser.post(disable_page(cast), proof).content.decode()
        assert browser.post(disable_page(cast), {"reason": "Left", **proof}).status_code == 302


def test_a_code_used_to_sign_in_or_to_sign_off_cannot_sign_off_again(cast: Cast) -> None:
    browser = browser_of(cast.ada)
    with time_machine.travel(START, tick=False):
        proof = {"password": PASSWORD, "code": code_now()}
        browser.post(disable_page(cast), {"reason": "Left", **proof})
        again = browser.post(f"/casinos/harbour/people/{cast.mara.pk}/enable/", proof)
        assert "was used already" in again.content.decode()
    cast.mara.refresh_from_db()
    assert not cast.mara.is_active


def test_somebody_without_a_second_factor_signs_off_by_password(cast: Cast) -> None:
    """Only a person without any role can have none."""
    browser = browser_of(without_role_and_phone(cast))
    page = browser.get("/account/password/").content.decode()
    assert 'name="code"' not in page
    new = {"new_password": "a glass dome for three", "new_password_again": "a glass dome for three"}
    assert browser.post("/account/password/", {**new, "password": "wrong"}).status_code == 200
    assert browser.post("/account/password/", {**new, "password": PASSWORD}).status_code == 302


def test_a_good_sign_off_wipes_the_failures_before_it(cast: Cast) -> None:
    browser = browser_of(cast.ada)
    for _ in range(4):
        browser.post(disable_page(cast), {"reason": "Left", "password": "wrong", "code": "0"})
    assert AccessAttempt.objects.get().failures_since_start == 4
    browser.post(disable_page(cast), {"reason": "Left", **sign_off(cast.ada)})
    assert not AccessAttempt.objects.exists()
    assert AccountEvent.objects.filter(kind=EventKind.SIGN_OFF_REFUSED, subject=cast.ada).count() == 4


@pytest.mark.parametrize(
    "act", ["roles/give/", "roles/{role}/end/", "disable/", "enable/", "second-factor/reset/", "../invite/"]
)
def test_every_act_that_changes_who_may_do_what_asks_for_it(cast: Cast, act: str) -> None:
    held = RoleAssignment.objects.get(user=cast.mara)
    browser = browser_of(cast.ada)
    page = f"/casinos/harbour/people/{cast.mara.pk}/{act.format(role=held.pk)}"
    page = page.replace(f"{cast.mara.pk}/../", "")
    shown = browser.get(page).content.decode()
    assert 'name="password"' in shown
    assert 'name="code"' in shown
    typed = {"role": Role.SHIFT_MANAGER, "reason": "x", "email": "new@example.com", "name": "New"}
    before = AccountEvent.objects.exclude(kind=EventKind.SIGN_OFF_REFUSED).count()
    next_code(cast.ada)
    browser.post(page, typed)
    browser.post(page, {**typed, "password": "wrong", "code": code_now()})
    assert AccountEvent.objects.exclude(kind=EventKind.SIGN_OFF_REFUSED).count() == before
