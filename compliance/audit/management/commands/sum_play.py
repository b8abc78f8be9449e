"""`manage.py sum_play`: the sums of what was played, made again from the audited rounds."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from compliance.accounts.models import Casino
from compliance.audit.columns import read_columns
from compliance.audit.models import Block
from compliance.audit.summing import sum_play, write_played


class Command(BaseCommand):
    help = "Makes the sums that dashboards read again from the audited rounds. Findings and coverage stay."

    def handle(self, *args: Any, **options: Any) -> None:
        for casino in Casino.objects.order_by("slug"):
            rounds = 0
            for number in list(Block.objects.filter(log=casino.slug).values_list("pk", flat=True)):
                with transaction.atomic():
                    rounds += self._sum(casino, number)
            self.stdout.write(f"{casino.slug}: {rounds:,} rounds.")

    def _sum(self, casino: Casino, block_id: int) -> int:
        """Locked, so that no worker audits the block meanwhile."""
        block = Block.objects.select_for_update(no_key=True).get(pk=block_id)
        if block.audited_to == block.first:
            return 0
        columns = read_columns(casino, block.first, block.audited_to)
        write_played(casino.slug, block.first, block.audited_to, sum_play(casino.slug, columns))
        return len(columns.indexes)
