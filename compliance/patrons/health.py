"""What the status page says of personal data: whether what is over its time is destroyed."""

from datetime import datetime, timedelta

from compliance.accounts.models import Casino
from compliance.patrons.models import PersonalRecord
from compliance.patrons.retention import today_at
from compliance.web.health import Reading, register_check

# Destruction comes round every hour; a day is time to mend it.
GRACE = timedelta(days=1)


def register_checks() -> None:
    register_check("personal data", check_destruction, is_vital=False)


def check_destruction(now: datetime) -> Reading:
    for casino in Casino.objects.order_by("slug"):
        of_casino = PersonalRecord.objects.filter(casino=casino).described()
        waiting = of_casino.in_state("due", today_at(casino, now - GRACE)).count()
        if waiting:
            return Reading(False, f"{waiting:,} records of {casino.slug} are over their time and not destroyed.")
    return Reading(True, "Nothing is kept past its time.")
