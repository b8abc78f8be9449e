"""Public pages: the certificates that sign or signed PDF files."""

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance.core.web.access import public
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Column, DataTable
from compliance.reports.models import Certificate
from compliance.reports.offline.single_file_verifier import VERIFIER
from compliance.reports.signing_certificates import SITE_LOG


@public
@require_safe
def certificates(request: HttpRequest) -> HttpResponse:
    """From the site's log, newest first."""
    table = DataTable(
        caption="Certificates, newest first",
        columns=(
            Column("SHA-256 of the certificate", lambda row: _fingerprint_html(row.certificate_sha256)),
            Column("In use from", "at", is_row_heading=True),
            Column("Why", "reason"),
            Column("Entry of the log “site”", lambda row: f"{row.entry_index:,}", is_figure=True),
            Column("File", lambda row: _file_label(row), link=lambda row: _certificate_url(row)),
        ),
        rows=Certificate.objects.filter(log=SITE_LOG),
        page_size=200,
        is_caption_hidden=True,
        empty="No certificate was recorded yet.",
    )
    context = {"table": table, "verifier_sha256": VERIFIER.sha256}
    return render(request, "reports/certificates.html", context)


def _fingerprint_html(fingerprint: str) -> str:
    return format_html('<code class="copyable">{}</code>', fingerprint)


def _file_label(row: Certificate) -> str:
    return format_html('PEM<span class="visually-hidden"> of {}</span>', row.certificate_sha256[:8])


def _certificate_url(row: Certificate) -> str:
    return reverse("reports:certificate", kwargs={"fingerprint": row.certificate_sha256})


@public
@require_safe
def download_certificate(request: HttpRequest, fingerprint: str) -> HttpResponse:
    """For import into the trusted certificates of a PDF reader."""
    row = Certificate.objects.filter(log=SITE_LOG, certificate_sha256=fingerprint).first()
    if row is None:
        raise NotFound
    lines = "\n".join(re.findall(".{1,64}", row.certificate))
    headers = {"Content-Disposition": f'attachment; filename="fairthrow-{fingerprint[:8]}.pem"'}
    text = f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n"
    return HttpResponse(text, content_type="application/x-pem-file", headers=headers)
