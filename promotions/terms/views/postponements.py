"""Pages for postponing a whole promotion and resuming it. Draws have pages of their own."""

from django.http import HttpResponse
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from promotions.terms.forms.actions import PostponeForm, ValidateForm
from promotions.terms.selectors import access_promotion
from promotions.terms.services import postpone_promotion, validate_promotion
from promotions.terms.views.common import writers


@writers
@allow_get_post
def postpone(request: CasinoRequest, casino: str, promotion: int) -> HttpResponse:
    now = timezone.now()
    found = access_promotion(request.user, request.casino, promotion)
    form = PostponeForm(bound_data(request), casino=request.casino, now=now)
    act = ConfirmPage(
        f"Postpone {found.reference}",
        (
            "Only because the integrity of the whole promotion is in doubt. A single draw is stopped on its own page.",
            "The inspectorate is told at once, with your name.",
            "The public page of the terms says so, until you record that the integrity was validated.",
        ),
        "Postpone it and tell the inspectorate",
        found.get_absolute_url(),
        found.reference,
        "The promotion is postponed. The inspectorate is told.",
        True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: postpone_promotion(promotion=found, **form.cleaned_data, actor=request.user, now=now),
    )


@writers
@allow_get_post
def validate(request: CasinoRequest, casino: str, promotion: int) -> HttpResponse:
    found = access_promotion(request.user, request.casino, promotion)
    form = ValidateForm(bound_data(request))
    act = ConfirmPage(
        f"Go on with {found.reference}",
        ("Its integrity was validated. What you record stays as you record it, under your name.",),
        "Go on",
        found.get_absolute_url(),
        found.reference,
        "The promotion goes on.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: validate_promotion(
            promotion=found, how=form.cleaned_data["how"], actor=request.user, now=timezone.now()
        ),
    )
