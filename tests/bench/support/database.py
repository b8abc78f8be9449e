"""Servers of the benchmark, with production durability, and a fresh database for each subject."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from compliance.config.environment import PROJECT
from compliance.config.run.embedded_servers import Postgres, Valkey
from tests.servers import addresses, copy_migrated_cluster

RUNS = PROJECT / ".data" / "bench"
TEMPLATE = "migrated"
# Memory and WAL size for ours and every peer alike. Durability settings are PostgreSQL's defaults.
TUNED = (
    "shared_buffers=2GB",
    "effective_cache_size=8GB",
    "max_wal_size=8GB",
    "checkpoint_timeout=15min",
    "maintenance_work_mem=512MB",
)


@contextmanager
def servers() -> Iterator[None]:
    """Starts PostgreSQL and Valkey, and sets Django up for them."""
    folder = RUNS / str(os.getpid())
    postgres, valkey = Postgres(folder / "postgres", *TUNED), Valkey(folder / "valkey")
    try:
        copy_migrated_cluster(postgres.folder)
        postgres.start()
        valkey.start()
        os.environ.update(addresses(folder, postgres, valkey), DJANGO_SETTINGS_MODULE="compliance.config.settings")
        _configure_django()
        yield
    finally:
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _configure_django() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.utils import timezone

    from compliance.core.web.pdf.signer import make_report_key
    from rounds.ledger.signing.checkpoints import create_key_file
    from tests.conftest import make_database, make_template, migrate, superuser

    # Creating users is not measured.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    create_key_file(settings.LEDGER_KEY_FILE)
    make_report_key(settings.REPORT_KEY_FILE, timezone.now())
    call_command("collectstatic", verbosity=0, interactive=False)
    with superuser("postgres") as admin:
        make_database(admin, TEMPLATE, make_template(admin))
    migrate(TEMPLATE)


@contextmanager
def fresh_database(name: str) -> Iterator[None]:
    """An empty migrated database, also for processes started within the block. Dropped afterwards, together with the
    checkpoint files (a new log would look like one that lost its entries) and the queued messages."""
    from celery import current_app
    from django.conf import settings
    from django.db import connection
    from psycopg import sql

    from rounds.ledger.signing.checkpoint_file import checkpoint_file_path
    from tests.conftest import make_database, superuser
    from tests.fixture_snapshots import clear_snapshots, create_snapshot_functions

    connection.close()
    clear_snapshots()
    with superuser("postgres") as admin:
        make_database(admin, name, TEMPLATE)
    for variable in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        os.environ[variable] = urlsplit(os.environ[variable])._replace(path=f"/{name}").geturl()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name
    with superuser(name) as admin:
        create_snapshot_functions(admin)
    try:
        yield
    finally:
        connection.close()
        shutil.rmtree(checkpoint_file_path(name).parent, ignore_errors=True)
        current_app.control.purge()
        with superuser("postgres") as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def url_of_database() -> str:
    """URL of Django's database with the same role, for programs that connect themselves."""
    from django.db import connection

    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
