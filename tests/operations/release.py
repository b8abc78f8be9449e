"""What a release leaves behind: a database that its own code made, kept whole for the releases after it to take over.

When a release is made: `python -m tests.operations.release NAME`, and commit tests/operations/releases/NAME.sql.gz.
For a release of before, copy this file and tests/drills/working_day.py into its tree and run them there.
"""

import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from compliance.config.backups.programs import arguments_for, program, run
from compliance.config.environment import DatabaseAddress, database_address
from compliance.config.servers import DATABASE, Postgres, Valkey
from tests.servers import FAST, addresses

RELEASES = Path(__file__).parent / "releases"
ROUNDS = 30
# Anybody's, as the controllers' key in these tests: an operator keeps the ledger's key over an upgrade.
SEED = bytes(range(32, 64))


def put_key(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SEED.hex())


def load(release: Path, folder: Path, owner: DatabaseAddress) -> None:
    """All of it or none of it, into an empty database. `folder` takes the text for a moment."""
    text = folder / release.stem
    text.write_bytes(gzip.decompress(release.read_bytes()))
    command = [program("psql"), *arguments_for(owner), "--no-psqlrc", "--quiet", "--single-transaction"]
    run([*command, "--set=ON_ERROR_STOP=1", f"--dbname={owner.name}", f"--file={text}"], owner)
    text.unlink()


def make(name: str) -> Path:
    """A working day of two casinos, by the services of this very code, and the whole database as text."""
    RELEASES.mkdir(exist_ok=True)
    made = RELEASES / f"{name}.sql.gz"
    with _servers() as (folder, postgres):
        _work(folder, postgres)
        owner = database_address(os.environ["DATABASE_OWNER_URL"], "DATABASE_OWNER_URL")
        text = folder / f"{name}.sql"
        run([program("pg_dump"), *arguments_for(owner), "--no-owner", f"--file={text}", owner.name], owner)
        made.write_bytes(gzip.compress(text.read_bytes(), mtime=0))
    return made


@contextmanager
def _servers() -> Iterator[tuple[Path, Postgres]]:
    """Of their own, in a folder that is gone afterwards, and Django set up for them."""
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


def _work(folder: Path, postgres: Postgres) -> None:
    import psycopg
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from tests.drills.working_day import make_world
    from tests.kept import make_keeper

    # What these people's passwords are stands in the tests; how they are hashed need not cost anything.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    call_command("migrate", verbosity=0, interactive=False)
    put_key(folder / "keys" / "ledger.key")
    with psycopg.connect(postgres.superuser_url(DATABASE), autocommit=True) as admin:
        make_keeper(admin)
        make_world(folder, rounds=ROUNDS)
        _end_the_day()
        connection.close()
        admin.execute("DROP SCHEMA kept CASCADE")


def _end_the_day() -> None:
    """Nothing waits to be audited, so that whatever differs after an upgrade comes from the upgrade."""
    from django.utils import timezone

    from compliance.accounts.models import Casino
    from compliance.audit.working import audit_log
    from compliance.reviews.following import follow_findings
    from rounds.ledger.checkpoints import sign_now

    for casino in Casino.objects.all():
        for _ in audit_log(casino):
            follow_findings([casino.slug])
        sign_now(casino.slug, timezone.now())


if __name__ == "__main__":
    print(make(sys.argv[1]))
