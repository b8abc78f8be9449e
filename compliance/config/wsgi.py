"""What the web server imports, once for all its processes. A service whose ledger could be changed does not start."""

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
