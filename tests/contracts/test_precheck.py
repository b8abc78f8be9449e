"""Every act that records an entry is pre-checked: views call services that append entries through carry_out() or
confirm_page() alone."""

import ast
import dis
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from celery import current_app
from django.core.management import get_commands
from django.urls import get_resolver

from promotions.claims import services as claim_services
from promotions.claims.services import pay_prize
from rounds.ledger.writing import append as appending
from rounds.ledger.writing import ledger_rows

ROOTS = ("compliance", "rounds", "promotions")
WRITERS: frozenset[Callable[..., Any]] = frozenset(
    {appending.append, appending.append_prepared, appending.correct, ledger_rows.write_row}
)
EXEMPT_MODULES = {
    "compliance.core.accounts.": "acts on accounts: no check reads them, and some change the session",
    "rounds.intake.api.views": "lines of table controllers: recorded as sent, judged afterwards",
}
EXEMPT_CALLS = {
    "add_display": "sets a screen up; what it shows is checked when it reports",
    "begin_checklist": "begins a draft of answers; signing them is pre-checked",
    "consume_equipment": "a consumer",
    "draw_if_small": "a job's work; the sample is drawn by its seed",
    "make_proof": "discloses a recorded wager; no check reads it",
    "make_token": "access of a machine; no check reads it",
    "read_personal_details": "records that details were read; they must be recorded before they are shown",
    "receive_dissent": "a witness's report",
    "record_matter": "describes what a dispute is about; logging the dispute is pre-checked",
    "record_disclosure": "records what was read or downloaded, before it is sent; no check reads it",
    "register_endpoint": "access of a machine; no check reads it",
    "refresh_display": "a screen's report",
    "seed_sample": "fixes the seed of a sample; no check reads it",
    "set_review_policy": "how findings are reviewed; no check reads it",
    "write_row": "the evaluator's own entry of the warning that was confirmed",
}

CONSUMER = "a consumer: nobody waits for a page"
DUE = "what is due by the clock: nobody waits for a page"
OPERATION = "run by those who operate the service; no check reads it"
EXEMPT_ENTRY_POINTS = {
    "compliance.analysis.fairness.tasks.examine_casinos": DUE,
    "compliance.audit.tasks.audit": "the audit itself",
    "compliance.disputes.tasks.send_reminders": DUE,
    "compliance.inspection.checklists.tasks.draw_samples": "a job's work; the sample is drawn by its seed",
    "compliance.inspection.reviews.tasks.remind_of_unanswered": DUE,
    "compliance.inspection.reviews.tasks.reopen_accepted": DUE,
    "compliance.notify.alerts.tasks.consume_feeds": CONSUMER,
    "compliance.notify.alerts.tasks.escalate_alerts": DUE,
    "compliance.notify.webhooks.tasks.deliver_webhooks": "a job's work",
    "compliance.privacy.personal_data.tasks.destroy_due_details": DUE,
    "compliance.reports.tasks.run_report_jobs": "a job's work",
    "compliance.tables.closures.tasks.consume_closings": CONSUMER,
    "compliance.tables.equipment.tasks.consume_equipment_entries": CONSUMER,
    "compliance.tables.limit_notices.tasks.advance_notices": "a change that was announced, and pre-checked then",
    "compliance.tables.signs.tasks.update_signs": DUE,
    "compliance.transparency.ledger_pages.tasks.build_bundles": "a job's work",
    "compliance.transparency.witness_registry.tasks.check_witness_lag": DUE,
    "compliance.transparency.wager_proofs.tasks.commit_wagers": DUE,
    "manage.py audit": "the audit itself",
    "manage.py bootstrap": OPERATION,
    "manage.py confusion": "plays into a database of its own",
    "manage.py demo": "loads the demo",
    "manage.py import_rounds": "lines of table controllers: recorded as sent, judged afterwards",
    "manage.py mixed_roles": OPERATION,
    "manage.py prepare": "loads the demo",
    "manage.py reset_second_factor": OPERATION,
    "manage.py rotate_ledger_key": OPERATION,
    "manage.py rotate_report_key": OPERATION,
    "manage.py verify_ledger": OPERATION,
    "rounds.intake.tasks.record_silent_feeds": DUE,
    "rounds.ledger.tasks.verify_every_log": DUE,
}


