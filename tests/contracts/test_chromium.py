"""Without Chromium the browser tests say how to install it; only continuous integration fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.config.environment import PROJECT


@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_a_missing_chromium_is_loud_and_fatal_only_under_ci(tmp_path: Path, ci: str, status: int) -> None:
    environment = os.environ | {"PATH": str(tmp_path), "CI": ci}
    command = [sys.executable, "-m", "tests.chromium"]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "the browser tests are LEFT OUT" in done.stdout
    assert "apt-get install chromium" in done.stdout
