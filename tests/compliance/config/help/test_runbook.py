"""The runbook lists every alarm that exists, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.core.management import get_commands
from django.test import Client

from compliance.config.environment import PROJECT
from compliance.config.help.runbook import CHECKS, DUTIES, LOG_EVENTS
from compliance.core.web import health, help_pages

SOURCES = [path for root in ("compliance", "rounds", "promotions") for path in (PROJECT / root).rglob("*.py")]


def calls(name: str) -> Iterator[tuple[Path, ast.Call]]:
    for path in SOURCES:
        text = path.read_text()
        if f"{name}(" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
                    yield path, node


def spelled_out(path: Path, value: ast.expr) -> str:
    """The string literal, or the value of the constant with that name."""
    if isinstance(value, ast.Constant):
        return str(value.value)
    name = ast.unparse(value)
    for source in (path, *SOURCES):
        if not re.search(rf"^[\w, ]*\b{name}\b[\w, ]* = ", source.read_text(), re.MULTILINE):
            continue
        for node in ast.parse(source.read_text()).body:
            if not isinstance(node, ast.Assign) or name not in ast.unparse(node.targets[0]):
                continue
            targets, values = node.targets[0], node.value
            if isinstance(targets, ast.Tuple) and isinstance(values, ast.Tuple):
                pairs = dict(zip(map(ast.unparse, targets.elts), values.elts, strict=True))
                return str(ast.literal_eval(pairs[name]))
            if ast.unparse(targets) == name:
                return str(ast.literal_eval(values))
    raise AssertionError(f"{path}: what is {name}?")


def test_every_part_of_the_status_page_is_in_it() -> None:
    assert {alarm.name for alarm in CHECKS} == set(health._checks)


def test_every_duty_that_an_alert_is_raised_for_is_in_it() -> None:
    raised = {
        spelled_out(path, keyword.value)
        for path, call in calls("raise_alert")
        for keyword in call.keywords
        if keyword.arg == "duty"
    }
    assert {alarm.name for alarm in DUTIES} == raised
    assert len(raised) >= 7


def test_every_error_in_the_log_is_in_it() -> None:
    logged = {spelled_out(path, call.args[0]) for path, call in calls("logger.error")}
    assert {alarm.name for alarm in LOG_EVENTS} == logged
    assert len(logged) >= 14


def test_the_page_shows_them_and_names_only_commands_that_exist(db: None, client: Client) -> None:
    page = client.get("/help/runbook/").content.decode()
    for alarm in (*CHECKS, *DUTIES, *LOG_EVENTS):
        assert f">{alarm.name}</th>" in page
    for slug in ("runbook", "backup", "threat-model"):
        text = help_pages.page_text(next(page for page in help_pages.all_pages() if page.slug == slug))
        assert set(re.findall(r"manage\.py (\w+)", text)) <= set(get_commands())
