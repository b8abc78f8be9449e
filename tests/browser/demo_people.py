"""The demo's people at Harbour in the roles of the test crew, so that browsers can sign in as them."""

from datetime import timedelta

from django.utils import timezone

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.inspection.reviews.consumer import consume_findings
from rounds.intake.protocol.envelope import encode_line
from rounds.intake.protocol.round import Round
from tests.compliance.audit.house import House, shifted
from tests.compliance.audit.round_builders import START
from tests.rounds.floor.crew import Crew, speaking_controller
from tests.rounds.intake.controller_client import Feeder


def demo_person(role: Role) -> User:
    return User.objects.get(email__startswith=f"{role.value}@")


class DemoCrew:
    """The attributes of a crew that `House` needs."""

    def __init__(self) -> None:
        self.harbour = Casino.objects.get(slug="harbour")
        self.cora, self.sid = demo_person(Role.COMPLIANCE_OFFICER), demo_person(Role.CASINO_SUPERVISOR)
        self.ines, self.ada = demo_person(Role.INSPECTOR), demo_person(Role.ADMINISTRATOR)
        self.cast = self


def demo_house() -> House:
    crew: Crew = DemoCrew()  # type: ignore[assignment]
    return House(crew)


def audit_and_open_reviews(house: House) -> None:
    """Runs the audit and opens reviews, as workers do within seconds."""
    house.audit()
    consume_findings([house.casino.slug])


def feed_round(house: House, body: Round) -> int:
    """A round of a minute ago, signed and sent by the table's controller through the real API; returns its index."""
    speaking_controller(house.crew, house.open_table())
    ago = timezone.now() - timedelta(minutes=2)
    line = encode_line(kind="round", table="sb-1", sequence=1, at=timezone.now(), body=shifted(body, ago - START))
    answer = Feeder().send(line)
    assert answer.status_code == 200, answer.content
    return int(answer.json()["receipts"][0]["index"])
