from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

from compliance.config.environment import VARIABLES


class ConfigConfig(AppConfig):
    name = "compliance.config"
    label = "config"

    def ready(self) -> None:
        from compliance.config import celery
        from compliance.web import help

        register(check_mail, deploy=True)
        # Whoever starts Django can ring the bell: shared tasks find this application.
        celery.app.set_default()
        help.register(
            help.HelpPage(
                "configuration",
                "Configuration",
                "Every environment variable, its default and purpose.",
                "Those who run the service",
                order=95,
                facts=variables,
            )
        )


def variables() -> Mapping[str, Any]:
    return {"variables": list(VARIABLES.values())}


def check_mail(**kwargs: Any) -> list[CheckMessage]:
    if settings.DEMO or settings.EMAIL_BACKEND != "compliance.web.mailbox.MailboxBackend":
        return []
    return [
        Warning(
            "EMAIL_URL is not set: invitations and password resets reach nobody.",
            hint="Set EMAIL_URL to your SMTP server, such as smtp://user:password@mail.example:587.",
            id="config.W001",
        )
    ]
