"""What fairness only derives, made again: what came back day by day from the rounds, last looks from examinations."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import Casino
from compliance.fairness.examining import remember_looks, write_returns
from compliance.fairness.models import Examination


@transaction.atomic
def rebuild(casino: Casino, now: datetime) -> int:
    """How many examined days there were. Examinations and signals are records: they stay as they are."""
    examined = list(Examination.objects.filter(casino=casino).order_by("entry_index"))
    for done in examined:
        write_returns(casino, done.gaming_day, now)
        remember_looks(done)
    return len(examined)
