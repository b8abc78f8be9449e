"""Following what tables report. A ring that is lost or doubled changes nothing: the cursor remembers."""

from celery import shared_task

from rounds.floor.reported import CONSUMER, FOLLOWED, take_reports
from rounds.ledger.following import every_log, follow_to_the_end

FOLLOW = "rounds.floor.tasks.follow_reports"


@shared_task(name=FOLLOW)
def follow_reports() -> None:
    follow_to_the_end(CONSUMER, every_log(), take_reports, kinds=FOLLOWED)
