"""What fairness only derives, made again: what came back day by day from the rounds, last looks from examinations."""

from datetime import datetime

from django.db import transaction

from compliance.analysis.fairness.examination.daily_examination import update_last_tests, write_daily_returns
from compliance.analysis.fairness.models import Examination
from compliance.core.accounts.models import Casino


@transaction.atomic
def rebuild_derived_rows(casino: Casino, now: datetime) -> int:
    """How many examined days there were. Examinations and signals are records: they stay as they are."""
    examined = list(Examination.objects.filter(casino=casino).order_by("entry_index"))
    for done in examined:
        write_daily_returns(casino, done.gaming_day, now)
        update_last_tests(done)
    return len(examined)
