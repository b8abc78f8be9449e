"""Every address of the site against every role, an outsider and an anonymous visitor. A new address needs a row."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from compliance.accounts.roles import Role
from compliance.web.access import Address, every_address, rule_of
from rounds.ledger.checkpoints import make_key
from tests.compliance.accounts.cast import PASSWORD, browser_of, found_casino, give_phone, hire
from tests.contracts.places import Places, places_at, who

# Who: an anonymous visitor; an inspector who gave the password but no code; the eight roles at Harbour; an outsider,
# who administers another casino. What a GET answers: a status, or where it leads: `in` to sign in, `code` to the
# second-factor code, `home` to the home page, `there` to another page of theirs. 405: let in, but it wants a POST.
# Each opens the addresses from top to bottom in one session.
MATRIX = """
                          anonym  half  insp  auth  csup  gsup  shift mark  compl admin outs
desk:home                 in      code  200   200   200   200   200   200   200   200   200
desk:floor                in      code  200   200   200   200   200   404   200   404   404
desk:table                in      code  200   200   200   200   200   404   200   404   404
desk:timeline             in      code  200   200   200   200   200   404   200   404   404
desk:round                in      code  200   200   200   200   200   404   200   404   404

web:healthz               200     200   200   200   200   200   200   200   200   200   200
web:readyz                503     503   503   503   503   503   503   503   503   503   503
web:status                in      code  200   200   200   200   200   200   200   200   200
web:help                  200     200   200   200   200   200   200   200   200   200   200
web:help-page             200     200   200   200   200   200   200   200   200   200   200
web:stay                  in      code  405   405   405   405   405   405   405   405   405
web:mailbox               200     200   200   200   200   200   200   200   200   200   200
web:mail                  200     200   200   200   200   200   200   200   200   200   200

accounts:sign-in          200     home  home  home  home  home  home  home  home  home  home
accounts:code             in      200   home  home  home  home  home  there home  home  home
accounts:enrol-qr         in      404   404   404   404   404   404   404   404   404   404
accounts:enrol            in      code  code  code  code  code  code  200   code  code  code
accounts:sign-out         in      405   405   405   405   405   405   405   405   405   405
accounts:forgotten        200     200   200   200   200   200   200   200   200   200   200
accounts:forgotten-sent   200     200   200   200   200   200   200   200   200   200   200
accounts:reset            410     410   410   410   410   410   410   410   410   410   410
accounts:accept           200     code  409   409   409   409   409   409   409   409   409

accounts:account          in      code  200   200   200   200   200   200   200   200   200
accounts:change-password  in      code  200   200   200   200   200   200   200   200   200
accounts:new-codes        in      code  200   200   200   200   200   there 200   200   200
accounts:replace          in      code  200   200   200   200   200   there 200   200   200
accounts:everywhere       in      code  200   200   200   200   200   200   200   200   200

accounts:casinos          in      code  403   403   403   403   403   403   403   there there
accounts:people           in      code  404   404   404   404   404   404   404   200   404
accounts:people-chart     in      code  404   404   404   404   404   404   404   200   404
accounts:invite           in      code  404   404   404   404   404   404   404   200   404
accounts:invitations      in      code  404   404   404   404   404   404   404   200   404
accounts:invite-again     in      code  404   404   404   404   404   404   404   200   404
accounts:withdraw         in      code  404   404   404   404   404   404   404   200   404
accounts:person           in      code  404   404   404   404   404   404   404   200   404
accounts:give-role        in      code  404   404   404   404   404   404   404   200   404
accounts:end-role         in      code  404   404   404   404   404   404   404   200   404
accounts:disable          in      code  404   404   404   404   404   404   404   200   404
accounts:enable           in      code  404   404   404   404   404   404   404   200   404
accounts:reset-factor     in      code  404   404   404   404   404   404   404   200   404
accounts:unlock           in      code  404   404   404   404   404   404   404   200   404

