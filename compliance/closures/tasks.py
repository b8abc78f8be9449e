"""Following what controllers report of closed and opened tables."""

from celery import shared_task

from compliance.closures.reported import CONSUMER, FOLLOWED, take_reports
from rounds.ledger.following import every_log, follow_to_the_end

FOLLOW = "compliance.closures.tasks.follow_closings"


@shared_task(name=FOLLOW)
def follow_closings() -> None:
    follow_to_the_end(CONSUMER, every_log(), take_reports, kinds=FOLLOWED)
