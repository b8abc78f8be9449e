"""The check of one wager, for whoever holds the sheet. The code is sent in the body of a form, never in an address:
addresses are kept in the logs of servers and in the histories of browsers."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.accounts.identity import client_address
from compliance.accounts.views.acts import asks_first
from compliance.proofs.errors import UnknownCode
from compliance.proofs.forms import CodeForm
from compliance.proofs.models import Proof
from compliance.proofs.selectors import proof_by_code
from compliance.proofs.telling import moment_words, tell
from compliance.proofs.verifier import VERIFIER
from compliance.proofs.verify_wager import WagerProof
from compliance.proofs.views.made import proof_response
from compliance.web.access import public
from compliance.web.components import SummaryList, SummaryRow
from compliance.web.throttle import count_request
from rounds.ledger.checkpoints import known_keys
from rounds.ledger.offline.telling import EvidenceError

MOST_A_MINUTE = 30


def _count(request: HttpRequest) -> None:
    count_request(client_address(request), timezone.now(), what="wager-checks", most=MOST_A_MINUTE)


@public
@never_cache
@asks_first
def check(request: HttpRequest) -> HttpResponse:
    """The scanned code stands after the address's hash, which no browser sends; the page's script puts it into the
    form. Without a script it is typed."""
    form = CodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        _count(request)
        if form.is_valid():
            try:
                return _checked(request, proof_by_code(form.cleaned_data["code"]))
            except UnknownCode as refusal:
                form.add_error("code", refusal.words)
    return render(request, "proofs/check.html", {"form": form, "sha256": VERIFIER.sha256})


def _checked(request: HttpRequest, proof: Proof) -> HttpResponse:
    content = bytes(proof.content)
    checked, problem = WagerProof(content, lambda at: moment_words(at, proof.casino)), ""
    try:
        _check_key(proof.log, checked.parts["verifier_key"])
        checked.check()
    except EvidenceError as error:
        problem = str(error)
    told = tell(content)
    context = {
        "proof": proof,
        "told": told,
        "proved": SummaryList([SummaryRow(name, value) for name, value in told.proved]),
        "stated": SummaryList([SummaryRow(name, value) for name, value in told.stated]),
        "steps": checked.steps,
        "problem": problem,
        "key": checked.parts["verifier_key"],
        "sha256": VERIFIER.sha256,
    }
    return render(request, "proofs/checked.html", context)


def _check_key(log: str, key: str) -> None:
    """Of today, or of the day on which the checkpoint was signed."""
    known = known_keys(log)
    if key not in {str(known.current), *(str(one.key) for one in known.retired)}:
        raise EvidenceError("The proof was signed with a key that this log never had.")


@public
@never_cache
@require_POST
def file(request: HttpRequest) -> HttpResponse:
    _count(request)
    form = CodeForm(request.POST)
    if not form.is_valid():
        raise UnknownCode
    return proof_response(proof_by_code(form.cleaned_data["code"]))


@public
@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        VERIFIER.content,
        content_type="text/x-python; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{VERIFIER.file_name}"'},
    )
