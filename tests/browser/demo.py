"""The demo's people at Harbour in the places of the crew, so that browsers can sign in as them."""

from datetime import timedelta

from django.utils import timezone

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.reviews.following import follow_findings
from rounds.intake.kinds.lines import write_line
from rounds.intake.kinds.round import Round
from tests.compliance.audit.house import House, shifted
from tests.compliance.audit.play import START
from tests.rounds.floor.crew import Crew, speaking_controller
from tests.rounds.intake.feeding import Feeder


def person(role: Role) -> User:
    return User.objects.get(email__startswith=f"{role.value}@")


class Demo:
    """What `House` needs of a crew."""

    def __init__(self) -> None:
        self.harbour = Casino.objects.get(slug="harbour")
        self.cora, self.sid = person(Role.COMPLIANCE_OFFICER), person(Role.CASINO_SUPERVISOR)
        self.ines, self.ada = person(Role.INSPECTOR), person(Role.ADMINISTRATOR)
        self.cast = self


def demo_house() -> House:
    crew: Crew = Demo()  # type: ignore[assignment]
    return House(crew)


def find(house: House) -> None:
    """What the workers do within seconds: audit, and open the reviews."""
    house.audit()
    follow_findings([house.casino.slug])


def feed_round(house: House, body: Round) -> int:
    """A round of a minute ago, signed and sent by the table's controller through the real interface; its index."""
    speaking_controller(house.crew, house.open_table())
    ago = timezone.now() - timedelta(minutes=2)
    line = write_line(kind="round", table="sb-1", sequence=1, at=timezone.now(), body=shifted(body, ago - START))
    answer = Feeder().send(line)
    assert answer.status_code == 200, answer.content
    return int(answer.json()["receipts"][0]["index"])
