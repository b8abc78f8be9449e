"""Every act that records an entry is pre-checked: views call services that append entries through carry_out() or
confirm_page() alone."""

import ast
import dis
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

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
    "refresh_display": "a screen's report",
    "seed_sample": "fixes the seed of a sample; no check reads it",
    "set_review_policy": "how findings are reviewed; no check reads it",
}


def test_views_record_entries_only_after_a_precheck() -> None:
    calls = [(view, name) for module in view_modules() for view, name in direct_calls(module)]
    assert sorted(f"{view}: {name}" for view, name in calls if name not in EXEMPT_CALLS) == []
    assert EXEMPT_CALLS.keys() - {name for _, name in calls} == set(), "an exemption that nothing needs"


def test_an_unchecked_call_would_be_found() -> None:
    """The search itself: services of three layers are recognised as writers, and selectors are not."""
    from compliance.disputes.services import decide_dispute
    from compliance.tables.closures.closing_rules import closing_rule_for
    from promotions.claims.services import pay_prize
    from rounds.floor.services import record_fact

    assert all(writes(each) for each in (decide_dispute, pay_prize, record_fact))
    assert not writes(closing_rule_for)


def view_modules() -> list[ModuleType]:
    modules = {inspect.getmodule(inspect.unwrap(view)) for view in views(get_resolver().url_patterns)}
    return [each for each in modules if each and each.__name__.startswith(ROOTS) and not is_exempt(each.__name__)]


def is_exempt(module: str) -> bool:
    return any(module.startswith(each) for each in EXEMPT_MODULES)


def views(patterns: list[URLPattern | URLResolver]) -> Iterator[Callable[..., Any]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns)
        else:
            yield getattr(pattern.callback, "view_class", pattern.callback)


def direct_calls(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Calls of writers in functions that take a request, outside any lambda or inner function: those are deferred."""
    tree = ast.parse(inspect.getsource(module))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and any(arg.arg == "request" for arg in function.args.args):
            for call in undeferred_calls(function):
                target = getattr(module, call, None)
                if isinstance(target, FunctionType) and writes(target) and not takes_request(target):
                    yield f"{module.__name__}.{function.name}", call


def takes_request(function: FunctionType) -> bool:
    return "request" in inspect.signature(inspect.unwrap(function)).parameters


def undeferred_calls(function: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Lambda | ast.FunctionDef):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
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
