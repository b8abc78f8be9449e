"""Every address of the site against every role, an outsider and an anonymous visitor. A new address needs a row."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import Role
from compliance.accounts.services import invite_person
from compliance.audit.models import Finding
from compliance.web.access import Address, every_address, rule_of
from compliance.web.models import Mail
from rounds.floor.services import add_table, register_controller
from rounds.intake.kinds.examples import BODIES
from rounds.intake.models import PaperRound, Quarantined
from rounds.rulebook.services import approve_version, propose_version, read_upload
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.accounts.cast import LONG_AGO, PASSWORD, browser_of, found_casino, give_phone, hire
from tests.rounds.floor.places import floor_places

# Who: an anonymous visitor; an inspector who gave the password but no code; the eight roles at Harbour; an outsider,
# who administers another casino. What a GET answers: a status, or where it leads: `in` to sign in, `code` to the
# second-factor code, `home` to the home page, `there` to another page of theirs. 405: let in, but it wants a POST.
MATRIX = """
                          anonym  half  insp  auth  csup  gsup  shift mark  compl admin outs
desk:home                 in      code  200   200   200   200   200   200   200   200   200

audit:casinos             in      code  there there there there there 403   there 403   403
audit:findings            in      code  200   200   200   200   200   404   200   404   404
audit:coverage            in      code  200   200   200   200   200   404   200   404   404
audit:finding             in      code  200   200   200   200   200   404   200   404   404

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
accounts:enrol            in      code  code  code  code  code  code  200   code  code  code
accounts:enrol-qr         in      404   404   404   404   404   404   404   404   404   404
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
"""

NSW = "nsw-sic-bo"
OF_A_VERSION = ("version", "diff", "truth", "truth-csv", "document", "ruling", "rules", "rules-document")

COLUMNS, *LINES = [line.split() for line in MATRIX.strip().splitlines() if line.strip()]
ROWS = {name: dict(zip(COLUMNS, answers, strict=True)) for name, *answers in LINES}
ROLES = dict(zip(COLUMNS[2:-1], Role, strict=True))


@pytest.fixture
def places(settings: Settings, db: None) -> dict[str, dict[str, object]]:
    """Harbour with a person in each role, and the parts of the addresses that name something there."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    harbour, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "admin")
    _, otto = found_casino("marina", "Marina Casino", "Asia/Singapore", "outs")
    people = [ada, otto] + [
        hire(name, harbour, role, by=ada) for name, role in ROLES.items() if role != Role.ADMINISTRATOR
    ]
    for person in people:
        if person.email != "mark@example.com":
            give_phone(person)
    invited = invite_person(
        email="new@example.com", name="New", casino=harbour, role=Role.MARKETING,
        actor=ada, now=LONG_AGO.replace(year=2999),
    )  # fmt: skip
    mail = Mail.objects.create(to="new@example.com", subject="Welcome", body="", sent_at=LONG_AGO)
    finding = Finding.objects.create(
        log="harbour", entry_index=1, casino=harbour, code="SETTLE-OVERPAID", severity="serious", subject_index=0,
        check_name="settlement", at=LONG_AGO, found_at=LONG_AGO, sentence="Overpaid.", evidence=[0], explanation=[],
    )  # fmt: skip
    held = RoleHeld.objects.get(user__email="gsup@example.com")
    casino: dict[str, object] = {"casino": "harbour"}
    somebody = {**casino, "person": held.user_id}
    invitation = {**casino, "invitation": invited.invitation.pk}
    refused = {**casino, "line": a_refused_line(harbour, User.objects.get(email="compl@example.com")).pk}
    paper = {**casino, "paper": a_round_from_paper(harbour, User.objects.get(email="csup@example.com")).pk}
    approved, waiting = rule_versions(harbour)
    return {
        **dict.fromkeys(("intake:quarantine", "intake:paper-rounds", "intake:paper-enter"), casino),
        **dict.fromkeys(("intake:paper-round", "intake:paper-confirm", "intake:paper-refuse"), paper),
        **dict.fromkeys(("intake:quarantined", "intake:quarantined-bytes", "intake:deal-with"), refused),
        "web:help-page": {"slug": "start"},
        **dict.fromkeys(("audit:findings", "audit:coverage"), casino),
        "audit:finding": {**casino, "finding": finding.entry_index},
        "web:mail": {"pk": mail.pk},
        "accounts:reset": {"who": "MQ", "token": "no-such"},
        "accounts:accept": {"token": invited.token},
        **dict.fromkeys(
            ("accounts:people", "accounts:people-chart", "accounts:invite", "accounts:invitations"), casino
        ),
        **dict.fromkeys(("accounts:invite-again", "accounts:withdraw"), invitation),
        **dict.fromkeys(("accounts:person", "accounts:give-role", "accounts:disable", "accounts:enable"), somebody),
        **dict.fromkeys(("accounts:reset-factor", "accounts:unlock"), somebody),
        "accounts:end-role": {**somebody, "role": held.pk},
        **floor_places(harbour),
        **{name: casino for name in ROWS if name == "rulebook:home" or name.startswith("rulebook:propose")},
        **{f"rulebook:{name}": {**casino, "rules": NSW, "number": waiting} for name in ("approve", "withdraw")},
        **{f"rulebook:{name}": {**casino, "rules": NSW, "number": approved} for name in OF_A_VERSION},
        "rulebook:rules-now": {**casino, "rules": NSW},
    }


