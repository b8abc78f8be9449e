"""Following the log for the live floor. A ring that is lost or doubled changes nothing: the cursor remembers."""

from celery import shared_task

from compliance.desk import standing

FOLLOW = "compliance.desk.tasks.follow_tables"


@shared_task(name=FOLLOW)
def follow_tables() -> None:
    standing.follow_tables()
