"""What every worker of a run would make for itself, made once before the first of them starts."""

import compileall
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from django.conf import settings
from django.core.management import call_command
from whitenoise import WhiteNoise  # type: ignore[import-untyped]

from compliance.config.environment import PROJECT
from compliance.core.web.pdf.signer import make_report_key


def prepare_run(config: pytest.Config) -> None:
    """Pages name their static files by digest, so these are collected; modules are compiled, tests with their
    assertions told in full."""
    call_command("collectstatic", verbosity=0, interactive=False)
    if sys.dont_write_bytecode:
        return
    for package in ("compliance", "promotions", "rounds"):
        compileall.compile_dir(PROJECT / package, quiet=2)
    for path in (PROJECT / "tests").rglob("*.py"):
        if path.name.startswith("test_") or path.name == "conftest.py":
            compile_test(path, config)
        else:
            compileall.compile_file(path, quiet=2)


def make_signing_key() -> None:
    """One for all workers, valid whenever a test says it is now."""
    make_report_key(Path(settings.REPORT_KEY_FILE), datetime(2000, 1, 1, tzinfo=UTC), timedelta(days=100 * 365))


def compile_test(path: Path, config: pytest.Config) -> None:
    """As pytest does when it imports one."""
    folder = rewrite.get_cache_dir(path)
    compiled = folder / (path.stem + rewrite.PYC_TAIL)
    if rewrite.try_makedirs(folder) and rewrite._read_pyc(path, compiled) is None:
        digest, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, digest, compiled)


def cache_static_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every client of a test loads the middleware, and Whitenoise would look at each static file again."""
    look = WhiteNoise.update_files_dictionary
    found: dict[tuple[str, str], dict[str, object]] = {}

    def look_once(self: WhiteNoise, root: str, prefix: str) -> None:
        if (root, prefix) not in found:
            look(self, root, prefix)
            found[root, prefix] = dict(self.files)
        self.files.update(found[root, prefix])

    monkeypatch.setattr(WhiteNoise, "update_files_dictionary", look_once)
