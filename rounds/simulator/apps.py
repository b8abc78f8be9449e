from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class SimulatorConfig(AppConfig):
    name = "rounds.simulator"
    label = "simulator"

    def ready(self) -> None:
        from compliance.core.web import help_pages

        help_pages.register_pages(
            help_pages.HelpPage(
                "simulator",
                "The simulator",
                "A casino floor to try the service with: honest days, and faults planted on purpose.",
                "Those who run or try the service",
                order=80,
                facts=fault_facts,
            )
        )


def fault_facts() -> Mapping[str, Any]:
    from rounds.simulator.fault_selection import select_faults

    every = select_faults("all")
    return {"at_tables": every.at_tables, "of_people": every.of_people}
