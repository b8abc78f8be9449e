"""`manage.py sum_play`: rebuilds the daily totals from the audited rounds."""

from typing import Any

from django.core.management.base import BaseCommand

from compliance.audit.run.rebuild import rebuild_totals
from compliance.core.accounts.models import Casino


class Command(BaseCommand):
    help = "Makes the sums that dashboards read again from the audited rounds. Findings and coverage stay."

    def handle(self, *args: Any, **options: Any) -> None:
        for casino in Casino.objects.order_by("slug"):
            self.stdout.write(f"{casino.slug}: {rebuild_totals(casino.slug):,} rounds.")