def test_views_record_entries_only_after_a_precheck() -> None:
    calls = [
        (f"{module.__name__}.{view}", name)
        for module in modules_with_requests()
        for view, name in direct_calls(source_of(module), vars(module))
    ]
    assert sorted(f"{view}: {name}" for view, name in calls if name not in EXEMPT_CALLS) == []
    assert EXEMPT_CALLS.keys() - {name for _, name in calls} == set(), "an exemption that nothing needs"


FOOLED = """
def view(request, form):
    {}
"""


@pytest.mark.parametrize(
    "line",
    [
        "pay_prize(amount=1)",
        "services.pay_prize(amount=1)",
        "pay(amount=1)",
        "again = pay_prize; again(amount=1)",
        "partial(pay_prize, amount=1)()",
        "act = partial(pay_prize, amount=1); act()",
        "act = lambda: pay_prize(amount=1); act()",
        "helper(1)",
        "return pay_prize(amount=1) if form else None",
    ],
)
def test_a_call_in_another_guise_is_found(line: str) -> None:
    names = {"pay_prize": pay_prize, "pay": pay_prize, "services": claim_services, "helper": helper}
    assert list(direct_calls(FOOLED.format(line), names)) != []


@pytest.mark.parametrize("line", ["act = partial(pay_prize, amount=1); carry_out(request, form, act)", "form.clean()"])
def test_a_deferred_call_is_none(line: str) -> None:
    assert list(direct_calls(FOOLED.format(line), {"pay_prize": pay_prize})) == []


def helper(amount: int) -> Any:
    return pay_prize(amount=amount)  # type: ignore[call-arg]


helper.__module__ = "compliance.helper"


def test_tasks_and_commands_that_record_entries_are_listed_with_a_reason() -> None:
    found = {name for name, functions in entry_points().items() if any(map(writes, functions))}
    assert sorted(found - EXEMPT_ENTRY_POINTS.keys()) == []
    assert sorted(EXEMPT_ENTRY_POINTS.keys() - found) == [], "an exemption that nothing needs"


def test_every_service_that_records_entries_is_recorded_by_a_view_or_an_exempt_entry_point() -> None:
    """A service that nothing known calls may be called by something that this test does not see."""
    known: set[Any] = set()
    for module in modules_with_requests():
        for function in functions_of(module):
            reached(function, known)
    for functions in entry_points().values():
        for function in functions:
            reached(function, known)
    services = {each for module in own_modules() for each in functions_of(module) if records(each)}
    assert sorted(f"{each.__module__}.{each.__qualname__}" for each in services - known) == []
    assert len(services) > 50


def test_an_unchecked_call_would_be_found() -> None:
    """The search itself: services of three layers are recognised as writers, and selectors are not."""
    from compliance.disputes.services import decide_dispute
    from compliance.tables.closures.closing_rules import closing_rule_for
    from promotions.claims.services import pay_prize
    from rounds.floor.services import record_fact

    assert all(writes(each) for each in (decide_dispute, pay_prize, record_fact))
    assert not writes(closing_rule_for)


def own_modules() -> list[ModuleType]:
    """Every module of the service; the URLs, tasks and commands are imported first."""
    get_resolver().url_patterns  # noqa: B018 - imports the views
    for root in ROOTS:
        package = importlib.import_module(root)
        for info in pkgutil.walk_packages(package.__path__, f"{root}."):
            if ".migrations" not in info.name and not info.name.endswith(("__main__", ".wsgi")):
                importlib.import_module(info.name)
    return [module for name, module in sorted(sys.modules.items()) if name.startswith(ROOTS) and module]


def modules_with_requests() -> list[ModuleType]:
    """Not only those of views: a view may give its request to a function elsewhere."""
    return [each for each in own_modules() if not is_exempt(each.__name__) and "request" in source_of(each)]


def source_of(module: ModuleType) -> str:
    return Path(module.__file__).read_text() if module.__file__ else ""


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
    """The functions and methods that a module defines."""
    for value in list(vars(module).values()):
        one = inspect.unwrap(value) if callable(value) else value
        members = list(vars(one).values()) if isinstance(one, type) else [one]
        for each in members:
            member = inspect.unwrap(each) if callable(each) else each
            if isinstance(member, FunctionType) and member.__module__ == module.__name__:
                yield member


