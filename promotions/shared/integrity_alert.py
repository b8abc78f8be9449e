"""Alert to the inspectorate when the integrity of a draw or of a whole promotion is in doubt (NSW 10.12)."""

from datetime import datetime

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.notify.alerts.services import raise_alert
from promotions.shared.duties import promotion_rules_at
from rounds.rulebook.selectors import pack_of

ALERT_DUTY = "promotion-stop"


def notify_inspectorate(
    *, casino: Casino, what: str, new_state: str, determined_at: datetime, actor: User, now: datetime
) -> None:
    """Alerts the roles that the casino's rules name. Does nothing when they have no duties on promotions."""
    rules = promotion_rules_at(casino, now)
    if rules is None:
        return
    duty = rules.duties.integrity
    job_title = pack_of(rules.version).roles[duty.told]
    raise_alert(
        casino=casino,
        duty=ALERT_DUTY,
        to=tuple(Role(each) for each in job_title.means),
        statement=f"{what} was {new_state}: its integrity is in doubt.",
        clause=duty.clause,
        now=now,
        actor=actor,
        immediately=duty.told_at_once,
        fact_at=determined_at,
    )
