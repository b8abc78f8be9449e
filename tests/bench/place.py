"""Where the benchmark runs: servers of its own that wait for the disk as in production, a fresh database a subject."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from compliance.config.environment import PROJECT
from compliance.config.servers import Postgres, Valkey
from tests.servers import addresses, copy_of_migrated

RUNS = PROJECT / ".data" / "bench"
TEMPLATE = "migrated"
# Memory and log space for ours and for every peer alike. Durability is PostgreSQL's default.
TUNED = (
    "shared_buffers=2GB",
    "effective_cache_size=8GB",
    "max_wal_size=8GB",
    "checkpoint_timeout=15min",
    "maintenance_work_mem=512MB",
)


@contextmanager
def servers() -> Iterator[None]:
    """PostgreSQL and Valkey, and Django set up for them."""
    folder = RUNS / str(os.getpid())
    postgres, valkey = Postgres(folder / "postgres", *TUNED), Valkey(folder / "valkey")
    try:
        copy_of_migrated(postgres.folder)
        postgres.start()
        valkey.start()
        os.environ.update(addresses(folder, postgres, valkey), DJANGO_SETTINGS_MODULE="compliance.config.settings")
        _set_up()
        yield
    finally:
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _set_up() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.utils import timezone

    from compliance.web.signing import make_report_key
    from rounds.ledger.checkpoints import make_key
    from tests.conftest import make_database, make_template, migrate, superuser

    # Signing people up is not what is measured.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    make_key(settings.LEDGER_KEY_FILE)
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    call_command("collectstatic", verbosity=0, interactive=False)
    with superuser("postgres") as admin:
        make_database(admin, TEMPLATE, make_template(admin))
    migrate(TEMPLATE)


@contextmanager
def fresh_database(name: str) -> Iterator[None]:
    """An empty migrated database; processes started within find it too. Gone afterwards, with what is kept outside of
    it: a log that begins again would be taken for one that lost its entries, and bells still ring for the last one."""
    from celery import current_app
    from django.conf import settings
    from django.db import connection
    from psycopg import sql

    from rounds.ledger.keeping import kept_file
    from tests.conftest import make_database, superuser
    from tests.kept import forget_worlds, make_keeper

    connection.close()
    forget_worlds()
    with superuser("postgres") as admin:
        make_database(admin, name, TEMPLATE)
    for variable in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        os.environ[variable] = urlsplit(os.environ[variable])._replace(path=f"/{name}").geturl()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name
    with superuser(name) as admin:
        make_keeper(admin)
    try:
        yield
    finally:
        connection.close()
        shutil.rmtree(kept_file(name).parent, ignore_errors=True)
        current_app.control.purge()
        with superuser("postgres") as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def url_of_database() -> str:
    """The database that Django is connected to, for programs that connect on their own, as the same role."""
    from django.db import connection

    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
