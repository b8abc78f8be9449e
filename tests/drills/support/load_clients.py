"""Clients of the load drill: more controllers for the existing tables, and signed-in people.

Run with the drill's database, after the plans: `python -m tests.drills.support.load_clients FOLDER CONTROLLERS PEOPLE`.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

from tests.drills.support.controller_plans import Plan, read_plans

# Pages that are open on a busy evening; all of these roles may open them.
PAGES = ("desk:floor", "audit:findings", "alerts:inbox", "evidence:ledger", "audit:coverage", "floor:tables")
READERS = ("inspector", "casino-supervisor", "games-supervisor", "shift-manager", "compliance-officer")


class Visitor(NamedTuple):
    """A signed-in person: the session cookie, and the pages they open in turn."""

    cookie: str
    paths: list[str]


class Crowd(NamedTuple):
    controllers: list[Plan]
    people: list[Visitor]


def read_crowd(folder: Path) -> Crowd:
    said = json.loads((folder / "crowd.json").read_text())
    return Crowd([Plan(*one) for one in said["controllers"]], [Visitor(*one) for one in said["people"]])


def gather_crowd(folder: Path, controllers: int, people: int) -> None:
    plans = read_plans(folder)
    for number in range(controllers - len(plans)):
        plans.append(_add_controller(plans[number % len(plans)], number))
    said = {"controllers": plans, "people": [_sign_in_visitor(number, plans) for number in range(people)]}
    (folder / "crowd.json").write_text(json.dumps(said))


def _add_controller(plan: Plan, number: int) -> Plan:
    """Another controller for the same table, with its own sequence."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from django.utils import timezone

    from compliance.core.accounts.demo import demo_email
    from compliance.core.accounts.models import User
    from compliance.core.accounts.roles import Role
    from rounds.floor.models import Table
    from rounds.floor.services import approve_key, assign_table, propose_key, register_controller

    officer, administrator = (
        User.objects.get(email=demo_email(role)) for role in (Role.COMPLIANCE_OFFICER, Role.ADMINISTRATOR)
    )
    table, now, slug = Table.objects.get(casino__slug=plan.casino, slug=plan.table), timezone.now(), f"extra-{number}"
    secret = Ed25519PrivateKey.generate()
    controller = register_controller(casino=table.casino, slug=slug, name=f"Extra box {number}", actor=officer, now=now)
    assign_table(controller=controller, table=table, actor=officer, now=now)
    key = propose_key(controller=controller, public_key=secret.public_key().public_bytes_raw(), actor=officer, now=now)
    approve_key(key=key, actor=administrator, now=now)
    path = Path(plan.key_file).with_name(f"{plan.casino}.{slug}.pem")
    path.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return plan._replace(controller=slug, key_file=str(path))


def _sign_in_visitor(number: int, plans: list[Plan]) -> Visitor:
    from django.conf import settings
    from django.urls import reverse

    from compliance.core.accounts.demo import demo_email
    from compliance.core.accounts.models import User
    from compliance.core.accounts.roles import Role
    from tests.compliance.core.accounts.people import browser_of

    person = User.objects.get(email=demo_email(Role(READERS[number % len(READERS)])))
    casino = plans[number % len(plans)].casino
    cookie = browser_of(person).cookies[settings.SESSION_COOKIE_NAME].value
    return Visitor(cookie, [reverse("desk:home"), *(reverse(page, kwargs={"casino": casino}) for page in PAGES)])


if __name__ == "__main__":
    import django

    django.setup()
    gather_crowd(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
