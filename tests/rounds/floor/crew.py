"""The crew of Harbour's floor: Cora the compliance officer, Sid the casino supervisor, Gina who supervises games.

Ada and Bruno administer Harbour, Ines inspects there; Otto, at Marina, is the outsider.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from rounds.floor.models import Controller, ControllerKey, Table
from rounds.floor.services import add_table, approve_key, give_controller_table, propose_key, register_controller
from tests.compliance.accounts.cast import Cast, assemble, give_phone, hire

OPENING = datetime(2026, 6, 1, 2, 0, tzinfo=UTC)
SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
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
        give_controller_table(controller=controller, table=table, actor=crew.cora, now=OPENING)
    return controller
