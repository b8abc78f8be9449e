"""`manage.py repack_rounds`: rebuilds the audit's projections from the ledger."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from compliance.audit.projections.timeline_events import rebuild_events
from compliance.audit.run.rebuild import rebuild_rounds
from compliance.core.accounts.models import Casino


class Command(BaseCommand):
    help = "Makes the columns that the audit reads again from the ledger's entries. Findings and coverage stay."

    def handle(self, *args: Any, **options: Any) -> None:
        for casino in Casino.objects.order_by("slug"):
            with transaction.atomic():
                made = rebuild_rounds(casino.slug)
                rebuild_events(casino.slug)
            self.stdout.write(f"{casino.slug}: {made:,} rounds.")
