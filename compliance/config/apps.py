from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig

from compliance.config.environment import VARIABLES


class ConfigConfig(AppConfig):
    name = "compliance.config"
    label = "config"

    def ready(self) -> None:
        from compliance.config import celery, scale
        from compliance.web import help

        # Whoever starts Django can ring the bell: shared tasks find this application.
        celery.app.set_default()
        help.register(
            scale.PAGE,
            help.HelpPage(
                "configuration",
                "Configuration",
                "Every environment variable, its default and purpose.",
                "Those who run the service",
                order=95,
                facts=variables,
            ),
        )


def variables() -> Mapping[str, Any]:
    return {"variables": list(VARIABLES.values())}
