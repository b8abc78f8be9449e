"""Every command on the help page is valid for the witness and needs no more than the page says."""

import html
import re
import shlex
import subprocess
import sys
from importlib.metadata import packages_distributions

from django.test import Client

from compliance.config.environment import PROJECT
from rounds.witness.command import make_parser

LOADED = "import sys, rounds.witness.command; print(*sys.modules)"


def test_every_command_on_the_page_can_be_given(db: None) -> None:
    page = html.unescape(Client().get("/help/witnesses/").content.decode()).replace("\\\n", " ")
    commands = re.findall(r"^(?:<pre[^>]*><code>)?python -m rounds\.witness (.+?)(?:</code>|$)", page, re.MULTILINE)
    acts = [make_parser("witness").parse_args(shlex.split(command)).act.__name__ for command in commands]
    assert acts == ["_run_init", "_run_key", "_run_forever", "_run_status", "_run_audit"]
    assert "/logs/harbour/key" in page
    assert 'id="disagrees"' in page


def test_it_names_the_packages_that_the_witness_needs(db: None) -> None:
    loaded = subprocess.check_output([sys.executable, "-c", LOADED], cwd=PROJECT, text=True).split()
    ours = (PROJECT / "requirements.txt").read_text().partition("# Pulled in")[0]
    chosen = set(re.findall(r"^([A-Za-z-]+)", ours, re.MULTILINE))
    known = packages_distributions()
    needed = {package for module in loaded for package in known.get(module, ()) if package in chosen}
    page = Client().get("/help/witnesses/").content.decode()
    [named] = re.findall(r"its packages (.+?)\. The names", page, re.DOTALL)
    assert set(re.findall(r"<code>(.+?)</code>", named)) == needed
