"""The public check of one wager.

The code is sent in a form's body, never in a URL: URLs end up in server logs and browser histories.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.core.web.access import public
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import enforce_rate_limit
from compliance.core.web.ui.components import SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import allow_get_post
from compliance.transparency.wager_proofs.errors import UnknownCode
from compliance.transparency.wager_proofs.forms import ProofCodeForm
from compliance.transparency.wager_proofs.models import Proof
from compliance.transparency.wager_proofs.offline.single_file_verifier import WAGER_VERIFIER
from compliance.transparency.wager_proofs.offline.verify_wager import WagerProof
from compliance.transparency.wager_proofs.proof_file.service_statement import statement_now
from compliance.transparency.wager_proofs.proof_file.text import describe_proof, format_timestamp
from compliance.transparency.wager_proofs.selectors import proof_by_code
from compliance.transparency.wager_proofs.views.proofs import proof_response
from rounds.ledger import signing
from rounds.transparency_log import offline

MAX_PER_MINUTE = 30


def _apply_rate_limit(request: HttpRequest) -> None:
    enforce_rate_limit(client_address(request), timezone.now(), what="wager-checks", most=MAX_PER_MINUTE)


@public
@allow_get_post
def check_by_code(request: HttpRequest) -> HttpResponse:
    """A scanned code is in the URL's fragment, which browsers do not send; a script copies it into the form.

    Without script it is typed.
    """
    form = ProofCodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        _apply_rate_limit(request)
        if form.is_valid():
            try:
                return _check_result_page(request, proof_by_code(form.cleaned_data["code"]))
            except UnknownCode as refusal:
                form.add_error("code", refusal.full_message)
    return render(request, "wager_proofs/check.html", {"form": form, "sha256": WAGER_VERIFIER.sha256})


def _check_result_page(request: HttpRequest, proof: Proof) -> HttpResponse:
    content = bytes(proof.content)
    checked, problem = WagerProof(content, lambda at: format_timestamp(at, proof.casino)), ""
    try:
        _require_key_of_log(proof.log, checked.parts["verifier_key"])
        checked.check()
    except offline.EvidenceError as error:
        problem = str(error)
    proof_text = describe_proof(content, statement_now(proof.casino, proof.round_index, proof.wager))
    context = {
        "proof": proof,
        "told": proof_text,
        "proved": SummaryList([SummaryRow(name, value) for name, value in proof_text.proved]),
        "stated": SummaryList([SummaryRow(name, value) for name, value in proof_text.stated]),
        "steps": checked.steps,
        "problem": problem,
        "key": checked.parts["verifier_key"],
        "sha256": WAGER_VERIFIER.sha256,
    }
    return render(request, "wager_proofs/checked.html", context)


def _require_key_of_log(log: str, key: str) -> None:
    """Raises unless it is the log's current key, or was when the checkpoint was signed."""
    known = signing.known_keys_for(log)
    if key not in {str(known.current), *(str(one.key) for one in known.retired)}:
        raise offline.EvidenceError("The proof was signed with a key that this log never had.")


@public
@require_POST
def download_proof_file(request: HttpRequest) -> HttpResponse:
    _apply_rate_limit(request)
    form = ProofCodeForm(request.POST)
    if not form.is_valid():
        raise UnknownCode
    return proof_response(proof_by_code(form.cleaned_data["code"]))


@public
@require_safe
def download_verifier(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        WAGER_VERIFIER.content,
        content_type="text/x-python; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{WAGER_VERIFIER.file_name}"'},
    )
