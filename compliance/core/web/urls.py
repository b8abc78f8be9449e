from django.urls import path

from compliance.core.web import health, help_pages
from compliance.core.web.http import session
from compliance.core.web.mail import demo_mailbox

app_name = "web"

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("status/", health.status, name="status"),
    path("help/", help_pages.help_index, name="help"),
    path("help/<slug:slug>/", help_pages.show_help_page, name="help-page"),
    path("session/stay/", session.extend_session, name="stay"),
    path("demo/mailbox/", demo_mailbox.mailbox, name="mailbox"),
    path("demo/mailbox/<int:pk>/", demo_mailbox.show_mail, name="mail"),
]
