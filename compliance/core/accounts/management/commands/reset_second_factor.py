"""Command for a person who lost phone and recovery codes, if no administrator is responsible for all their casinos."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.core.accounts.models import User
from compliance.core.accounts.services import reset_second_factor_by_operator


class Command(BaseCommand):
    help = "Reset a person's second factor and end their sessions. Make sure first that it is really they who ask."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="e-mail address of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        person = User.objects.filter(email=options["email"].lower()).first()
        if person is None:
            raise CommandError(f"There is no account for {options['email']}.")
        if not person.has_second_factor:
            raise CommandError(f"{person} has no second factor.")
        reset_second_factor_by_operator(subject=person, now=timezone.now())
        self.stdout.write(f"{person} sets up a new second factor at the next sign-in.")
