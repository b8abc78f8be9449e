"""Programs in a single file, joined from our modules, that need only Python."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.reports.offline.single_file_verifier import VERIFIER as OF_REPORTS
from compliance.transparency.wager_proofs.offline.single_file_verifier import WAGER_VERIFIER as OF_WAGERS
from rounds.transparency_log.offline import feed_completeness
from rounds.transparency_log.offline.single_file import CannotJoinModules, SingleFileProgram, join_modules
from rounds.transparency_log.offline.single_file_verifiers import BUNDLE_MODULES, BUNDLE_VERIFIER

TOOLS = '"""Tools."""\n\nimport re\n\nDIGITS = re.compile("[0-9]+")\n'
COUNTS = '''"""Counts."""

from tools import DIGITS


def count(text: str) -> int:
    return len(DIGITS.findall(text))
'''
PROGRAM = '''"""Count numbers: count.py TEXT"""

from __future__ import annotations

import sys

from counts import count


def main() -> int:
    # Said as it is.
    return count(sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
'''
SOURCES = {"tools": TOOLS, "counts": COUNTS, "program": PROGRAM}
EVERY = pytest.mark.parametrize("program", [BUNDLE_VERIFIER, OF_WAGERS, OF_REPORTS], ids=lambda one: one.file_name)


def run(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@EVERY
def test_each_runs_alone_in_an_empty_folder_and_says_how(program: SingleFileProgram, tmp_path: Path) -> None:
    path = tmp_path / program.file_name
    path.write_bytes(program.content)
    shown = run(tmp_path, sys.executable, "-I", "-S", str(path), "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    without = run(tmp_path, sys.executable, "-I", "-S", str(path))
    assert (without.returncode, "usage: " in without.stderr) == (2, True)
    usage = ast.get_docstring(ast.parse(program.content)) or ""
    assert f"offline: python3 -I {program.file_name} " in usage.splitlines()[0]


@EVERY
def test_no_name_in_it_is_left_without_a_meaning_or_has_two(program: SingleFileProgram, tmp_path: Path) -> None:
    path = tmp_path / program.file_name
    path.write_bytes(program.content)
    checked = run(tmp_path, sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F", str(path))
    assert checked.returncode == 0, checked.stdout


@EVERY
def test_what_the_modules_define_stands_in_it_as_it_is_written(program: SingleFileProgram) -> None:
    text = program.content.decode()
    *others, last = (path.read_text() for path in program.paths.values())
    for source in (*others, last):
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (node.name != "main" or source == last):
                assert f"\n{ast.get_source_segment(source, node)}" in text, node.name
    assert text.count("\ndef main(") == text.count("\nif __name__ ") == text.count("\nfrom __future__ ") == 1


def test_two_makings_are_the_same_bytes_whatever_the_order_in_sets() -> None:
    assert SingleFileProgram(*BUNDLE_MODULES).content == BUNDLE_VERIFIER.content
    made = "from rounds.transparency_log.offline import BUNDLE_VERIFIER; print(BUNDLE_VERIFIER.sha256)"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        said = subprocess.run([sys.executable, "-c", made], env=environment, capture_output=True, text=True, check=True)
        assert said.stdout.strip() == BUNDLE_VERIFIER.sha256


def test_a_wager_is_checked_without_the_code_that_reads_folders() -> None:
    assert feed_completeness.__name__ in BUNDLE_VERIFIER.paths
    assert feed_completeness.__name__ not in OF_WAGERS.paths
    assert b"class FeedTable" in OF_REPORTS.content


def test_parts_become_one_program(tmp_path: Path) -> None:
    path = tmp_path / "count.py"
    path.write_text(join_modules(SOURCES))
    assert run(tmp_path, sys.executable, "-I", str(path), "1 and 22 and 333").returncode == 3
    assert "# Said as it is." in path.read_text()
    assert "# Counts." in path.read_text()


def test_the_command_line_of_a_part_is_left_out() -> None:
    command_line = PROGRAM[PROGRAM.index("\n\ndef main") :]
    assert join_modules({**SOURCES, "counts": COUNTS + command_line}) == join_modules(SOURCES)


@pytest.mark.parametrize(
    ("module", "text", "says"),
    [
        (
            "program",
            "from rounds.transparency_log.formats.signed_note import sign_note\n",
            "program imports rounds.transparency_log.formats.signed_note in line 2",
        ),
        (
            "program",
            "import rounds.transparency_log.formats.signed_note\n",
            "imports rounds.transparency_log.formats.signed_note in line 2",
        ),
        ("program", "from rounds.ledger import notes\n", "imports rounds.ledger in line 2"),
        ("program", "from . import tools\n", "imports . in line 2"),
        ("program", "from .tools import DIGITS\n", "imports .tools in line 2"),
        ("program", "import msgspec\n", "imports msgspec in line 2"),
        ("program", "def later() -> None:\n    from counts import count\n", "imports counts in line 3"),
        ("tools", "from counts import count\n", "tools imports counts in line 2"),
        ("program", "from tools import LETTERS\n", "program imports LETTERS of tools: it defines nothing"),
        ("program", "from tools import DIGITS as numbers\n", "DIGITS as numbers of tools"),
        ("program", "from counts import DIGITS\n", "imports DIGITS of counts: it defines nothing"),
        ("program", "DIGITS = 3\n", "DIGITS is from tools and from program"),
        ("program", "from string import digits as re\n", "re is from re and from string.digits"),
        ("counts", "print(DIGITS)\n", "counts does something in line 2"),
    ],
)
def test_what_would_not_run_alone_is_refused(module: str, text: str, says: str) -> None:
    docstring, _, rest = SOURCES[module].partition("\n")
    with pytest.raises(CannotJoinModules) as refused:
        join_modules({**SOURCES, module: f"{docstring}\n{text}{rest}"})
    assert says in str(refused.value)


def test_a_program_needs_a_command_line_and_says_what_it_is() -> None:
    silent, idle = PROGRAM.partition("\n")[2], PROGRAM.partition("\nif __name__")[0]
    for last in (silent, idle):
        with pytest.raises(CannotJoinModules, match="does not say how to run it, or has no command line"):
            join_modules({**SOURCES, "program": last})
