"""Each command that the help page gives is one that the witness understands."""

import html
import re
import shlex

from django.test import Client

from rounds.witness.command import make_parser


def test_every_command_on_the_page_can_be_given(db: None) -> None:
    page = html.unescape(Client().get("/help/witnesses/").content.decode()).replace("\\\n", " ")
    commands = re.findall(r"^(?:<pre[^>]*><code>)?python -m rounds\.witness (.+?)(?:</code>|$)", page, re.MULTILINE)
    acts = [make_parser("witness").parse_args(shlex.split(command)).act.__name__ for command in commands]
    assert acts == ["_init", "_key", "_run", "_status", "_audit"]
    assert "/logs/harbour/key" in page
    assert 'id="disagrees"' in page
