"""The board: what starts, what is due to be filed, which winners are not told yet, which denials have no letter."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from promotions.duties import governing
from promotions.standing import MAY_WRITE
from promotions.terms.views.common import readers


@readers
@never_cache
@require_safe
def board(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    context = {
        "casino": request.casino,
        "governing": governing(request.casino, now),
        "may_write": request.user.holds(*MAY_WRITE, casino=request.casino),
    }
    return render(request, "promotions/board.html", context)
