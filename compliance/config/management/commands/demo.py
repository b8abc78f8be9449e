"""Loads the demo casinos and their people, unless they are there; --sign-ins prints how to get in."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.accounts.demo import make_demo_people, sign_ins
from rounds.floor.demo import make_demo_floors


class Command(BaseCommand):
    help = "Load the demo casinos and their people (only in demo mode). Running it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--sign-ins", action="store_true", help="print the demo sign-ins and do nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This is not a demo: DEMO is not 1. Nothing was loaded.")
        if not options["sign_ins"]:
            make_demo_people(now=timezone.now())
            make_demo_floors(now=timezone.now())
            return
        self.stdout.write("Sign in as (the sign-in page shows the second-factor code):")
        for sign_in in sign_ins():
            self.stdout.write(f"  {sign_in.email:<36} {sign_in.password}")
