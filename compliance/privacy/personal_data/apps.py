from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class PersonalDataConfig(AppConfig):
    name = "compliance.privacy.personal_data"
    label = "patrons"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.privacy.personal_data import health

        health.register_checks()
        register_items(
            NavItem("Personal data", "patrons:casinos", 70, covers=r"/casinos/[^/]+/personal-data/", group="evidence")
        )
        help_pages.register_pages(
            help_pages.HelpPage(
                "personal-data",
                "Personal data of patrons",
                "What is kept, who may see it, who looked, when it is destroyed.",
                "Inspectors, authority officers and compliance officers",
                order=65,
                facts=help_page_values,
            )
        )


def help_page_values() -> Mapping[str, Any]:
    from compliance.core.accounts.roles import Role
    from compliance.privacy.personal_data.models import AccessPurpose
    from compliance.privacy.personal_data.subjects import SUBJECTS

    readers = [
        (subject, [role.label.lower() for role in Role if role in subject.readers]) for subject in SUBJECTS.values()
    ]
    return {"subjects": readers, "purposes": AccessPurpose.labels}
