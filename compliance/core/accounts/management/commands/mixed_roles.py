"""Lists people who hold government and casino roles, which only data from before that was refused can contain."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from compliance.core.accounts.models import RoleAssignment
from compliance.core.accounts.services import suspend_people_of_both_sides
from compliance.core.accounts.services.people import describe_roles


class Command(BaseCommand):
    help = "List people who hold government and casino roles at the same time; they stay suspended until one side ends."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--suspend", action="store_true", help="disable their accounts, with an entry; migrate does"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["suspend"]:
            suspend_people_of_both_sides(now=timezone.now())
        lines = list(people_of_both_sides())
        if lines:
            self.stdout.write("These people hold government and casino roles. Their accounts are suspended until an")
            self.stdout.write("administrator of one side has ended the roles of that side and enabled them again:")
        elif options["verbosity"]:
            self.stdout.write("Nobody holds government and casino roles at the same time.")
        for line in lines:
            self.stdout.write(line)


def people_of_both_sides() -> Iterator[str]:
    held = RoleAssignment.objects.of_both_sides().select_related("user", "casino")
    for user, roles in groupby(held.order_by("user__name", "user_id", "casino__slug", "role"), lambda one: one.user):
        yield f"{user} <{user.email}>{' (NOT suspended)' if user.is_active else ''}: {describe_roles(roles)}"
