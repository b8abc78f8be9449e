"""The demo's mailbox: an e-mail backend that stores e-mails in a table, and the pages that show them."""

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.web.access import demo_only
from compliance.core.web.models import CapturedEmail
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.list_response import ListResponse, list_response


class MailboxBackend(BaseEmailBackend):
    """Django e-mail backend that writes CapturedEmail rows instead of sending."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        now = timezone.now()
        mails = [
            CapturedEmail(
                to=", ".join(message.recipients()), subject=str(message.subject), body=str(message.body), sent_at=now
            )
            for message in email_messages
        ]
        return len(CapturedEmail.objects.bulk_create(mails))


@demo_only
@require_safe
def mailbox(request: HttpRequest) -> ListResponse:
    table = DataTable(
        caption="E-mails, newest first",
        columns=(
            Column(
                "Subject", "subject", is_row_heading=True, link=lambda mail: reverse("web:mail", kwargs={"pk": mail.pk})
            ),
            Column("To", "to", sort="to"),
            Column("Sent", "sent_at", sort="sent_at"),
        ),
        rows=CapturedEmail.objects.all(),
        sort="-sent_at",
        empty="No e-mail has been sent yet.",
    )
    return list_response(request, "web/mailbox.html", {"table": table})


@demo_only
@require_safe
def show_mail(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "web/mail.html", {"mail": get_object_or_404(CapturedEmail, pk=pk)})
