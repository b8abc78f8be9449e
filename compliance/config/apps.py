from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig

from compliance.config.environment import PROJECT, VARIABLES

DRILLS = ("crash", "rogue", "intruder", "fuzz", "load", "clock", "operations")


class ConfigConfig(AppConfig):
    name = "compliance.config"
    label = "config"

    def ready(self) -> None:
        from compliance.config import celery
        from compliance.web import help

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
            ),
            help.HelpPage(
                "drills",
                "Drills",
                "How we try to lose a round, fake a record or get in, and what came of it.",
                "Those who run the service",
                order=97,
                facts=drills,
            ),
        )


def drills() -> Mapping[str, Any]:
    """The sections of the page, one a drill, in the order in which they run."""
    folder = PROJECT / "templates" / "docs" / "drills"
    return {"sections": [f"docs/drills/{name}.html" for name in DRILLS if (folder / f"{name}.html").exists()]}


def variables() -> Mapping[str, Any]:
    return {"variables": list(VARIABLES.values())}