patrons:casinos           in      code  there there 403   403   403   403   there 403   403
patrons:records           in      code  200   200   404   404   404   404   200   404   404
patrons:looks             in      code  200   200   404   404   404   404   200   404   404
patrons:destroyed         in      code  200   200   404   404   404   404   200   404   404
patrons:retention         in      code  200   200   404   404   404   404   200   404   404
patrons:set-retention     in      code  404   200   404   404   404   404   404   404   404
patrons:record            in      code  200   200   404   404   404   404   200   404   404
patrons:show              in      code  200   200   404   404   404   404   200   404   404
patrons:hold              in      code  200   200   404   404   404   404   200   404   404
patrons:destroy           in      code  404   200   404   404   404   404   404   404   404
rulebook:calculator-casinos in    code  there there there there there 403   there 403   403
rulebook:calculator       in      code  200   200   200   200   200   404   200   404   404
rulebook:casinos          in      code  there there there there there there there there there
rulebook:home             in      code  200   200   200   200   200   200   200   200   404
rulebook:propose          in      code  200   200   404   404   404   404   200   404   404
rulebook:propose-pack     in      code  200   200   404   404   404   404   200   404   404
rulebook:propose-source   in      code  200   200   404   404   404   404   200   404   404
rulebook:propose-readings in      code  there there 404   404   404   404   there 404   404
rulebook:propose-check    in      code  there there 404   404   404   404   there 404   404
rulebook:propose-discard  in      code  405   405   404   404   404   404   405   404   404
rulebook:version          in      code  200   200   200   200   200   200   200   200   404
rulebook:diff             in      code  200   200   200   200   200   200   200   200   404
rulebook:truth            in      code  200   200   200   200   200   200   200   200   404
rulebook:truth-csv        in      code  200   200   200   200   200   200   200   200   404
rulebook:document         in      code  200   200   200   200   200   200   200   200   404
rulebook:approve          in      code  200   200   404   404   404   404   404   404   404
rulebook:withdraw         in      code  200   200   404   404   404   404   200   404   404
rulebook:ruling           in      code  200   404   404   404   404   404   404   404   404
rulebook:rules-now        there   there there there there there there there there there there
rulebook:rules            200     200   200   200   200   200   200   200   200   200   200
rulebook:rules-document   200     200   200   200   200   200   200   200   200   200   200
evidence:ledgers          in      code  there there there there there 403   there 403   403
evidence:ledger           in      code  200   200   200   200   200   404   200   404   404
evidence:growth           in      code  200   200   200   200   200   404   200   404   404
evidence:verification     in      code  200   200   200   200   200   404   200   404   404
evidence:verify           in      code  405   405   404   404   404   404   405   404   404
evidence:bundles          in      code  200   200   404   404   404   404   200   404   404
evidence:new-bundle       in      code  200   200   404   404   404   404   200   404   404
evidence:bundle           in      code  200   200   404   404   404   404   200   404   404
evidence:bundle-progress  in      code  200   200   404   404   404   404   200   404   404
evidence:bundle-file      in      code  409   409   404   404   404   404   409   404   404
evidence:entry            in      code  200   200   200   200   200   404   200   404   404
evidence:check            in      code  200   200   200   200   200   404   200   404   404
evidence:proof            in      code  404   404   404   404   404   404   404   404   404
evidence:leaf             in      code  200   200   200   200   200   404   200   404   404
evidence:verifier         200     200   200   200   200   200   200   200   200   200   200
evidence:logs             200     200   200   200   200   200   200   200   200   200   200
evidence:checkpoint       404     404   404   404   404   404   404   404   404   404   404
evidence:key              200     200   200   200   200   200   200   200   200   200   200
evidence:inclusion        404     404   404   404   404   404   404   404   404   404   404
evidence:consistency      404     404   404   404   404   404   404   404   404   404   404
floor:casinos             in      code  there there there there there 403   there there there
floor:tables              in      code  200   200   200   200   200   404   200   404   404
floor:table               in      code  200   200   200   200   200   404   200   404   404
floor:history             in      code  200   200   200   200   200   404   200   404   404
floor:terminals           in      code  200   200   200   200   200   404   200   404   404
floor:casino              in      code  200   200   200   200   200   404   200   404   404
floor:casino-history      in      code  200   200   200   200   200   404   200   404   404
floor:add-table           in      code  404   404   200   404   404   404   200   404   404
floor:retire-table        in      code  404   404   200   404   404   404   200   404   404
floor:set-fact            in      code  404   404   200   404   404   404   200   404   404
floor:set-terminal-fact   in      code  404   404   200   404   404   404   200   404   404
floor:set-casino-fact     in      code  404   404   200   404   404   404   200   404   404
floor:take-back           in      code  404   404   200   404   404   404   200   404   404
floor:add-terminal        in      code  404   404   200   404   404   404   200   404   404
floor:retire-terminal     in      code  404   404   200   404   404   404   200   404   404
floor:controllers         in      code  200   200   200   200   200   404   200   200   404
floor:controller          in      code  200   200   200   200   200   404   200   200   404
floor:register-controller in      code  404   404   404   404   404   404   200   200   404
floor:give-table          in      code  404   404   404   404   404   404   200   200   404
floor:end-table           in      code  404   404   404   404   404   404   200   200   404
floor:propose-key         in      code  404   404   404   404   404   404   200   200   404
floor:approve-key         in      code  404   404   404   404   404   404   200   200   404
floor:revoke-key          in      code  404   404   404   404   404   404   200   200   404
intake:entries            405     405   405   405   405   405   405   405   405   405   405
intake:openapi            200     200   200   200   200   200   200   200   200   200   200
intake:reader             200     200   200   200   200   200   200   200   200   200   200
intake:feeds              in      code  200   200   200   200   200   403   200   403   403
intake:quarantine         in      code  200   200   200   200   200   404   200   404   404
intake:quarantined        in      code  200   200   200   200   200   404   200   404   404
intake:quarantined-bytes  in      code  200   200   200   200   200   404   200   404   404
intake:deal-with          in      code  200   200   200   200   200   404   200   404   404
intake:paper-rounds       in      code  200   200   200   200   200   404   200   404   404
intake:paper-enter        in      code  404   404   200   200   200   404   404   404   404
intake:paper-round        in      code  200   200   200   200   200   404   200   404   404
intake:paper-confirm      in      code  404   404   200   200   200   404   404   404   404
intake:paper-refuse       in      code  404   404   200   200   200   404   404   404   404

