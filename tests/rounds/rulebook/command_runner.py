"""Runs the commands in tests: `settle` as a subprocess, `rulebook` in this process."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from compliance.config.environment import PROJECT
from rounds.rulepacks import PACK_FOLDER

# Nothing listens on port 1, so any database connection fails.
NO_DATABASE = {"DATABASE_URL": "postgresql://nobody:none@127.0.0.1:1/none", "SECRET_KEY": "tests", "DEMO": "1"}
COMMAND = [sys.executable, "manage.py"]


def environment() -> dict[str, str]:
    return os.environ | NO_DATABASE


def run_settle(asked: bytes) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [*COMMAND, "settle"], cwd=PROJECT, env=environment(), input=asked, capture_output=True, check=False, timeout=60
    )


def run_rulebook(*arguments: str) -> str:
    out = io.StringIO()
    call_command("rulebook", *arguments, stdout=out)
    return out.getvalue()


def run_rulebook_json(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run_rulebook(*arguments, "--json").splitlines()]


def run_rulebook_expecting_failure(*arguments: str) -> tuple[str, str]:
    """The output before the failure, and the error message; checks that the exit status is 1."""
    out = io.StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("rulebook", *arguments, stdout=out)
    assert failed.value.returncode == 1
    return out.getvalue(), str(failed.value)


def write_draft_pack(folder: Path, slug: str, *changes: tuple[str, str]) -> Path:
    """A copy of a shipped pack with some of its text changed."""
    text = (PACK_FOLDER / f"{slug}.toml").read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "draft.toml"
    path.write_text(text)
    return path
