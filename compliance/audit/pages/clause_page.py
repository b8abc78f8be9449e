"""The page of one clause under a rule version: what implements it, and the violation cases that prove its check."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.audit.catalogue import CODES_BY_NAME
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.run.violation_cases import evaluate_records
from compliance.audit.selectors import MAY_READ
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow
from rounds.engine import Pack
from rounds.engine.money import format_cents
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulebook.packs.clause_coverage import BoundClause, list_bound_clauses
from rounds.rulebook.selectors import access_version, pack_of
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase

MONEY_MEMBERS = frozenset({"stake", "returned", "min", "max", "unit", "paid", "tokens", "value", "marker"})


@require_roles(*MAY_READ)
@require_safe
def clause_page(request: CasinoRequest, casino: str, rules: str, number: int, clause: str) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    pack = pack_of(version)
    bound = next((each for each in list_bound_clauses([pack]) if each.clause == clause), None)
    if bound is None:
        raise NotFound
    context = {
        "casino": request.casino,
        "version": version,
        "bound": bound,
        "facts": SummaryList(list(_facts(bound))),
        "cases": [_case_panel(case, pack, place) for place, case in enumerate(bound.proofs, start=1)],
    }
    return render(request, "audit/clause.html", context)


def _facts(bound: BoundClause) -> Iterator[SummaryRow]:
    yield SummaryRow("In our words", bound.entry.gist)
    if bound.entry.not_automated_because:
        yield SummaryRow("Not automated because", bound.entry.not_automated_because)
    for name in bound.entry.bind:
        kind, _, target = name.partition(":")
        code = CODES_BY_NAME.get(target) if kind == "check" else None
        yield SummaryRow(f"Implemented by {kind}", f"{target}: {code.full_meaning}" if code else target)


@dataclass(frozen=True)
class CasePanel:
    """A case as its page shows it: the findings it produces, and its records beside the honest ones."""

    why: str
    findings: Sequence[FindingDraft]
    records: DataTable


def _case_panel(case: ViolationCase, pack: Pack, place: int) -> CasePanel:
    """Evaluated when the page is shown, so that it states what the running code finds."""
    rows = list(zip_longest(case.breach, case.honest))
    records = DataTable(
        caption="The records of the violation, and of honest play",
        columns=(
            Column("Record", lambda row: _record_label(row[0] or row[1]), is_row_heading=True),
            Column("In the violation", lambda row: _differences_html(row[0], row[1])),
            Column("In honest play", lambda row: _differences_html(row[1], row[0])),
        ),
        rows=rows,
        name=f"case-{place}",
        is_caption_hidden=True,
    )
    return CasePanel(case.why, evaluate_records(case, case.breach, pack), records)


def _record_label(record: CaseRecord) -> str:
    kind = ledger_kinds.find_kind(record.kind)
    label = kind.label if kind else record.kind
    summary = kind.summarize(record.body) if kind else ""
    return f"{record.at:%H:%M:%S} {label}" + (f": {summary}" if summary else "")


def _differences_html(record: CaseRecord | None, other: CaseRecord | None) -> SafeString:
    """What the record states and the other one does not."""
    if record is None:
        return format_html("<em>{}</em>", "Not recorded")
    stated, others = _flat_members(record), _flat_members(other) if other else {}
    different = [(name, value) for name, value in stated.items() if others.get(name) != value]
    if other and not different:
        return format_html("<em>{}</em>", "The same" if stated == others else "Without this")
    return format_html_join("", "<div>{}: {}</div>", different)


def _flat_members(record: CaseRecord) -> dict[str, str]:
    """The time and the members of a record, by a path such as "wagers 1 stake"."""
    return {"time": f"{record.at:%H:%M:%S}"} | dict(_flatten(record.body, ""))


def _flatten(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        named = f" {value['name']}" if path.startswith("events") and "name" in value else ""
        for key, each in value.items():
            yield from _flatten(each, f"{path}{named} {key}".strip().replace("_", " "))
    elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
        for place, each in enumerate(value, start=1):
            is_named = isinstance(each, Mapping) and "name" in each
            yield from _flatten(each, path if is_named else f"{path} {place}")
    else:
        is_money = path.rpartition(" ")[2] in MONEY_MEMBERS and isinstance(value, int) and not isinstance(value, bool)
        yield path, format_cents(value) if is_money else _plain_text(value)


def _plain_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