def a_refused_line(casino: Casino, by: User) -> Quarantined:
    controller = register_controller(casino=casino, slug="box-refused", name="Box 1", actor=by, now=LONG_AGO)
    return Quarantined.objects.create(
        log=casino.slug, entry_index=10**6, casino=casino, controller=controller, line_number=1, line=b"{",
        line_sha256=bytes(32), code="not-json", sentence="Not JSON.", received_at=LONG_AGO,
    )  # fmt: skip


def a_round_from_paper(casino: Casino, by: User) -> PaperRound:
    body = json.dumps({**BODIES["round"]})
    table = add_table(casino=casino, slug="paper-1", name="Table 1", actor=by, now=LONG_AGO)
    return PaperRound.objects.create(
        casino=casino, table=table, body=body, played_at=LONG_AGO, why="Out.", entered_by=by, entered_at=LONG_AGO
    )


def rule_versions(harbour: Casino) -> tuple[int, int]:
    """The numbers of a version in force, which an inspector may rule on, and of one that waits for approval."""
    compliance, inspector = (User.objects.get(email=f"{who}@example.com") for who in ("compl", "insp"))
    proposal: dict[str, Any] = {
        "casino": harbour, "pack_content": (PACK_FOLDER / f"{NSW}.toml").read_bytes(), "pack_file": "nsw.toml",
        "source": read_upload(b"Rules.", "rules.txt"), "readings": {}, "actor": compliance, "now": LONG_AGO,
    }  # fmt: skip
    approved = approve_version(
        version=propose_version(**proposal), effective_at=LONG_AGO, time_zone="Australia/Sydney", evidence="Gazette.",
        edge_reason="As printed.", actor=inspector, now=LONG_AGO,
    )  # fmt: skip
    return approved.number, propose_version(**proposal).number


def browser_for(column: str) -> Client:
    if column == "anonym":
        return Client()
    if column == "half":
        half_way = Client()
        half_way.post("/sign-in/", {"email": "insp@example.com", "password": PASSWORD})
        return half_way
    return browser_of(User.objects.get(email=f"{column}@example.com"))


def answer(browser: Client, url: str) -> str:
    response = browser.get(url)
    if response.status_code != 302:
        return str(response.status_code)
    place = response.headers["Location"].partition("?")[0]
    return {"/sign-in/": "in", "/sign-in/code/": "code", "/": "home"}.get(place, "there")


@pytest.mark.parametrize("column", COLUMNS)
def test_each_address_opens_to_whom_the_table_says(column: str, places: dict[str, dict[str, object]]) -> None:
    urls = {name: reverse(name, kwargs=places.get(name)) for name in ROWS}
    found = {name: answer(browser_for(column), url) for name, url in urls.items()}
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
