"""Rebuilds the derived rows: daily returns from the rounds, last tests from the examinations."""

from datetime import datetime

from django.db import transaction

from compliance.analysis.fairness.examination.daily_examination import update_last_tests, write_daily_returns
from compliance.analysis.fairness.models import Examination
from compliance.core.accounts.models import Casino


@transaction.atomic
def rebuild_derived_rows(casino: Casino, now: datetime) -> int:
    """Returns the number of examined days. Examinations and signals are ledger records and are not touched."""
    examined = list(Examination.objects.filter(casino=casino).order_by("entry_index"))
    for done in examined:
        write_daily_returns(casino, done.gaming_day, now)
        update_last_tests(done)
    return len(examined)
