"""Government and casino: each side gives its own roles, and nobody holds roles of both at the same time."""

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client

from compliance.core.accounts.errors import NotAdministratorOfSide, RolesOfBothSides, WorksElsewhere
from compliance.core.accounts.models import AccountAct, EventKind, Invitation, RoleAssignment, User
from compliance.core.accounts.roles import CASINO_SIDE, GOVERNMENT_SIDE, Role
from compliance.core.accounts.services import (
    accept_as_known_person,
    disable_person,
    enable_person,
    end_role,
    give_role,
    invite_person,
    reset_second_factor,
    suspend_people_of_both_sides,
    unlock_sign_in,
    withdraw_invitation,
)
from tests.compliance.core.accounts.people import LONG_AGO, PASSWORD, Cast, assemble, browser_of, hire, sign_off
from tests.compliance.tampering import tamper

NOW = LONG_AGO.replace(month=6)


def test_each_administrator_gives_and_ends_the_roles_of_their_own_side_alone(cast: Cast) -> None:
    free = hire("nora", cast.marina, Role.GAMES_SUPERVISOR, by=cast.otto)
    end_role(held=free.roles.get(), actor=cast.otto, now=NOW)
    for actor, own, other in ((cast.ada, CASINO_SIDE, GOVERNMENT_SIDE), (cast.gail, GOVERNMENT_SIDE, CASINO_SIDE)):
        for role in other:
            with pytest.raises(NotAdministratorOfSide):
                give_role(subject=free, casino=cast.harbour, role=role, actor=actor, now=NOW)
            with pytest.raises(NotAdministratorOfSide):
                invite_person(email="x@example.com", name="X", casino=cast.harbour, role=role, actor=actor, now=NOW)
        for role in own:
            held = give_role(subject=free, casino=cast.harbour, role=role, actor=actor, now=NOW)
            other_actor = cast.gail if actor == cast.ada else cast.ada
            with pytest.raises(NotAdministratorOfSide):
                end_role(held=held, actor=other_actor, now=NOW)
            end_role(held=held, actor=actor, now=NOW)


def test_neither_administrator_touches_an_account_or_invitation_of_the_other_side(cast: Cast) -> None:
    for actor, subject in ((cast.ada, cast.ines), (cast.gail, cast.mara)):
        common: dict[str, Any] = {"subject": subject, "casino": cast.harbour, "actor": actor, "now": NOW}
        with pytest.raises(NotAdministratorOfSide):
            disable_person(reason="x", **common)
        for service in (enable_person, reset_second_factor, unlock_sign_in):
            with pytest.raises(NotAdministratorOfSide):
                service(**common)
        assert browser_of(actor).get(f"/casinos/harbour/people/{subject.pk}/").status_code == 404
    invited = invite_person(
        email="nina@example.com", name="Nina", casino=cast.harbour, role=Role.INSPECTOR, actor=cast.gail, now=NOW
    ).invitation
    with pytest.raises(NotAdministratorOfSide):
        withdraw_invitation(invitation=invited, actor=cast.ada, now=NOW)
    assert "nina@example.com" not in browser_of(cast.ada).get("/casinos/harbour/people/invitations/").content.decode()
    assert "nina@example.com" in browser_of(cast.gail).get("/casinos/harbour/people/invitations/").content.decode()


def test_the_forms_offer_the_roles_of_the_own_side_and_refuse_others(cast: Cast) -> None:
    for actor, subject, offered, forged in (
        (cast.ada, cast.mara, "shift-manager", "inspector"),
        (cast.gail, cast.ines, "authority-officer", "shift-manager"),
    ):
        for page in (f"/casinos/harbour/people/{subject.pk}/roles/give/", "/casinos/harbour/people/invite/"):
            shown = browser_of(actor).get(page).content.decode()
            assert f'value="{offered}"' in shown
            assert f'value="{forged}"' not in shown
            typed = {"role": forged, "name": "X", "email": "x@example.com", **sign_off(actor)}
            assert browser_of(actor).post(page, typed).status_code == 200
    assert not RoleAssignment.objects.current().filter(user=cast.mara, role="inspector").exists()
    assert not Invitation.objects.open().exists()


@pytest.mark.parametrize("where", ["harbour", "marina"])
def test_nobody_holds_roles_of_both_sides_at_any_casino(cast: Cast, where: str) -> None:
    casino = getattr(cast, where)
    administrator = cast.ada if where == "harbour" else cast.otto
    with pytest.raises(RolesOfBothSides):
        give_role(subject=cast.mara, casino=casino, role=Role.INSPECTOR, actor=cast.gail, now=NOW)
    with pytest.raises(RolesOfBothSides):
        give_role(subject=cast.ines, casino=casino, role=Role.MARKETING, actor=administrator, now=NOW)
    with pytest.raises(RolesOfBothSides):
        invite_person(
            email=cast.ines.email, name="Ines", casino=casino, role=Role.MARKETING, actor=administrator, now=NOW
        )
    for person, role in ((cast.mara, Role.AUTHORITY_OFFICER), (cast.ines, Role.SHIFT_MANAGER)):
        with pytest.raises(IntegrityError, match="nobody holds a government role and"), transaction.atomic():
            RoleAssignment.objects.create(user=person, casino=casino, role=role, given_at=NOW)
    end_role(held=cast.mara.roles.get(), actor=cast.ada, now=NOW)
    give_role(subject=cast.mara, casino=casino, role=Role.INSPECTOR, actor=cast.gail, now=NOW)


