"""The rules as anybody may read them: a plain summary, the stored document itself, one lasting address a version."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.web.access import public
from compliance.web.components import Column, Table
from compliance.web.errors import NotFound
from rounds.rulebook import tables
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, published_version, rules_of, version_in_force
from rounds.rulebook.views.version import download
from rounds.rulebook.wording import disputes_said, limits_said, wager_lines


@public
@never_cache
@require_safe
def rules_now(request: HttpRequest, casino: str, rules: str) -> HttpResponse:
    """To the version in force at this moment."""
    place = Casino.objects.filter(slug=casino).first()
    version = version_in_force(place, rules, timezone.now()) if place else None
    if version is None:
        raise NotFound
    return redirect(version.address("rules"))


@public
@never_cache
@require_safe
def rules(request: HttpRequest, casino: str, rules: str, number: int) -> HttpResponse:
    version = published_version(casino, rules, number)
    pack = pack_of(version)
    context = {
        "version": version,
        "casino": version.casino,
        "pack": pack,
        "state": version.state(timezone.now()),
        "wagers": [_wagers(version, pay_table) for pay_table in pack.law.pay_table],
        "limits": limits_said(pack),
        "disputes": disputes_said(pack),
        "readings": [line for line in tables.reading_lines(version) if line.is_adopted],
    }
    return render(request, "rulebook/rules.html", context)


def _wagers(version: RuleVersion, pay_table: str) -> Table:
    """Odds exclude the stake, and say so; edges are for those who approve."""
    lines = wager_lines(rules_of(version, pay_table))
    is_only_one = len(version.truth_sha256) == 1
    return Table(
        caption="Wagers" if is_only_one else tables.table_label(pack_of(version), pay_table),
        columns=(
            Column("Wager", tables.wager_name, is_row_heading=True),
            Column("You choose", "boxes"),
            Column("Wins when", "wins"),
            Column("Pays, besides your stake", "pays"),
            Column("Clause", "cited"),
        ),
        rows=lines,
        page_size=tables.EVERY_ROW,
        name=f"wagers-{pay_table}",
    )


@public
@require_safe
def rules_document(request: HttpRequest, casino: str, rules: str, number: int) -> HttpResponse:
    return download(published_version(casino, rules, number).source_document)
