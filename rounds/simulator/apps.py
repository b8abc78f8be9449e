from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class SimulatorConfig(AppConfig):
    name = "rounds.simulator"
    label = "simulator"

    def ready(self) -> None:
        from compliance.web import help

        help.register(
            help.HelpPage(
                "simulator",
                "The simulator",
                "A casino floor to try the service with: honest days, and faults planted on purpose.",
                "Those who run or try the service",
                order=80,
                facts=faults,
            )
        )


def faults() -> Mapping[str, Any]:
    from rounds.simulator.chosen import chosen

    every = chosen("all")
    return {"at_tables": every.at_tables, "of_people": every.of_people}
