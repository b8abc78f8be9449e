"""Entry point of the web server, imported once before it forks. Does not start if the ledger could be changed."""

import os

from django.core.wsgi import get_wsgi_application

from compliance.config.startup_checks import (
    close_connections,
    compare_ledger_with_checkpoints,
    freeze_garbage_collector,
    import_all_urls,
    require_ledger_guards,
)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.config.settings")

application = get_wsgi_application()
import_all_urls()
require_ledger_guards()
compare_ledger_with_checkpoints()
close_connections()
freeze_garbage_collector()
