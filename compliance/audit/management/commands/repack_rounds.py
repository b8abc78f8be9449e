"""`manage.py repack_rounds`: the audit's columns, made again from the ledger."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from compliance.accounts.models import Casino
from compliance.audit.happenings import note_again
from compliance.audit.repacking import repack


class Command(BaseCommand):
    help = "Makes the columns that the audit reads again from the ledger's entries. Findings and coverage stay."

    def handle(self, *args: Any, **options: Any) -> None:
        for casino in Casino.objects.order_by("slug"):
            with transaction.atomic():
                made = repack(casino.slug)
                note_again(casino.slug)
            self.stdout.write(f"{casino.slug}: {made:,} rounds.")
