from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class PatronsConfig(AppConfig):
    name = "compliance.patrons"
    label = "patrons"

    def ready(self) -> None:
        from compliance.patrons import health, kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_kinds()
        health.register_checks()
        register(
            NavItem("Personal data", "patrons:casinos", 70, covers=r"/casinos/[^/]+/personal-data/", group="evidence")
        )
        help.register(
            help.HelpPage(
                "personal-data",
                "Personal data of patrons",
                "What is kept, who may see it, who looked, when it is destroyed.",
                "Inspectors, authority officers and compliance officers",
                order=65,
                facts=subjects_and_purposes,
            )
        )


def subjects_and_purposes() -> Mapping[str, Any]:
    from compliance.accounts.roles import Role
    from compliance.patrons.models import Purpose
    from compliance.patrons.subjects import SUBJECTS

    readers = [
        (subject, [role.label.lower() for role in Role if role in subject.readers]) for subject in SUBJECTS.values()
    ]
    return {"subjects": readers, "purposes": Purpose.labels}
