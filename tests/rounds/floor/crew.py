"""The crew of Harbour's floor: Cora the compliance officer, Sid the casino supervisor, Gina who supervises games.

Ada and Bruno administer Harbour, Ines inspects there; Otto, at Marina, is the outsider.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.web.errors import Refusal
from rounds.floor.fact_values import FactValue, TableRulesValue
from rounds.floor.models import Controller, ControllerKey, Fact, Table
from rounds.floor.services import add_table, approve_key, assign_table, propose_key, record_fact, register_controller
from rounds.rulebook.models import MediaType, RuleVersion
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.core.accounts.people import Cast, assemble, give_phone, hire
from tests.fixture_snapshots import snapshot_step, snapshotted

OPENING = datetime(2026, 6, 1, 2, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
JUST_BEFORE = timedelta(microseconds=-1)
SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
Made = TypeVar("Made")
PUBLIC_KEY = SECRET.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


@dataclass(frozen=True)
class Crew:
    cast: Cast
    cora: User
    sid: User
    gina: User

    @property
    def harbour(self) -> Casino:
        return self.cast.harbour


@snapshotted
def gather() -> Crew:
    cast = assemble()
    hired = [
        hire(name, cast.harbour, role, by=cast.ada)
        for name, role in (
            ("cora", Role.COMPLIANCE_OFFICER),
            ("sid", Role.CASINO_SUPERVISOR),
            ("gina", Role.GAMES_SUPERVISOR),
        )
    ]
    for person in hired:
        give_phone(person)
    return Crew(cast, *hired)


def new_table(crew: Crew, slug: str = "sb-1", at: datetime = OPENING) -> Table:
    return add_table(casino=crew.harbour, slug=slug, name=f"Table {slug.upper()}", actor=crew.sid, now=at)


def new_controller(crew: Crew, slug: str = "box-1", at: datetime = OPENING) -> Controller:
    return register_controller(casino=crew.harbour, slug=slug, name=f"Box {slug}", actor=crew.cora, now=at)


def trusted_key(crew: Crew, controller: Controller, public_key: bytes = PUBLIC_KEY) -> ControllerKey:
    key = propose_key(controller=controller, public_key=public_key, actor=crew.cora, now=OPENING)
    return approve_key(key=key, actor=crew.cast.ada, now=OPENING)


def speaking_controller(crew: Crew, *tables: Table) -> Controller:
    controller = new_controller(crew)
    trusted_key(crew, controller)
    for table in tables:
        assign_table(controller=controller, table=table, actor=crew.cora, now=OPENING)
    return controller


def adopt_rules(crew: Crew, rules: str) -> RuleVersion:
    """Cora proposes a shipped pack, Ines approves it: in force at least an hour before the opening."""
    version = propose_version(
        casino=crew.harbour,
        pack_content=(PACK_FOLDER / f"{rules}.toml").read_bytes(),
        pack_file=f"{rules}.toml",
        source=SourceUpload(b"The rules of the game, as printed.\n", "rules.txt", MediaType.TEXT),
        readings={},
        actor=crew.cora,
        now=OPENING - 3 * HOUR,
    )
    return approve_version(
        version=version,
        effective_at=expected_effective_at(version) or OPENING - HOUR,
        time_zone="Australia/Sydney",
        evidence="Gazetted.",
        edge_reason="Printed so.",
        actor=crew.cast.ines,
        now=OPENING - 2 * HOUR,
    )


def print_rules(folder: Path, rules: str, *changes: tuple[str, str]) -> Path:
    """A changed copy of a shipped pack; returns the folder to use as PACK_FOLDER."""
    text = (PACK_FOLDER / f"{rules}.toml").read_text()
    for printed, anew in changes:
        assert printed in text
        text = text.replace(printed, anew)
    (folder / f"{rules}.toml").write_text(text)
    return folder


def make_once(make: Callable[..., Made], crew: Crew, rules: str, *said: str) -> Made:
    """Caches a frequent first step after the crew as a snapshot. It depends on the text of the rules."""
    printed = sha256((PACK_FOLDER / f"{rules}.toml").read_bytes()).hexdigest()
    people = (one.pk for one in (crew.harbour, crew.cora, crew.sid, crew.cast.ines))
    return snapshot_step(partial(make, crew, rules, *said), rules, printed, *people, *said)


def table_under(crew: Crew, rules: str, slug: str = "sb-1") -> Table:
    """A table where an approved rule set is played from the opening on."""
    table = make_once(_make_table_under, crew, rules, slug)
    table.casino = crew.harbour
    return table


def _make_table_under(crew: Crew, rules: str, slug: str) -> Table:
    adopt_rules(crew, rules)
    table = new_table(crew, slug)
    record_table_fact(crew, table, TableRulesValue(rules=rules))
    return table


def record_table_fact(
    crew: Crew, table: Table | None, value: FactValue, at: datetime = OPENING, **said: object
) -> Fact:
    """Recorded by Sid at its effective instant, unless `now` is given."""
    circumstances = {"actor": crew.sid, "now": at} | said
    return record_fact(casino=crew.harbour, table=table, value=value, effective_at=at, **circumstances)  # type: ignore[arg-type]


def refusal_of(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value
