"""What anybody may fetch without signing in: what the logs signed, the keys to check it, and the program that does."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.evidence.errors import NotSignedYet, UnknownPublicLog
from compliance.web.access import public
from compliance.web.components import Column, Table
from compliance.web.templatetags.kit import local
from compliance.witnesses.selectors import cosignature_lines, every_active_witness
from rounds.ledger.checkpoints import newest_note, verifier
from rounds.ledger.notes import unverified_head
from rounds.ledger.proving import SignedNote, newest_checkpoints
from rounds.ledger.stored import every_log
from rounds.ledger.verifier import VERIFIER

SITE = "site"
TEXT = "text/plain; charset=utf-8"


@public
@require_safe
def verify_bundle(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        VERIFIER.content,
        content_type="text/x-python; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{VERIFIER.file_name}"'},
    )


@public
@require_safe
def logs(request: HttpRequest) -> HttpResponse:
    casinos = {casino.slug: casino for casino in Casino.objects.all()}
    names = {slug: casino.name for slug, casino in casinos.items()} | {SITE: "The site itself"}
    rows = [(slug, names.get(slug, slug), signed) for slug, signed in newest_checkpoints().items()]
    table = Table(
        caption="Logs",
        columns=(
            Column("Log", lambda row: row[1], is_row_heading=True),
            Column("Entries signed", lambda row: _size(row[2]), is_figure=True),
            Column("Signed", lambda row: local(row[2].signed_at, casinos.get(row[0])) if row[2] else ""),
            Column("Checkpoint", lambda row: _named("Checkpoint", row[1]), link=lambda row: _at("checkpoint", row[0])),
            Column("Key", lambda row: _named("Key", row[1]), link=lambda row: _at("key", row[0])),
        ),
        rows=rows,
        page_size=200,
        empty="There are no logs yet.",
    )  # fmt: skip
    context = {"table": table, "witnesses": _witnesses(names), "verifier_sha256": VERIFIER.sha256}
    return render(request, "evidence/logs.html", context)


def _witnesses(names: dict[str, str]) -> Table:
    """Their keys, so that anybody can check a cosignature; whose word no longer counts is not among them."""
    return Table(
        caption="Witnesses",
        columns=(
            Column("Log", lambda row: names.get(row.casino.slug, row.casino.slug), is_row_heading=True),
            Column("Witness", "name"),
            Column("Its verifier key", lambda row: format_html('<code class="copyable">{}</code>', row.key)),
        ),
        rows=every_active_witness(),
        page_size=200,
        empty="Nobody outside watches a log yet.",
        name="witnesses",
    )


def _size(signed: SignedNote | None) -> str:
    return f"{signed.head.size:,}" if signed else ""


def _named(word: str, log: str) -> str:
    return format_html('{}<span class="visually-hidden"> of {}</span>', word, log)


def _at(name: str, log: str) -> str:
    return reverse(f"evidence:{name}", kwargs={"log": log})


def _known(log: str) -> str:
    if log not in every_log():
        raise UnknownPublicLog
    return log


@public
@require_safe
def checkpoint(request: HttpRequest, log: str) -> HttpResponse:
    """The newest checkpoint, byte for byte as it was signed, with the lines of the witnesses who cosigned it."""
    note = newest_note(_known(log))
    if note is None:
        raise NotSignedYet
    head = unverified_head(note)
    lines = cosignature_lines(log, head.size) if head else b""
    return HttpResponse(note + lines, content_type=TEXT, headers={"Cache-Control": "no-cache"})


@public
@require_safe
def key(request: HttpRequest, log: str) -> HttpResponse:
    return HttpResponse(f"{verifier(_known(log))}\n", content_type=TEXT)
