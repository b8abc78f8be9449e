"""Comments of the operator's staff on findings about their own records."""

from django.http import HttpResponse
from django.utils import timezone

from compliance.audit.selectors import access_finding
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.inspection.reviews.selectors import MAY_COMMENT, require_commenter
from compliance.inspection.reviews.services import comment_on_finding
from compliance.inspection.reviews.views.forms import CommentForm


@require_roles(*MAY_COMMENT)
@allow_get_post
def comment(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    found = access_finding(request.user, request.casino, finding)
    require_commenter(request.user, found)
    form = CommentForm(bound_data(request))
    act = ConfirmPage(
        f"Comment on finding {finding:,}, {found.code}",
        (
            found.local_sentence,
            "Inspectors read your comment with the finding. It changes neither the finding nor its review.",
        ),
        "Record the comment",
        found.get_absolute_url(),
        f"Finding {finding:,}",
        "Your comment is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: comment_on_finding(
            finding=found, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )
