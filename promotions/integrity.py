"""The inspectorate is told at once when the integrity of a draw or of a whole promotion is in doubt (NSW 10.12)."""

from datetime import datetime

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.alerts.services import raise_alert
from promotions.duties import governing
from rounds.rulebook.selectors import pack_of

DUTY = "promotion-stop"


def tell_inspectorate(
    *, casino: Casino, what: str, became: str, determined_at: datetime, actor: User, now: datetime
) -> None:
    """Whom the casino's rules mean by the word they use; nobody, where they say nothing."""
    found = governing(casino, now)
    if found is None:
        return
    duty = found.duties.integrity
    word = pack_of(found.version).roles[duty.told]
    raise_alert(
        casino=casino, duty=DUTY, to=tuple(Role(each) for each in word.means),
        statement=f"{what} was {became}: its integrity is in doubt.", clause=duty.clause, now=now, actor=actor,
        immediately=duty.told_at_once, fact_at=determined_at,
    )  # fmt: skip
