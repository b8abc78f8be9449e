import json
import os
import subprocess
import sys
from pathlib import Path

from compliance.config.environment import PROJECT

SMALLEST = {"TIMES": "1", "WAGERS": "2000", "VERIFIED": "100", "ENTRIES": "1000"}
OURS = ("PATH", "HOME", "LANG")


def test_each_subject_begins_anew_after_the_last_one(tmp_path: Path) -> None:
    """The people of the first are not there for the second, which hires its own."""
    environment = {name: os.environ[name] for name in OURS if name in os.environ} | SMALLEST
    kept = tmp_path / "bench.json"
    ended = subprocess.run(
        [sys.executable, "-m", "tests.bench", "verification", "what_if", "--json", str(kept)],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert {name: bool(record["lines"]) for name, record in json.loads(kept.read_text()).items()} == {
        "verification": True,
        "what_if": True,
    }
