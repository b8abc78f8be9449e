"""Prepares a test run once, before the xdist workers start, what each of them would otherwise make for itself."""

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
    """Collects static files, because pages name them by digest, and compiles modules, tests with rewritten
    assertions."""
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
    """One for all workers, valid at any time that a test sets."""
    make_report_key(Path(settings.REPORT_KEY_FILE), datetime(2000, 1, 1, tzinfo=UTC), timedelta(days=100 * 365))


def compile_test(path: Path, config: pytest.Config) -> None:
    """Compiles a test module as pytest does on import."""
    folder = rewrite.get_cache_dir(path)
    compiled = folder / (path.stem + rewrite.PYC_TAIL)
    if rewrite.try_makedirs(folder) and rewrite._read_pyc(path, compiled) is None:
        digest, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, digest, compiled)


def cache_static_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test client loads the middleware, and Whitenoise would scan the static files each time."""
    look = WhiteNoise.update_files_dictionary
    found: dict[tuple[str, str], dict[str, object]] = {}

    def look_once(self: WhiteNoise, root: str, prefix: str) -> None:
        if (root, prefix) not in found:
            look(self, root, prefix)
            found[root, prefix] = dict(self.files)
        self.files.update(found[root, prefix])

    monkeypatch.setattr(WhiteNoise, "update_files_dictionary", look_once)
