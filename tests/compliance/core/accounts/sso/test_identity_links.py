"""Identity links: by a confirmed address or an administrator's offer, proved on both sides, recorded, and removed."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.config.database_roles import as_owner
from compliance.core.accounts.errors import CannotChangeOwnAccount, NotAdministrator, NotAdministratorOfSide
from compliance.core.accounts.models import User
from compliance.core.accounts.services import link_identity, offer_identity, remove_identity
from compliance.core.accounts.sso.errors import (
    IdentityNotLinked,
    LinkedAlready,
    LinkNotOffered,
    PersonNotCoveredByProvider,
)
from compliance.core.accounts.sso.models import IdentityLink
from compliance.core.accounts.sso.providers import Provider, find_provider
from compliance.core.accounts.sso.session_state import UnlinkedIdentity
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import (
    LONG_AGO,
    PASSWORD,
    Cast,
    assemble,
    browser_of,
    code_now,
    hire,
    sign_off,
)
from tests.compliance.core.accounts.sso_organisation import Organisation, Traveller
from tests.compliance.tampering import tamper

LINK = "/account/single-sign-on/link/"
NOW = LONG_AGO + timedelta(days=30)


def inspectorate() -> Provider:
    provider = find_provider("inspectorate")
    assert provider is not None
    return provider


def found(subject: str = "1", email: str = "ines@example.com", *, is_verified: bool = True) -> UnlinkedIdentity:
    return UnlinkedIdentity("inspectorate", subject, email, is_verified, "/", 0)


def last(log: str) -> tuple[str, dict[str, Any]]:
    entry = read_entries(log, 0, 10_000)[-1]
    return entry.kind, entry.content()


def main_of(page: Any) -> str:
    text: str = page.content.decode()
    return text.partition("<main")[2].partition("</main>")[0]


def test_from_the_account_page_there_and_back_and_signed_off(cast: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines", here=browser_of(cast.ines))
    page = ines.here.get("/account/").content.decode()
    assert "Sign-in by the Inspectorate" in page
    assert 'href="/sign-in/by/inspectorate/?next=%2Faccount%2F"' in page
    assert ines.travel("?next=/account/").headers["Location"] == LINK
    assert "signs in there as ines@example.com comes in here as Ines" in ines.here.get(LINK).content.decode()
    assert not IdentityLink.objects.exists()
    assert "That is not your password" in ines.here.post(LINK, {"password": "x", "code": "123456"}).content.decode()
    assert ines.here.post(LINK, sign_off(cast.ines)).headers["Location"] == "/account/"
    assert "Linked since" in ines.here.get("/account/").content.decode()
    assert ines.here.get(LINK).status_code == 410
    link = IdentityLink.objects.get()
    assert (link.user, link.issuer, link.subject) == (cast.ines, organisation.issuer, "1")
    assert Traveller.of(organisation, "ines").travel().headers["Location"] == "/sign-in/code/"


def test_whoever_is_not_linked_yet_signs_in_once_with_the_password(cast: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    page = ines.travel()
    assert page.status_code == 403
    assert f'href="/sign-in/?next={LINK}"' in page.content.decode()
    assert ines.here.get("/account/").headers["Location"].startswith("/sign-in/?")
    ines.here.post(f"/sign-in/?next={LINK}", {"email": "ines@example.com", "password": PASSWORD})
    # The password alone does not link, or half of the credentials would be enough to take over an account.
    assert ines.here.get(LINK).headers["Location"].startswith("/sign-in/code/")
    ines.here.post(f"/sign-in/code/?next={LINK}", {"code": code_now()})
    ines.here.post(LINK, sign_off(cast.ines))
    assert IdentityLink.objects.get().user == cast.ines


def test_a_stranger_of_the_provider_learns_nothing_and_becomes_nobody(cast: Cast, organisation: Organisation) -> None:
    known = main_of(Traveller.of(organisation, "ines").travel())
    organisation.says(claims={"email": "stranger@example.com", "sub": "99"})
    unknown = main_of(Traveller.of(organisation, "ines").travel())
    assert "Linking is done once" in known
    assert unknown == known.replace("ines@example.com", "stranger@example.com")
    assert not IdentityLink.objects.exists()


@pytest.mark.parametrize("email", ["in\0es@example.com", "ines\ud800@example.com"], ids=["NUL", "half a letter"])
def test_an_address_that_nobody_could_write_down_counts_as_none(
    cast: Cast, organisation: Organisation, email: str
) -> None:
    organisation.says(claims={"email": email})
    page = main_of(Traveller.of(organisation, "ines").travel())
    assert "Linking is done once" in page
    assert "@example.com" not in page


@pytest.mark.parametrize(
    "claims",
    [{"email": "other@example.com"}, {"email_verified": False}, {"email_verified": "true"}, {"email": None}],
    ids=["another address", "not verified", "verified as a text", "no address"],
)
def test_an_address_that_the_provider_does_not_confirm_needs_an_offer(
    cast: Cast, organisation: Organisation, claims: dict[str, Any]
) -> None:
    organisation.says(claims=claims)
    ines = Traveller.of(organisation, "ines", here=browser_of(cast.ines))
    ines.travel("?next=/account/")
    page = ines.here.post(LINK, sign_off(cast.ines)).content.decode()
    assert "Ask an administrator of your casino to offer you single sign-on" in page
    assert not IdentityLink.objects.exists()
    offer_identity(subject=cast.ines, provider=inspectorate(), casino=cast.harbour, actor=cast.gail, now=timezone.now())
    assert ines.here.post(LINK, sign_off(cast.ines)).headers["Location"] == "/account/"
    assert IdentityLink.objects.get().offered_by == cast.gail


def test_of_two_who_link_the_same_identity_at_once_the_second_is_refused(
    cast: Cast, organisation: Organisation
) -> None:
    issuer, first = organisation.issuer, list[User]()

    def be_quicker(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith('INSERT INTO "accounts_identitylink"') and not first:
            first.append(cast.ada)
            linked = {"provider": "inspectorate", "issuer": issuer, "subject": "1", "salt": "", "linked_at": NOW}
            IdentityLink.objects.create(user=cast.ada, **linked)
        return execute(sql, *rest)

    with connection.execute_wrapper(be_quicker), pytest.raises(LinkedAlready):
        link_identity(actor=cast.ines, provider=inspectorate(), found=found(), now=NOW)
    assert first
    assert not IdentityLink.objects.filter(user=cast.ines).exists()


def test_an_administrator_offers_and_removes_on_the_persons_page(cast: Cast, organisation: Organisation) -> None:
    gail, ines = browser_of(cast.gail), browser_of(cast.ines)
    person = f"/casinos/harbour/people/{cast.ines.pk}/"
    offer = f"{person}single-sign-on/inspectorate/offer/"
    assert offer in gail.get(person).content.decode()
    assert gail.post(offer, sign_off(cast.gail)).headers["Location"] == person
    link = IdentityLink.objects.get()
    remove = f"{person}single-sign-on/{link.pk}/remove/"
    page = gail.get(person).content.decode()
    assert (remove in page, "Offered, until" in page, offer in page) == (True, True, False)
    link_identity(actor=cast.ines, provider=inspectorate(), found=found(email=""), now=timezone.now())
    assert "Linked since" in gail.get(person).content.decode()
    assert gail.post(remove, sign_off(cast.gail)).headers["Location"] == person
    assert offer in gail.get(person).content.decode()
    # Her sessions ended with it, and the provider's token opens nothing any more.
    assert ines.get("/account/").headers["Location"].startswith("/sign-in/?")
    assert Traveller.of(organisation, "ines").travel().status_code == 403
    for address in (offer, remove, f"{person}single-sign-on/nobody/offer/"):
        assert browser_of(cast.mara).get(address).status_code == 404
        assert browser_of(cast.otto).get(address).status_code == 404
    assert gail.get(remove).status_code == 404


def test_its_person_removes_it_and_is_signed_out(linked: Cast, organisation: Organisation) -> None:
    link = IdentityLink.objects.get()
    remove = f"/account/single-sign-on/{link.pk}/remove/"
    assert browser_of(linked.mara).get(remove).status_code == 404
    ines = browser_of(linked.ines)
    assert remove in ines.get("/account/").content.decode()
    assert ines.post(remove, {"password": "x"}).status_code == 200
    assert ines.post(remove, sign_off(linked.ines)).headers["Location"] == "/sign-in/"
    assert ines.get("/account/").headers["Location"].startswith("/sign-in/?")
    assert Traveller.of(organisation, "ines").travel().status_code == 403


def test_what_is_refused(cast: Cast, organisation: Organisation) -> None:
    provider = inspectorate()
    at_harbour: dict[str, Any] = {"casino": cast.harbour, "now": NOW}
    with pytest.raises(CannotChangeOwnAccount):
        offer_identity(subject=cast.ada, provider=provider, actor=cast.ada, **at_harbour)
    with pytest.raises(NotAdministrator):
        offer_identity(subject=cast.ada, provider=provider, actor=cast.ines, **at_harbour)
    with pytest.raises(PersonNotCoveredByProvider):
        offer_identity(subject=cast.mara, provider=provider, actor=cast.ada, **at_harbour)
    with pytest.raises(PersonNotCoveredByProvider):
        link_identity(actor=cast.mara, provider=provider, found=found(email="mara@example.com"), now=NOW)
    with pytest.raises(LinkNotOffered):
        link_identity(actor=cast.ines, provider=provider, found=found(is_verified=False), now=NOW)
    offer = offer_identity(subject=cast.ines, provider=provider, actor=cast.gail, **at_harbour)
    with pytest.raises(LinkedAlready):
        offer_identity(subject=cast.ines, provider=provider, actor=cast.gail, **at_harbour)
    with pytest.raises(LinkNotOffered):
        later = NOW + timedelta(days=7)
        link_identity(actor=cast.ines, provider=provider, found=found(is_verified=False), now=later)
    link_identity(actor=cast.ines, provider=provider, found=found(), now=NOW + timedelta(days=7, seconds=-1))
    with pytest.raises(LinkedAlready):
        link_identity(actor=cast.ines, provider=provider, found=found("2"), now=NOW)
    with pytest.raises(LinkedAlready):
        offer_identity(subject=cast.ines, provider=provider, actor=cast.gail, **at_harbour)
    with pytest.raises(IdentityNotLinked):
        remove_identity(link=offer, casino=None, actor=cast.ada, now=NOW)
    with pytest.raises(NotAdministratorOfSide):
        remove_identity(link=offer, actor=cast.ada, **at_harbour)
    remove_identity(link=offer, casino=None, actor=cast.ines, now=NOW)
    with pytest.raises(IdentityNotLinked):
        remove_identity(link=offer, casino=None, actor=cast.ines, now=NOW)


def test_one_identity_is_one_person_even_for_the_database(linked: Cast, organisation: Organisation) -> None:
    again = {"provider": "inspectorate", "issuer": organisation.issuer, "salt": "s", "linked_at": NOW}
    for person, subject in ((linked.bruno, "1"), (linked.ines, "2"), (linked.bruno, "")):
        with pytest.raises(IntegrityError), transaction.atomic():
            IdentityLink.objects.create(user=person, subject=subject, **again)


def test_each_step_is_an_entry_that_names_no_subject(cast: Cast, organisation: Organisation) -> None:
    secret = "ines@inspectorate.example"
    offer_identity(subject=cast.ines, provider=inspectorate(), casino=cast.harbour, actor=cast.gail, now=NOW)
    link = link_identity(actor=cast.ines, provider=inspectorate(), found=found(secret, ""), now=NOW)
    said = {"id": link.pk, "issuer": organisation.issuer}
    kind, body = last("harbour")
    assert (kind, body["identity"], body["by"]["name"]) == ("account-identity-offered", said, "Gail")
    kind, body = last("site")
    assert (kind, body["subject"]["name"]) == ("account-identity-linked", "Ines")
    assert body["identity"] == said | {"identity_sha256": link.identity_sha256}
    remove_identity(link=link, casino=cast.harbour, actor=cast.gail, now=NOW)
    assert last("harbour")[0] == "account-identity-removed"
    bodies = b"".join(entry.body for log in ("harbour", "site") for entry in read_entries(log, 0, 99))
    assert b"Ines" in bodies
    assert b"@" not in bodies


def test_the_app_role_deletes_no_link_and_rewrites_none(linked: Cast) -> None:
    for statement, refusal in (
        ("DELETE FROM accounts_identitylink", "permission denied"),
        ("UPDATE accounts_identitylink SET subject = '2'", "kept as it was written"),
        (f"UPDATE accounts_identitylink SET user_id = {linked.ada.pk}", "kept as it was written"),
    ):
        with pytest.raises(DatabaseError, match=refusal), transaction.atomic():
            connection.cursor().execute(statement)
    with transaction.atomic():
        IdentityLink.objects.update(ended_at=NOW)
    with pytest.raises(DatabaseError, match="kept as it was written"), transaction.atomic():
        IdentityLink.objects.update(ended_at=None)


@pytest.mark.django_db(transaction=True)
class TestTampering:
    @pytest.fixture(autouse=True)
    def linked(self, tmp_path: Path, settings: Settings, organisation: Organisation) -> None:
        settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
        create_key_file(settings.LEDGER_KEY_FILE)
        cast = assemble()
        ivan = hire("ivan", cast.harbour, "inspector", by=cast.ada)
        offer_identity(subject=cast.ines, provider=inspectorate(), casino=cast.harbour, actor=cast.gail, now=NOW)
        link = link_identity(actor=cast.ines, provider=inspectorate(), found=found(), now=NOW)
        link_identity(actor=ivan, provider=inspectorate(), found=found("2", "ivan@example.com"), now=NOW)
        remove_identity(link=link, casino=None, actor=cast.ines, now=NOW)
        again = offer_identity(
            subject=cast.ines, provider=inspectorate(), casino=cast.harbour, actor=cast.gail, now=NOW
        )
        remove_identity(link=again, casino=cast.harbour, actor=cast.gail, now=NOW)

    def test_not_even_the_owner_removes_a_link(self) -> None:
        with as_owner(), pytest.raises(IntegrityError, match="kept as it was written"):
            connection.cursor().execute("TRUNCATE accounts_identitylink CASCADE")

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            ("UPDATE accounts_identitylink SET subject = '3' WHERE subject = '2'", "now says something else"),
            ("UPDATE accounts_identitylink SET ended_at = NULL WHERE subject = '1'", "is kept otherwise"),
            (
                "UPDATE accounts_identitylink SET user_id = (SELECT min(id) FROM accounts_user) WHERE subject = '2'",
                "is kept otherwise",
            ),
            (
                "INSERT INTO accounts_identitylink (user_id, provider, issuer, subject, salt, linked_at) "
                "SELECT user_id, 'p', 'https://evil.example', '666', 's', now() FROM accounts_identitylink LIMIT 1",
                "no entry linked that",
            ),
        ],
    )
    def test_a_superuser_who_lets_somebody_in_is_found(self, change: str, complaint: str) -> None:
        assert verify_log("site").is_intact
        assert verify_log("harbour").is_intact
        tamper("accounts_identitylink", change)
        misfit = verify_log("site").first_issue
        assert misfit is not None
        assert complaint in misfit.sentence


def test_nothing_is_linked_by_a_visit(cast: Cast, organisation: Organisation) -> None:
    assert Client().get(LINK).headers["Location"].startswith("/sign-in/?")
    assert browser_of(cast.ines).get(LINK).status_code == 410
