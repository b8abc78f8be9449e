"""Public pages: each version of the terms that is or was in force, at a permanent URL."""

import io

import qrcode
import qrcode.image.svg
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.web.access import public
from compliance.core.web.errors import NotFound
from compliance.core.web.mail.render import site_base_url
from promotions.shared.duties import promotion_rules_at
from promotions.terms.content.text import build_sections
from promotions.terms.models import Integrity, Promotion
from promotions.terms.selectors import published_terms, version_in_force


@public
@require_safe
def current_terms(request: HttpRequest, casino: str, promotion: int) -> HttpResponse:
    found = Promotion.objects.select_related("casino").filter(casino__slug=casino, number=promotion).first()
    in_force = version_in_force(found, timezone.now()) if found else None
    if in_force is None:
        raise NotFound
    return redirect(in_force.address("public"))


@public
@require_safe
def public_terms(request: HttpRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    found = published_terms(casino, promotion, version)
    now = timezone.now()
    in_force, rules = version_in_force(found.promotion, now), promotion_rules_at(found.promotion.casino, now)
    context = {
        "casino": found.promotion.casino,
        "version": found,
        "terms": found.terms,
        "sections": build_sections(found.terms, found.promotion.casino),
        "is_postponed": found.integrity == Integrity.POSTPONED,
        "right": rules.duties.dispute if rules else None,
        "is_in_force": in_force is not None and in_force.number == found.number,
    }
    return render(request, "terms/public.html", context)


@public
@require_safe
def terms_qr_code(request: HttpRequest, casino: str, promotion: int, version: int) -> HttpResponse:
    """URL of the terms as a QR code, for posters and brochures."""
    found = published_terms(casino, promotion, version)
    address = site_base_url() + found.address("public")
    drawn = io.BytesIO()
    qrcode.make(address, image_factory=qrcode.image.svg.SvgPathFillImage, border=4).save(drawn)
    return HttpResponse(drawn.getvalue(), content_type="image/svg+xml")
