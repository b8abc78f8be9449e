"""Second factor: enrolment, use, loss."""

import base64
import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.auth.second_factor import format_secret
from compliance.core.accounts.models import AccountEvent, EventKind, RecoveryCode, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import give_role
from tests.compliance.core.accounts.people import (
    KEY,
    LONG_AGO,
    PASSWORD,
    Cast,
    browser_of,
    code_now,
    give_phone,
    hire,
    next_code,
    sign_off,
    without_role_and_phone,
)

START = datetime(2026, 11, 16, 9, 0, 10, tzinfo=UTC)


def half_signed_in(person: User) -> Client:
    browser = Client()
    browser.post("/sign-in/", {"email": person.email, "password": PASSWORD})
    return browser


def set_up(browser: Client) -> list[str]:
    """Enrols as a person does: key into the app, the app's code into the page; returns the recovery codes."""
    page = browser.get("/sign-in/second-factor/").content.decode()
    key = re.findall(r"<code>([A-Z2-7 ]+)</code>", page)[0]
    code = totp(base64.b32decode(key.replace(" ", "")))
    shown = browser.post("/sign-in/second-factor/", {"code": f"{code:06}"}).content.decode()
    return re.findall(r"<code>([a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})</code>", shown)


def test_a_new_inspector_sets_it_up_before_anything_else_opens(cast: Cast) -> None:
    nora = hire("nora", cast.harbour, Role.INSPECTOR, by=cast.ada)
    browser = half_signed_in(nora)
    assert browser.get("/").headers["Location"] == "/sign-in/second-factor/"
    assert browser.get("/account/").headers["Location"] == "/sign-in/second-factor/?next=%2Faccount%2F"
    assert browser.get("/sign-in/second-factor/").status_code == 200
    picture = browser.get("/sign-in/second-factor/qr.svg")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert b"<path" in picture.content
    wrong = browser.post("/sign-in/second-factor/", {"code": "000000"}).content.decode()
    assert "That code is wrong or was used already" in wrong
    assert browser.get("/").status_code == 302
    codes = set_up(browser)
    assert len(set(codes)) == 10
    assert browser.get("/").status_code == 200
    assert browser.get("/sign-in/second-factor/qr.svg").status_code == 404
    assert AccountEvent.objects.filter(kind=EventKind.SECOND_FACTOR_ENROLLED, subject=nora).count() == 1


def test_recovery_codes_are_kept_only_as_hashes(cast: Cast) -> None:
    browser = half_signed_in(hire("nora", cast.harbour, Role.INSPECTOR, by=cast.ada))
    codes = set_up(browser)
    kept = set(RecoveryCode.objects.values_list("code_scrypt", flat=True))
    assert len(kept) == 10
    assert not {code.replace("-", "") for code in codes} & kept
    assert all(len(digest) == 64 for digest in kept)


def test_a_password_alone_cannot_replace_it(cast: Cast) -> None:
    browser = half_signed_in(cast.ines)
    assert browser.get("/sign-in/second-factor/").headers["Location"] == "/sign-in/code/"
    assert browser.post("/sign-in/second-factor/", {"code": code_now()}).headers["Location"] == "/sign-in/code/"
    assert browser.get("/account/second-factor/").headers["Location"].startswith("/sign-in/code/")
    assert TOTPDevice.objects.get(user=cast.ines).key == KEY


def test_the_same_code_does_not_work_twice(cast: Cast) -> None:
    with time_machine.travel(START, tick=False) as clock:
        code = code_now()
        assert half_signed_in(cast.ines).post("/sign-in/code/", {"code": code}).status_code == 302
        replayed = half_signed_in(cast.ines).post("/sign-in/code/", {"code": code})
        assert "was used already" in replayed.content.decode()
        clock.shift(timedelta(seconds=30))
        assert half_signed_in(cast.ines).post("/sign-in/code/", {"code": code_now()}).status_code == 302


@pytest.mark.parametrize(("seconds", "status"), [(-60, 200), (-30, 302), (30, 302), (60, 200)])
def test_a_phone_may_be_half_a_minute_off_but_no_more(cast: Cast, seconds: int, status: int) -> None:
    with time_machine.travel(START + timedelta(seconds=seconds), tick=False):
        shown = code_now()
    with time_machine.travel(START, tick=False):
        assert half_signed_in(cast.ines).post("/sign-in/code/", {"code": shown}).status_code == status


