"""Everything between installing and serving: tables, static files and, in demo mode, the demo."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from rounds.ledger.appending import open_log
from rounds.ledger.checkpoints import make_key


class Command(BaseCommand):
    help = "Migrate as the owner, collect static files and, in demo mode, load the demo and print its sign-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        open_log("site", timezone.now())
        if settings.DEMO:
            make_key(settings.LEDGER_KEY_FILE)
            call_command("demo")
            call_command("demo", sign_ins=True, stdout=self.stdout)
