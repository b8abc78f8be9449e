"""Health check: whether details past their retention are destroyed."""

from datetime import datetime, timedelta

from compliance.core.accounts.models import Casino
from compliance.core.web.health import CheckResult, register_check
from compliance.privacy.personal_data.models import PersonalRecord
from compliance.privacy.personal_data.retention import casino_today

# Destruction runs every hour; a day leaves time to fix it.
GRACE = timedelta(days=1)


def register_checks() -> None:
    register_check("personal data", check_destruction, is_vital=False)


def check_destruction(now: datetime) -> CheckResult:
    for casino in Casino.objects.order_by("slug"):
        of_casino = PersonalRecord.objects.filter(casino=casino).with_list_details()
        waiting = of_casino.in_state("due", casino_today(casino, now - GRACE)).count()
        if waiting:
            return CheckResult(False, f"{waiting:,} records of {casino.slug} are over their time and not destroyed.")
    return CheckResult(True, "Nothing is kept past its time.")
