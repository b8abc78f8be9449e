from django.urls import path

from compliance.web import health, help, mailbox, session

app_name = "web"

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("status/", health.status, name="status"),
    path("help/", help.index, name="help"),
    path("help/<slug:slug>/", help.show, name="help-page"),
    path("session/stay/", session.stay, name="stay"),
    path("demo/mailbox/", mailbox.mailbox, name="mailbox"),
    path("demo/mailbox/<int:pk>/", mailbox.mail, name="mail"),
]
