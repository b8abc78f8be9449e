"""The page of one clause under a rule version: what implements it, and the violation cases that prove its check."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.audit.catalogue import CODES_BY_NAME, code_named
from compliance.audit.catalogue.finding_code import FindingCode, Severity
from compliance.audit.pages.record_text import INSTANT, TIME, CaseText, describe_record, kind_label
from compliance.audit.run.violation_cases import evaluate_records
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.roles import ALL_ROLES
from compliance.core.web.access import require_roles
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulebook.packs.clause_coverage import BoundClause, list_bound_clauses
from rounds.rulebook.selectors import access_version, pack_of
from rounds.rulepacks.violation_cases import CaseRecord, Members, ViolationCase

# Titles of the pages that clause maps name.
SCREEN_TITLES = {
    "alerts:alert": "Alert",
    "claims:claim": "Claim of a prize",
    "closures:table": "Closing of a table",
    "conduct:record": "Player conduct",
    "desk:round": "Round",
    "disputes:dispute": "Dispute",
    "draws:draw": "Draw",
    "draws:winner": "Winner",
    "equipment:cards": "Cards",
    "equipment:chips": "Chips",
    "equipment:dice": "Dice",
    "equipment:faults": "Faults",
    "equipment:inspections": "Inspections",
    "equipment:shakers": "Shakers",
    "equipment:void-sets": "Rounds affected by damaged dice",
    "floor:table": "Table",
    "notices:notice": "Notice of new limits",
    "notices:player-limits": "Limits of one player",
    "notices:warnings": "Warnings about wagers under the minimum",
    "rulebook:rules": "Rules",
    "rulebook:version": "Version of the rules",
    "terms:promotion": "Promotion",
    "terms:public": "Published terms of a promotion",
}


@require_roles(*ALL_ROLES)
@require_safe
def clause_page(request: CasinoRequest, casino: str, rules: str, number: int, clause: str) -> HttpResponse:
    version = access_version(request.user, request.casino, rules, number)
    pack = pack_of(version)
    bound = next((each for each in list_bound_clauses([pack]) if each.clause == clause), None)
    if bound is None:
        raise NotFound
    cases = [_case_panel(case, bound, place) for place, case in enumerate(bound.proofs, start=1)]
    context = {
        "casino": request.casino,
        "version": version,
        "bound": bound,
        "facts": SummaryList(list(_facts(bound))),
        "cases": cases,
        "has_notes": any(case.is_note for case in cases),
    }
    return render(request, "audit/clause.html", context)


def _facts(bound: BoundClause) -> Iterator[SummaryRow]:
    yield SummaryRow("In our words", bound.entry.gist)
    if bound.entry.not_automated_because:
        yield SummaryRow("Not automated because", bound.entry.not_automated_because)
    for name in bound.entry.bind:
        kind, _, target = name.partition(":")
        if kind == "check":
            yield SummaryRow("Checked by", f"{target}: {CODES_BY_NAME[target].full_meaning}")
        elif kind == "record":
            found = ledger_kinds.find_kind(target)
            yield SummaryRow("Recorded as", found.label if found else target)
        else:
            yield SummaryRow("Shown on the page", SCREEN_TITLES.get(target, target))


# A record of the violation and its counterpart in honest play. One of them is missing where the other has none.
RecordPair = tuple[CaseRecord | None, CaseRecord | None]


class FoundInCase(NamedTuple):
    """A finding of a case. `citation` says why it proves the clause of the page where it cites another."""

    code: FindingCode
    severity: Severity
    clause: str
    sentence: str
    citation: str


@dataclass(frozen=True)
class CasePanel:
    """A case as its page shows it: the findings it produces, its records beside the honest ones where they differ, and
    what kinds of records are the same in both. `is_note`: the finding notes what the rules allow."""

    why: str
    is_note: bool
    findings: Sequence[FoundInCase]
    records: DataTable
    unchanged: str


def _case_panel(case: ViolationCase, bound: BoundClause, place: int) -> CasePanel:
    """Evaluated when the page is shown, so that it states what the running code finds."""
    pairs, text = pair_records(case), CaseText(case)
    findings = [
        FoundInCase(
            code_named(draft.code),
            draft.severity or code_named(draft.code).severity,
            draft.clause,
            text.local_times(draft.sentence, draft.at),
            explain_citation(bound, draft.code, draft.clause) if draft.code == case.code else "",
        )
        for draft in evaluate_records(case, case.breach, bound.pack)
    ]
    is_note = all(found.severity is Severity.NOTE for found in findings)
    records = DataTable(
        caption=f"Example {place}: the records of the {'note' if is_note else 'violation'}, and of honest play",
        columns=(
            Column("Record", lambda row: _record_label(row[0] or row[1], text), is_row_heading=True),
            Column(
                "Where it is noted" if is_note else "In the violation",
                lambda row: _differences_html(row[0], row[1], text),
            ),
            Column("In honest play", lambda row: _differences_html(row[1], row[0], text)),
            Column("In both", lambda row: _common_html(row, text)),
        ),
        rows=[pair for pair in pairs if not _is_unchanged(pair, text)],
        name=f"case-{place}",
        is_caption_hidden=True,
    )
    unchanged = dict.fromkeys(kind_label(pair[0]) for pair in pairs if pair[0] and _is_unchanged(pair, text))
    return CasePanel(case.why, is_note, findings, records, ", ".join(unchanged))


def explain_citation(bound: BoundClause, code: str, cited: str) -> str:
    """Why a finding that cites another clause proves this one. Empty where it cites this clause."""
    if cited == bound.clause:
        return ""
    if is_part_of(cited, bound.clause):
        return f"Clause {cited}, which the finding cites, is part of clause {bound.clause}."
    if is_part_of(bound.clause, cited):
        return f"The finding cites clause {cited} as a whole, of which clause {bound.clause} is part."
    gist = bound.pack.clauses[cited].gist
    return (
        f"The same records violate clause {cited} (“{gist}”); {code} checks both clauses, and a finding cites only one."
    )


def is_part_of(part: str, whole: str) -> bool:
    """By their numbers: 9.4.1 is part of 9.4, 5.k(1) of 5.k, 5(a)(1) of 5(a)."""
    return part.startswith(whole) and part[len(whole) : len(whole) + 1] in (".", "(")


def pair_records(case: ViolationCase) -> list[RecordPair]:
    """Each record beside the one of the same kind that is most like it, by time. Either sequence may have more records,
    or the same in another order."""
    breach, honest, counterparts = case.breach, case.honest, dict[int, int]()
    stated, expected = ([set(CaseText(case).members(each).items()) for each in records] for records in (breach, honest))
    # A record of the same name comes first, then the one with the most members in common.
    alike = [
        (
            breach[left].name == honest[right].name,
            len(stated[left] & expected[right]),
            -abs(left - right),
            -left,
            -right,
        )
        for left, right in product(range(len(breach)), range(len(honest)))
        if breach[left].kind == honest[right].kind
    ]
    for _, _, _, left, right in sorted(alike, reverse=True):
        if -left not in counterparts and -right not in counterparts.values():
            counterparts[-left] = -right
    pairs: list[RecordPair] = [
        (record, honest[counterparts[place]] if place in counterparts else None) for place, record in enumerate(breach)
    ]
    pairs += [(None, record) for place, record in enumerate(honest) if place not in counterparts.values()]
    return sorted(pairs, key=_pair_time)


def _pair_time(pair: RecordPair) -> datetime:
    return min(record.at for record in pair if record)


def _is_unchanged(pair: RecordPair, text: CaseText) -> bool:
    record, other = pair
    return record is not None and other is not None and text.members(record) == text.members(other)


def _record_label(record: CaseRecord, text: CaseText) -> str:
    return f"{text.time(record.at)} {describe_record(record)}"


def _differences_html(record: CaseRecord | None, other: CaseRecord | None, text: CaseText) -> SafeString:
    """What the record states and the other one does not."""
    if record is None:
        return format_html("<em>{}</em>", "Not recorded")
    stated = text.members(record)
    shown = _different_labels(record, other, text) if other else stated
    different = [(label, stated[label]) for label in stated if label in shown]
    if other and not different:
        return format_html("<em>{}</em>", "Without this")
    return _lines_html(different)


def _common_html(pair: RecordPair, text: CaseText) -> SafeString:
    """What both records state. It may be what decides, such as the time of the bell after which a wager was placed."""
    record, other = pair
    if record is None or other is None:
        return _lines_html([])
    different = _different_labels(record, other, text)
    return _lines_html([(label, value) for label, value in text.members(record).items() if label not in different])


def _different_labels(record: CaseRecord, other: CaseRecord, text: CaseText) -> frozenset[str]:
    """The members that differ. Of records of different times, those that are as much apart are not among them."""
    stated, others = text.members(record), text.members(other)
    moved = text.members(_at_time_of(record, other))
    return frozenset(
        label
        for label in {**stated, **others}
        if stated.get(label) != others.get(label) and (label == TIME or stated.get(label) != moved.get(label))
    )


def _at_time_of(record: CaseRecord, other: CaseRecord) -> CaseRecord:
    """The other record with all its times moved, so that it happens when this one does."""
    body: Members = _move_times(other.body, record.at - other.at)
    return replace(other, at=record.at, body=body)


def _move_times(value: Any, by: timedelta) -> Any:
    if isinstance(value, dict):
        return {key: _move_times(each, by) for key, each in value.items()}
    if isinstance(value, list):
        return [_move_times(each, by) for each in value]
    if isinstance(value, str) and INSTANT.fullmatch(value):
        return (datetime.fromisoformat(value) + by).isoformat().replace("+00:00", "Z")
    return value


def _lines_html(lines: Sequence[tuple[str, str]]) -> SafeString:
    return format_html_join("", "<div>{}: {}</div>", lines)
