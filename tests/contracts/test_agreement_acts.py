"""Every service that views pre-check is an act of the agreement machine, or is exempt with a reason."""

import ast
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

import tests.agreement.acts
from tests.contracts.test_precheck import EXEMPT_CALLS, ROOTS, is_exempt, takes_request, writes

NOT_AN_ACT = {
    "acknowledge_signal": "says that a statistic was read; no check reads it",
    "answer_question": "answers an inspector's question about a finding; no check reads it",
    "approve_key": "access of a machine; its lines are checked by what they state",
    "assign_table": "access of a machine; its lines are checked by what they state",
    "begin_epoch": "continues a log that lost entries; the machine's log is whole",
    "change_schedule_state": "when reports are made; no check reads it",
    "confirm_decision": "second review of a decision on a finding; no check reads it",
    "decide_group": "the same entry as decide_finding, for several findings",
    "destroy_details": "personal details; no check reads them",
    "end_display": "a screen; what it showed is checked by its reports",
    "end_table_assignment": "access of a machine; its lines are checked by what they state",
    "end_witness": "witnesses of the log; no check reads them",
    "hold_record": "personal details; no check reads them",
    "plan_paper_round": "what entering a round from paper plans; the round is recorded by confirm_paper_round",
    "propose_key": "access of a machine; its lines are checked by what they state",
    "record_round_check": "an inspector's answer about a sampled round; no check reads it",
    "register_controller": "access of a machine; its lines are checked by what they state",
    "register_witness": "witnesses of the log; no check reads them",
    "resolve_quarantined_line": "a note about a line that was not recorded; no check reads it",
    "revoke_key": "access of a machine; its lines are checked by what they state",
    "revoke_token": "access of a machine; no check reads it",
    "schedule_report": "when reports are made; no check reads it",
    "set_ladder": "who is notified next; no check reads it",
    "set_own_procedure": "the casino's own words; no check reads them",
    "set_retention": "personal details; no check reads them",
    "set_service_level": "the casino's own target; no check reads it",
    "sign_off_checklist": "an inspector's conclusion; no check reads it",
    "withdraw_proof": "discloses a recorded wager no longer; no check reads it",
}


def test_every_prechecked_service_is_an_act_of_the_machine() -> None:
    services = {each.__name__ for each in prechecked_services()}
    acts = {name for module in modules_of_acts() for name in acts_in(module)}
    assert sorted(services - acts - NOT_AN_ACT.keys()) == []
    assert sorted(NOT_AN_ACT.keys() - services) == [], "an exemption that nothing needs"
    assert sorted(NOT_AN_ACT.keys() & acts) == [], "an exemption of something that the machine does"


def prechecked_services() -> Iterator[FunctionType]:
    """The writers that views name. Those in EXEMPT_CALLS are not pre-checked."""
    for module in view_modules():
        named = {node.id for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Name)}
        for name in sorted(named - EXEMPT_CALLS.keys()):
            service = getattr(module, name, None)
            if isinstance(service, FunctionType) and is_service(service, module) and writes(service):
                yield service


def view_modules() -> list[ModuleType]:
    modules = {inspect.getmodule(inspect.unwrap(view)) for view in views(get_resolver().url_patterns)}
    return [each for each in modules if each and each.__name__.startswith(ROOTS) and not is_exempt(each.__name__)]


def views(patterns: list[URLPattern | URLResolver]) -> Iterator[Callable[..., Any]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns)
        else:
            yield getattr(pattern.callback, "view_class", pattern.callback)


def is_service(function: FunctionType, module: ModuleType) -> bool:
    """Not a helper of the views: those are in the same module, or take the request."""
    return function.__module__ != module.__name__ and not takes_request(function)


def modules_of_acts() -> list[ModuleType]:
    package = tests.agreement.acts
    return [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]


def acts_in(module: ModuleType) -> Iterator[str]:
    """What is passed to Agreement.act(), or to a method of the module that passes it on."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("act", "on"):
            yield from (each.id for each in node.args if isinstance(each, ast.Name))
