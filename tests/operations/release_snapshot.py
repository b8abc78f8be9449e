"""Database snapshots of releases: made by a release's own code, and upgraded by the tests of later ones. At a release:
`python -m tests.operations.release_snapshot NAME`, and commit tests/operations/releases/NAME.sql.gz. For an earlier
release, copy this file and tests/drills/support/working_day.py into its tree and run it there.
"""

import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from compliance.config.backups.postgres_programs import connection_arguments, find_program, run_program
from compliance.config.environment import DatabaseAddress, database_address
from compliance.config.run.embedded_servers import DATABASE, Postgres, Valkey
from tests.servers import FAST, addresses

RELEASES = Path(__file__).parent / "releases"
ROUNDS = 30
# A fixed key, like the controllers' in these tests: an operator keeps the ledger's key over an upgrade.
SEED = bytes(range(32, 64))


def write_key(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SEED.hex())


def load_release(release: Path, folder: Path, owner: DatabaseAddress) -> None:
    """In one transaction, into an empty database. `folder` is for a temporary file."""
    text = folder / release.stem
    text.write_bytes(gzip.decompress(release.read_bytes()))
    command = [find_program("psql"), *connection_arguments(owner), "--no-psqlrc", "--quiet", "--single-transaction"]
    run_program([*command, "--set=ON_ERROR_STOP=1", f"--dbname={owner.name}", f"--file={text}"], owner)
    text.unlink()


def make_release(name: str) -> Path:
    """Plays a working day of two casinos through the services of this code, and dumps the whole database as text."""
    RELEASES.mkdir(exist_ok=True)
    made = RELEASES / f"{name}.sql.gz"
    with _running_servers() as (folder, postgres):
        _make_working_day(folder, postgres)
        owner = database_address(os.environ["DATABASE_OWNER_URL"], "DATABASE_OWNER_URL")
        text = folder / f"{name}.sql"
        run_program(
            [find_program("pg_dump"), *connection_arguments(owner), "--no-owner", f"--file={text}", owner.name], owner
        )
        made.write_bytes(gzip.compress(text.read_bytes(), mtime=0))
    return made


@contextmanager
def _running_servers() -> Iterator[tuple[Path, Postgres]]:
    """Separate servers in a temporary folder, with Django set up for them."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    postgres, valkey = Postgres(folder / "postgres", *FAST), Valkey(folder / "valkey")
    try:
        postgres.start()
        valkey.start()
        os.environ.update(addresses(folder, postgres, valkey), DJANGO_SETTINGS_MODULE="compliance.config.settings")
        import django

        django.setup()
        yield folder, postgres
    finally:
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder)


def _make_working_day(folder: Path, postgres: Postgres) -> None:
    import psycopg
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from tests.drills.support.working_day import make_world
    from tests.fixture_snapshots import create_snapshot_functions

    # The passwords are in the tests anyway, so a fast hasher will do.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    call_command("migrate", verbosity=0, interactive=False)
    write_key(folder / "keys" / "ledger.key")
    with psycopg.connect(postgres.superuser_url(DATABASE), autocommit=True) as admin:
        create_snapshot_functions(admin)
        make_world(folder, rounds=ROUNDS)
        _finish_audit()
        connection.close()
        admin.execute("DROP SCHEMA kept CASCADE")


def _finish_audit() -> None:
    """Completes the audit, so that any difference after an upgrade comes from the upgrade."""
    from django.utils import timezone

    from compliance.audit.run.worker import audit_log
    from compliance.core.accounts.models import Casino
    from compliance.inspection.reviews.consumer import consume_findings
    from rounds.ledger.signing.checkpoints import sign_log

    for casino in Casino.objects.all():
        for _ in audit_log(casino):
            consume_findings([casino.slug])
        sign_log(casino.slug, timezone.now())


if __name__ == "__main__":
    print(make_release(sys.argv[1]))
