#!/usr/bin/env python
"""Django's command line for Fairthrow."""

import os
import sys


def main() -> None:
    if sys.argv[1:2] == ["witness"]:
        # An inspectorate runs it: it has none of the service's settings, and must not need them.
        from rounds.witness.command import main as witness

        sys.exit(witness(sys.argv[2:], "manage.py witness"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    from compliance.config.environment import BadEnvironment

    try:
        execute_from_command_line(sys.argv)
    except (BadEnvironment, ImproperlyConfigured) as error:
        sys.exit(f"{error} See the list of environment variables in README.md.")
    except OperationalError as error:
        sys.exit(f"PostgreSQL cannot be reached: {error}\nStart the service with `make run`, or set DATABASE_URL.")


if __name__ == "__main__":
    main()
