"""`make mutants`: the full run. Django is set up first, because the audit evaluates violation cases."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.config.settings")
    django.setup()
    from tests.mutants.full_run import main

    sys.exit(main())
