"""The help page lists every fault that can be planted, and commands that work as printed."""

import re
import shlex

import pytest
from django.core.management import load_command_class
from django.test import Client
from django.utils.html import escape

from rounds.simulator.fault_selection import select_faults


@pytest.mark.django_db
def test_it_prints_every_code_and_commands_that_parse(client: Client) -> None:
    page = client.get("/help/simulator/").content.decode()
    for injector in select_faults("all").all_injectors:
        assert f"<code>{injector.code}</code></dt><dd>{escape(injector.description)}" in page

    commands = {"simulate": ("rounds.simulator", 4), "confusion": ("compliance.audit", 5)}
    for name, (app, count) in commands.items():
        typed = re.findall(rf"manage\.py {name} (.*?)(?:</code>)?\n", page)
        parser = load_command_class(app, name).create_parser("manage.py", name)
        assert len(typed) == count
        for line in typed:
            options = parser.parse_args(shlex.split(line.removesuffix("</code></pre>")))
            assert name != "simulate" or select_faults(options.faults).codes or not options.faults
