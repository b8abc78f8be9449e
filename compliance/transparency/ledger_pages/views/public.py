"""Public pages, without sign-in: signed checkpoints, the keys to verify them, and the verifier program."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.web.access import public
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable
from compliance.transparency.ledger_pages.errors import NotSignedYet, UnknownPublicLog
from compliance.transparency.witness_registry.selectors import all_active_witnesses, cosignature_lines
from rounds.ledger import every_log, proofs, signing
from rounds.transparency_log import formats, offline

SITE = "site"
TEXT_CONTENT_TYPE = "text/plain; charset=utf-8"


@public
@require_safe
def download_verifier(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        offline.BUNDLE_VERIFIER.content,
        content_type="text/x-python; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{offline.BUNDLE_VERIFIER.file_name}"'},
    )


@public
@require_safe
def log_list(request: HttpRequest) -> HttpResponse:
    casinos = {casino.slug: casino for casino in Casino.objects.all()}
    names = {slug: casino.name for slug, casino in casinos.items()} | {SITE: "The site itself"}
    rows = [(slug, names.get(slug, slug), signed) for slug, signed in proofs.newest_checkpoints().items()]
    table = DataTable(
        caption="Logs",
        columns=(
            Column("Log", lambda row: row[1], is_row_heading=True),
            Column("Entries signed", lambda row: _size_text(row[2]), is_figure=True),
            Column("Signed", lambda row: local(row[2].signed_at, casinos.get(row[0])) if row[2] else ""),
            Column(
                "Checkpoint",
                lambda row: _link_label("Checkpoint", row[1]),
                link=lambda row: _url_for_log("checkpoint", row[0]),
            ),
            Column("Key", lambda row: _link_label("Key", row[1]), link=lambda row: _url_for_log("key", row[0])),
        ),
        rows=rows,
        page_size=200,
        empty="There are no logs yet.",
    )
    context = {"table": table, "witnesses": _witnesses_table(names), "verifier_sha256": offline.BUNDLE_VERIFIER.sha256}
    return render(request, "ledger_pages/logs.html", context)


def _witnesses_table(names: dict[str, str]) -> DataTable:
    """Keys of the active witnesses, so that anyone can verify a cosignature."""
    return DataTable(
        caption="Witnesses",
        columns=(
            Column("Log", lambda row: names.get(row.casino.slug, row.casino.slug), is_row_heading=True),
            Column("Witness", "name"),
            Column("Its verifier key", lambda row: format_html('<code class="copyable">{}</code>', row.key)),
        ),
        rows=all_active_witnesses(),
        page_size=200,
        empty="Nobody outside watches a log yet.",
        name="witnesses",
    )


def _size_text(signed: proofs.StoredCheckpoint | None) -> str:
    return f"{signed.head.size:,}" if signed else ""


def _link_label(word: str, log: str) -> str:
    return format_html('{}<span class="visually-hidden"> of {}</span>', word, log)


def _url_for_log(name: str, log: str) -> str:
    return reverse(f"evidence:{name}", kwargs={"log": log})


def _require_known_log(log: str) -> str:
    if log not in every_log():
        raise UnknownPublicLog
    return log


@public
@require_safe
def newest_checkpoint_file(request: HttpRequest, log: str) -> HttpResponse:
    """The newest checkpoint, byte for byte as signed, followed by the cosignatures of active witnesses."""
    note = signing.newest_checkpoint_note(_require_known_log(log))
    if note is None:
        raise NotSignedYet
    head = formats.parse_unverified_head(note)
    lines = cosignature_lines(log, head.size) if head else b""
    return HttpResponse(note + lines, content_type=TEXT_CONTENT_TYPE, headers={"Cache-Control": "no-cache"})


@public
@require_safe
def verifier_key_file(request: HttpRequest, log: str) -> HttpResponse:
    return HttpResponse(f"{signing.verifier_key_for(_require_known_log(log))}\n", content_type=TEXT_CONTENT_TYPE)
