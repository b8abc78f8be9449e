"""Django's migrate, run as the owner role; afterwards the app role is given exactly its privileges."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from compliance.config.database import as_owner, grant_app_role


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        alias = options["database"]
        app_role = connections[alias].settings_dict["USER"]
        with as_owner(alias):
            super().handle(*args, **options)
            grant_app_role(app_role, alias)
