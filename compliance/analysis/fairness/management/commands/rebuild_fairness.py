"""`manage.py rebuild_fairness`: rebuilds the derived tables from rounds and examinations."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from compliance.analysis.fairness.examination.rebuild import rebuild_derived_rows
from compliance.core.accounts.models import Casino


class Command(BaseCommand):
    help = "Work out again what came back on every examined day, and how each subject was last looked at."

    def handle(self, *args: Any, **options: Any) -> None:
        for casino in Casino.objects.order_by("slug"):
            days = rebuild_derived_rows(casino, timezone.now())
            self.stdout.write(f"{casino.slug}: {days} examined days.")