audit:casinos             in      code  there there there there there 403   there 403   403
audit:findings            in      code  200   200   200   200   200   404   200   404   404
audit:coverage            in      code  200   200   200   200   200   404   200   404   404
audit:checks              in      code  200   200   200   200   200   404   200   404   404
audit:finding             in      code  200   200   200   200   200   404   200   404   404
"""

COLUMNS, *LINES = [line.split() for line in MATRIX.strip().splitlines() if line.strip()]
ROWS = {name: dict(zip(COLUMNS, answers, strict=True)) for name, *answers in LINES}
ROLES = dict(zip(COLUMNS[2:-1], Role, strict=True))


@pytest.fixture
def places(settings: Settings, db: None, tmp_path: Path) -> Places:
    """Harbour with a person in each role and one of everything."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    make_key(settings.LEDGER_KEY_FILE)
    harbour, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "admin")
    _, otto = found_casino("marina", "Marina Casino", "Asia/Singapore", "outs")
    people = [ada, otto] + [
        hire(name, harbour, role, by=ada) for name, role in ROLES.items() if role != Role.ADMINISTRATOR
    ]
    for person in people:
        if person.email != "mark@example.com":
            give_phone(person)
    return places_at(harbour)


def browser_for(column: str) -> Client:
    if column == "anonym":
        return Client()
    if column == "half":
        half_way = Client()
        half_way.post("/sign-in/", {"email": "insp@example.com", "password": PASSWORD})
        return half_way
    return browser_of(who(column))


def answer(browser: Client, url: str) -> str:
    response = browser.get(url)
    if response.status_code != 302:
        return str(response.status_code)
    place = response.headers["Location"].partition("?")[0]
    return {"/sign-in/": "in", "/sign-in/code/": "code", "/": "home"}.get(place, "there")


@pytest.mark.parametrize("column", COLUMNS)
def test_each_address_opens_to_whom_the_table_says(column: str, places: Places) -> None:
    urls = {name: reverse(name, kwargs=places.get(name)) for name in ROWS}
    browser = browser_for(column)
    found = {name: answer(browser, url) for name, url in urls.items()}
    assert found == {name: row[column] for name, row in ROWS.items()}


def names_without_a_row(addresses: list[Address]) -> set[str]:
    return {address.name for address in addresses} - set(ROWS)


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    addresses = every_address()
    assert names_without_a_row(addresses) == set()
    assert set(ROWS) == {address.name for address in addresses}
    newcomer = Address("casinos/<slug:casino>/vault/", "accounts:vault", browser_for)
    assert names_without_a_row([*addresses, newcomer]) == {"accounts:vault"}


def test_every_address_has_a_name_of_its_own_and_a_rule() -> None:
    addresses = every_address()
    assert len({address.name for address in addresses}) == len(addresses)
    assert [address.route for address in addresses if rule_of(address.view) is None] == []


def test_a_column_for_every_role() -> None:
    assert len(COLUMNS) == 11
    assert list(ROLES.values()) == list(Role)
