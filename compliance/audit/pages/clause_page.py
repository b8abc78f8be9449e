"""The page of one clause under a rule version: what implements it, and the violation cases that prove its check."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.audit.catalogue import CODES_BY_NAME
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.run.violation_cases import evaluate_records
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.roles import ALL_ROLES
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


@require_roles(*ALL_ROLES)
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


# A record of the violation and its counterpart in honest play. One of them is missing where the other has none.
RecordPair = tuple[CaseRecord | None, CaseRecord | None]


@dataclass(frozen=True)
class CasePanel:
    """A case as its page shows it: the findings it produces, its records beside the honest ones where they differ, and
    what kinds of records are the same in both."""

    why: str
    findings: Sequence[FindingDraft]
    records: DataTable
    unchanged: str


def _case_panel(case: ViolationCase, pack: Pack, place: int) -> CasePanel:
    """Evaluated when the page is shown, so that it states what the running code finds."""
    pairs = pair_records(case.breach, case.honest)
    records = DataTable(
        caption="The records of the violation, and of honest play",
        columns=(
            Column("Record", lambda row: _record_label(row[0] or row[1]), is_row_heading=True),
            Column("In the violation", lambda row: _differences_html(row[0], row[1])),
            Column("In honest play", lambda row: _differences_html(row[1], row[0])),
        ),
        rows=[pair for pair in pairs if not _is_unchanged(pair)],
        name=f"case-{place}",
        is_caption_hidden=True,
    )
    unchanged = dict.fromkeys(_kind_label(pair[0]) for pair in pairs if pair[0] and _is_unchanged(pair))
    return CasePanel(case.why, evaluate_records(case, case.breach, pack), records, ", ".join(unchanged))


def pair_records(breach: Sequence[CaseRecord], honest: Sequence[CaseRecord]) -> list[RecordPair]:
    """Each record beside the one of the same kind that is most like it, by time. Either sequence may have more records,
    or the same in another order."""
    counterparts: dict[int, int] = {}
    alike = [
        (_likeness(breach[left], honest[right]), -abs(left - right), -left, -right)
        for left, right in product(range(len(breach)), range(len(honest)))
        if breach[left].kind == honest[right].kind
    ]
    for _, _, left, right in sorted(alike, reverse=True):
        if -left not in counterparts and -right not in counterparts.values():
            counterparts[-left] = -right
    pairs: list[RecordPair] = [
        (record, honest[counterparts[place]] if place in counterparts else None) for place, record in enumerate(breach)
    ]
    pairs += [(None, record) for place, record in enumerate(honest) if place not in counterparts.values()]
    return sorted(pairs, key=_pair_time)


def _likeness(record: CaseRecord, other: CaseRecord) -> tuple[bool, int]:
    """A record of the same name comes first, then the one with the most members in common."""
    return record.name == other.name, len(_flat_members(record).items() & _flat_members(other).items())


def _pair_time(pair: RecordPair) -> datetime:
    return min(record.at for record in pair if record)


def _is_unchanged(pair: RecordPair) -> bool:
    record, other = pair
    return record is not None and other is not None and _flat_members(record) == _flat_members(other)


def _kind_label(record: CaseRecord) -> str:
    kind = ledger_kinds.find_kind(record.kind)
    return kind.label if kind else record.kind


def _record_label(record: CaseRecord) -> str:
    kind = ledger_kinds.find_kind(record.kind)
    summary = kind.summarize(record.body) if kind else ""
    return f"{record.at:%H:%M:%S} {_kind_label(record)}" + (f": {summary}" if summary else "")


def _differences_html(record: CaseRecord | None, other: CaseRecord | None) -> SafeString:
    """What the record states and the other one does not."""
    if record is None:
        return format_html("<em>{}</em>", "Not recorded")
    stated, others = _flat_members(record), _flat_members(other) if other else {}
    different = [(name, value) for name, value in stated.items() if others.get(name) != value]
    if other and not different:
        return format_html("<em>{}</em>", "Without this")
    return format_html_join("", "<div>{}: {}</div>", different)


def _flat_members(record: CaseRecord) -> dict[str, str]:
    """The time, the table and the members of a record, by a path such as "wagers 1 stake"."""
    place = {"table": record.table} if record.table else {}
    return {"day": f"{record.at:%-d %B %Y}", "time": f"{record.at:%H:%M:%S}"} | place | dict(_flatten(record.body, ""))


def _flatten(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _flatten(each, f"{path} {key}".strip().replace("_", " "))
    elif path == "events":
        yield from _flatten_events(value)
    elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
        for place, each in enumerate(value, start=1):
            yield from _flatten(each, f"{path} {place}")
    else:
        is_money = path.startswith("paid ") or path.rpartition(" ")[2] in MONEY_MEMBERS
        yield path, format_cents(value) if is_money and type(value) is int else _plain_text(value)


def _flatten_events(events: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """By the name of each event, with a number from its second occurrence on."""
    seen: Counter[str] = Counter()
    for event in events:
        seen[event["name"]] += 1
        again = f" {seen[event['name']]}" if seen[event["name"]] > 1 else ""
        yield from _flatten(event, f"events {event['name']}{again}")


def _plain_text(value: Any) -> str:
    """In words: results of dice within a list as 1-3-6."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, list):
        return str(value)
    return (
        ", ".join("-".join(map(str, each)) if isinstance(each, list) else _plain_text(each) for each in value) or "none"
    )