def entry_points() -> dict[str, list[FunctionType]]:
    """Celery tasks and management commands, with their functions."""
    current_app.loader.import_default_modules()
    tasks = {name: [inspect.unwrap(task.run)] for name, task in current_app.tasks.items() if name.startswith(ROOTS)}
    commands = {
        f"manage.py {name}": list(functions_of(importlib.import_module(f"{app}.management.commands.{name}")))
        for name, app in get_commands().items()
        if str(app).startswith(ROOTS)
    }
    return {**tasks, **commands}


def records(function: FunctionType) -> bool:
    """Whether a function appends entries itself."""
    named = (inspect.unwrap(each) for each in values_in(function.__code__, function.__globals__) if callable(each))
    return is_own(function) and any(each in WRITERS for each in named if isinstance(each, FunctionType))


def is_exempt(module: str) -> bool:
    return any(module.startswith(each) for each in EXEMPT_MODULES)


def direct_calls(source: str, names: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Writers that functions taking a request call themselves, outside any lambda or inner function, which are
    deferred: by name, as an attribute, through a local name, or through partial()."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and any(arg.arg == "request" for arg in function.args.args):
            deferred = deferred_names(function)
            for call in undeferred_calls(function):
                for found in called(call.func, deferred):
                    target = resolve(found, names)
                    if isinstance(target, FunctionType) and writes(target) and not takes_request(target):
                        yield function.name, target.__name__


def deferred_names(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """Local names of a function that stand for what may record: inner functions, lambdas, partials and aliases."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef) and node is not function:
            found[node.name] = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found[target.id] = list(held_functions(node.value))
    return found


def held_functions(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.Name | ast.Attribute):
        yield value
    elif isinstance(value, ast.Lambda):
        yield from (each.func for each in ast.walk(value.body) if isinstance(each, ast.Call))
    elif isinstance(value, ast.Call) and ast.unparse(value.func) in ("partial", "functools.partial") and value.args:
        yield from held_functions(value.args[0])


def called(function: ast.expr, deferred: dict[str, list[ast.expr]]) -> Iterator[ast.expr]:
    """What a call with this function runs."""
    if isinstance(function, ast.Call | ast.Lambda):
        yield from held_functions(function)
    elif isinstance(function, ast.Name) and function.id in deferred:
        yield from deferred[function.id]
    else:
        yield function


def resolve(expression: ast.expr, names: dict[str, Any]) -> Any:
    """The value of a dotted name in the namespace of a module."""
    first, *rest = ast.unparse(expression).split(".")
    value = names.get(first)
    for each in rest:
        value = getattr(value, each, None) if is_own_module(value) else None
    return inspect.unwrap(value) if callable(value) else value


def takes_request(function: FunctionType) -> bool:
    return "request" in inspect.signature(inspect.unwrap(function)).parameters


def undeferred_calls(function: ast.AST) -> Iterator[ast.Call]:
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Lambda | ast.FunctionDef):
            continue
        if isinstance(node, ast.Call):
            yield node
        yield from undeferred_calls(node)


@cache
def writes(function: Callable[..., Any]) -> bool:
    """Whether a function appends entries, itself or through functions that it names."""
    return bool(reached(inspect.unwrap(function), set()) & WRITERS)


def reached(function: Any, known: set[Any]) -> set[Any]:
    if not isinstance(function, FunctionType) or function in known or not is_own(function):
        return known
    known.add(function)
    for value in values_in(function.__code__, function.__globals__):
        reached(inspect.unwrap(value) if callable(value) else value, known)
    return known


def values_in(code: CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """The globals that the code names, and attributes of modules among them."""
    module: Any = None
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL":
            module = names.get(step.argval)
            yield module
        else:
            if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and is_own_module(module):
                yield getattr(module, step.argval, None)
            module = None
        if isinstance(step.argval, CodeType):
            yield from values_in(step.argval, names)


def is_own_module(value: Any) -> bool:
    return isinstance(value, ModuleType) and value.__name__.startswith(ROOTS)


def is_own(function: FunctionType) -> bool:
    return function.__module__.startswith(ROOTS) and not function.__module__.startswith("compliance.core.accounts.auth")
