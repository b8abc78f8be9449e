"""Following controllers' signs, and watching for displays that fell silent. Run twice, it changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.signs.reported import CONSUMER, FOLLOWED, take_reports
from compliance.signs.services import note_losses
from rounds.ledger.following import every_log, follow_to_the_end

WATCH = "compliance.signs.tasks.watch_signs"


@shared_task(name=WATCH)
def watch_signs() -> None:
    follow_to_the_end(CONSUMER, every_log(), take_reports, kinds=FOLLOWED)
    note_losses(now=timezone.now())