def test_an_invitation_from_before_the_other_role_is_refused_too(cast: Cast) -> None:
    invited = invite_person(
        email="nora@example.com", name="Nora", casino=cast.harbour, role=Role.INSPECTOR, actor=cast.gail, now=NOW
    )
    nora = hire("nora", cast.harbour, Role.MARKETING, by=cast.ada)
    with pytest.raises(RolesOfBothSides):
        accept_as_known_person(invitation=invited.invitation, actor=nora, now=NOW)


def test_the_database_lets_nobody_accept_an_invitation_of_their_own(cast: Cast) -> None:
    own = Invitation.objects.filter(email=cast.mara.email)
    with pytest.raises(IntegrityError, match="invitation_needs_two_people"), transaction.atomic():
        own.update(accepted_by=cast.ada)


def test_the_government_keeps_an_administrator_too(cast: Cast) -> None:
    glen = User.objects.get(email="glen@example.com")
    at_marina = RoleAssignment.objects.filter(casino=cast.marina)
    end_role(held=at_marina.get(user=glen), actor=cast.gail, now=NOW)
    with pytest.raises(IntegrityError, match="keeps at least one administrator"), transaction.atomic():
        at_marina.filter(user=cast.gail).update(ended_at=NOW)
    with pytest.raises(IntegrityError, match="keeps at least one administrator"), transaction.atomic():
        User.objects.filter(pk=cast.gail.pk).update(is_active=False)


@pytest.mark.django_db(transaction=True)
class TestMixedRolesFromBefore:
    """Mara, of Harbour's marketing, was made an inspector at Marina, and its only administrator Otto one at Harbour."""

    @pytest.fixture
    def cast(self) -> Cast:
        cast = assemble()
        for person, casino in ((cast.mara, cast.marina), (cast.otto, cast.harbour)):
            tamper(
                "accounts_roleheld",
                "INSERT INTO accounts_roleheld (user_id, casino_id, role, given_at) "
                f"VALUES ({person.pk}, {casino.pk}, 'inspector', now())",
            )
        return cast

    def test_migrate_lists_and_suspends_them_with_an_entry(self, cast: Cast) -> None:
        inside, out = browser_of(cast.mara), io.StringIO()
        call_command("migrate", verbosity=0, interactive=False, stdout=out)
        said = "Mara <mara@example.com>: marketing at Harbour Casino; inspector at Marina Casino"
        assert said in out.getvalue()
        assert "Otto <otto@example.com>: " in out.getvalue()
        assert inside.get("/").headers["Location"] == "/sign-in/"
        typed = {"email": cast.mara.email, "password": PASSWORD}
        assert "is not right" in Client().post("/sign-in/", typed).content.decode()
        acts = AccountAct.objects.filter(event__kind=EventKind.DISABLED, event__subject=cast.mara)
        reason = f"Government and casino roles at the same time: {said.partition(': ')[2]}."
        assert {(act.log, act.reason) for act in acts} == {("harbour", reason), ("marina", reason)}
        assert suspend_people_of_both_sides(now=NOW) == [], "once"
        listed = io.StringIO()
        call_command("mixed_roles", stdout=listed)
        assert said in listed.getvalue()

    def test_the_list_says_who_is_not_suspended_yet(self, cast: Cast) -> None:
        listed = io.StringIO()
        call_command("mixed_roles", stdout=listed)
        assert "Mara <mara@example.com> (NOT suspended)" in listed.getvalue()

    def test_they_stay_suspended_until_one_side_has_ended_its_roles(self, cast: Cast) -> None:
        suspend_people_of_both_sides(now=NOW)
        page = browser_of(cast.ada).get("/casinos/harbour/people/").content.decode()
        assert "Somebody here holds government and casino roles" in page
        assert ">Suspended<" in page
        assert "1 account suspended" in browser_of(cast.ada).get("/").content.decode()
        person = browser_of(cast.ada).get(f"/casinos/harbour/people/{cast.mara.pk}/").content.decode()
        assert "Inspector, Marina Casino" in person
        assert "each side ends its own" in person
        for actor, casino in ((cast.ada, cast.harbour), (cast.gail, cast.marina)):
            with pytest.raises(WorksElsewhere):
                enable_person(subject=cast.mara, casino=casino, actor=actor, now=NOW)
        end_role(held=cast.mara.roles.get(role=Role.INSPECTOR), actor=cast.gail, now=LONG_AGO.replace(year=2027))
        enable_person(subject=cast.mara, casino=cast.harbour, actor=cast.ada, now=NOW)
        assert User.objects.get(pk=cast.mara.pk).is_active
        listed = io.StringIO()
        call_command("mixed_roles", stdout=listed)
        assert "Mara" not in listed.getvalue()


def test_nobody_is_listed_where_nobody_is_mixed(cast: Cast) -> None:
    out = io.StringIO()
    call_command("mixed_roles", suspend=True, stdout=out)
    assert out.getvalue() == "Nobody holds government and casino roles at the same time.\n"
    assert User.objects.filter(is_active=False).count() == 0