def test_a_code_may_be_typed_with_a_space(cast: Cast) -> None:
    code = code_now()
    assert half_signed_in(cast.ines).post("/sign-in/code/", {"code": f" {code[:3]} {code[3:]} "}).status_code == 302


def test_a_recovery_code_works_once(cast: Cast) -> None:
    nora = hire("nora", cast.harbour, Role.INSPECTOR, by=cast.ada)
    code = set_up(half_signed_in(nora))[3]
    browser = half_signed_in(nora)
    assert browser.post("/sign-in/code/", {"code": code.upper()}).status_code == 302
    assert browser.get("/").status_code == 200
    again = half_signed_in(nora)
    assert again.post("/sign-in/code/", {"code": code}).status_code == 200
    assert again.get("/").status_code == 302
    assert RecoveryCode.objects.unused().filter(sheet__user=nora).count() == 9
    assert AccountEvent.objects.filter(kind=EventKind.RECOVERY_CODE_USED, subject=nora).count() == 1


def test_somebody_elses_recovery_code_does_not_work(cast: Cast) -> None:
    nora = hire("nora", cast.harbour, Role.INSPECTOR, by=cast.ada)
    code = set_up(half_signed_in(nora))[0]
    browser = half_signed_in(cast.ines)
    assert browser.post("/sign-in/code/", {"code": code}).status_code == 200
    assert RecoveryCode.objects.unused().filter(sheet__user=nora).count() == 10


def test_new_recovery_codes_need_a_sign_off_and_cancel_the_old_ones(cast: Cast) -> None:
    nora = hire("nora", cast.harbour, Role.INSPECTOR, by=cast.ada)
    browser = half_signed_in(nora)
    old = set_up(browser)
    TOTPDevice.objects.filter(user=nora).update(key=KEY)
    refused = browser.post("/account/recovery-codes/", {"password": "wrong", "code": next_code(nora)})
    assert "That is not your password." in refused.content.decode()
    shown = browser.post("/account/recovery-codes/", sign_off(nora)).content.decode()
    new = re.findall(r"<code>(\w{4}-\w{4}-\w{4})</code>", shown)
    assert len(new) == 10
    assert not set(new) & set(old)
    assert half_signed_in(nora).post("/sign-in/code/", {"code": old[0]}).status_code == 200
    assert browser.get("/").status_code == 200


def test_moving_to_another_phone_signs_out_and_asks_to_set_it_up(cast: Cast) -> None:
    browser, elsewhere = browser_of(cast.ines), browser_of(cast.ines)
    refused = browser.post("/account/second-factor/", {"password": PASSWORD, "code": "000000"})
    assert refused.status_code == 200
    assert TOTPDevice.objects.filter(user=cast.ines).exists()
    assert browser.post("/account/second-factor/", sign_off(cast.ines)).headers["Location"] == "/sign-in/"
    assert elsewhere.get("/").headers["Location"] == "/sign-in/"
    assert half_signed_in(cast.ines).get("/").headers["Location"] == "/sign-in/second-factor/"


@pytest.mark.parametrize("role", Role)
def test_every_role_needs_one(cast: Cast, role: Role) -> None:
    nora = hire("nora", cast.harbour, role, by=cast.ada)
    assert half_signed_in(nora).get("/").headers["Location"] == "/sign-in/second-factor/"


def test_somebody_without_a_role_may_set_one_up_and_is_asked_for_it_from_then_on(cast: Cast) -> None:
    browser = half_signed_in(without_role_and_phone(cast))
    assert browser.get("/").status_code == 200
    assert len(set_up(browser)) == 10
    assert browser.get("/").status_code == 200
    assert half_signed_in(cast.mara).get("/").headers["Location"] == "/sign-in/code/"


def test_a_role_closes_the_session_until_it_is_set_up(cast: Cast) -> None:
    browser = browser_of(without_role_and_phone(cast))
    assert browser.get("/").status_code == 200
    give_role(subject=cast.mara, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=LONG_AGO)
    assert browser.get("/").headers["Location"] == "/sign-in/second-factor/"


def test_the_database_allows_one_phone_a_person(cast: Cast) -> None:
    with pytest.raises(IntegrityError, match="accounts_one_totp"), transaction.atomic():
        give_phone(cast.ines)
    assert give_phone(hire("nora", cast.harbour, Role.MARKETING, by=cast.ada)).pk


def test_the_key_is_shown_as_the_rfc_writes_it() -> None:
    assert format_secret(KEY) == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ"
