"""Loads the demo casinos, their people and rules, unless present; --sign-ins prints how to sign in."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.api.demo import make_demo_token
from compliance.core.accounts.demo import demo_sign_ins, make_demo_people
from compliance.disputes.demo import make_demo_disputes
from compliance.inspection.checklists.demo import make_demo_checklists
from compliance.reports.demo import make_demo_reports
from compliance.tables.closures.demo import make_demo_closures
from compliance.tables.equipment.demo import make_demo_equipment
from compliance.tables.limit_notices.demo import make_demo_notices
from compliance.tables.player_conduct.demo import make_demo_conduct
from compliance.tables.signs.demo import make_demo_displays
from promotions.demo import make_demo_promotions
from rounds.floor.demo import make_demo_floors
from rounds.rulebook.versions.demo import make_demo_rules

# The demo casinos began this long ago, to have a history of proposals, approvals and rounds.
DEMO_BEGAN = timedelta(days=60)


class Command(BaseCommand):
    help = "Load the demo casinos, their people and their rules (only in demo mode). Running it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--sign-ins", action="store_true", help="print the demo sign-ins and do nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This is not a demo: DEMO is not 1. Nothing was loaded.")
        if not options["sign_ins"]:
            began_at = timezone.now() - DEMO_BEGAN
            make_demo_people(now=began_at)
            make_demo_rules(began_at=began_at)
            make_demo_floors(now=timezone.now())
            make_demo_promotions(now=timezone.now())
            make_demo_equipment(now=timezone.now())
            make_demo_conduct(now=timezone.now())
            make_demo_displays(now=timezone.now())
            make_demo_notices(now=timezone.now())
            make_demo_closures(now=timezone.now())
            make_demo_disputes(now=timezone.now())
            make_demo_checklists(now=timezone.now())
            make_demo_token(now=timezone.now())
            make_demo_reports(now=timezone.now())
            return
        self.stdout.write("Sign in as (the sign-in page shows the second-factor code):")
        for sign_in in demo_sign_ins():
            self.stdout.write(f"  {sign_in.email:<36} {sign_in.password}")
