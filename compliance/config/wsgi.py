"""What the web server imports, once for all its processes. A service whose ledger could be changed does not start."""

import os

from django.core.wsgi import get_wsgi_application

from compliance.config.starting import (
    compare_ledger,
    forget_connections,
    import_every_page,
    keep_for_good,
    refuse_unguarded_ledger,
)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.config.settings")

application = get_wsgi_application()
import_every_page()
refuse_unguarded_ledger()
compare_ledger()
forget_connections()
keep_for_good()
