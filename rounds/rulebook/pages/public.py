"""Public pages without login: a version's rules in plain language and its source document, at a permanent URL."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.web.access import public
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Column, DataTable
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.packs.plain_text import dispute_statements, limit_statements, wager_lines
from rounds.rulebook.pages import tables
from rounds.rulebook.pages.version import attachment_response
from rounds.rulebook.selectors import pack_of, published_version, rules_of, version_in_force


@public
@require_safe
def redirect_to_rules_in_force(request: HttpRequest, casino: str, rules: str) -> HttpResponse:
    """Redirects to the version in force now."""
    found = Casino.objects.filter(slug=casino).first()
    version = version_in_force(found, rules, timezone.now()) if found else None
    if version is None:
        raise NotFound
    return redirect(version.address("rules"))


@public
@require_safe
def public_rules(request: HttpRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = published_version(casino, rules, number)
    pack = pack_of(version)
    context = {
        "version": version,
        "casino": version.casino,
        "pack": pack,
        "state": version.state(timezone.now()),
        "wagers": [_public_wagers_table(version, pay_table) for pay_table in pack.law.pay_table],
        "limits": limit_statements(pack),
        "disputes": dispute_statements(pack),
        "readings": [line for line in tables.reading_lines(version) if line.is_adopted],
    }
    return render(request, "rulebook/rules.html", context)


def _public_wagers_table(version: RuleVersion, pay_table: str) -> DataTable:
    """Wagers and odds of one pay table. House edges are left out: they are shown on the approvers' pages only."""
    lines = wager_lines(rules_of(version, pay_table))
    is_only_one = len(version.truth_sha256) == 1
    return DataTable(
        caption="Wagers" if is_only_one else tables.pay_table_label(pack_of(version), pay_table),
        columns=(
            Column("Wager", tables.wager_name_html, is_row_heading=True),
            Column("You choose", "boxes"),
            Column("Wins when", "wins"),
            Column("Pays, besides your stake", "pays"),
            Column("Clause", "cited"),
        ),
        rows=lines,
        page_size=tables.ALL_ROWS,
        name=f"wagers-{pay_table}",
    )


@public
@require_safe
def public_rules_document(request: HttpRequest, casino: str, rules: str, number: int) -> HttpResponse:
    return attachment_response(published_version(casino, rules, number).source_document)
