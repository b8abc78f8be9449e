from django.apps import AppConfig


class ConductConfig(AppConfig):
    name = "compliance.conduct"
    label = "conduct"

    def ready(self) -> None:
        from compliance.conduct.kinds import register_records
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        register_records()
        register(NavItem("Conduct", "conduct:casinos", 24, covers=r"/casinos/[^/]+/conduct/", group="records"))
        help.register(
            help.HelpPage(
                "conduct",
                "Conduct: refusals, exclusions, invalid outcomes",
                "Recording what was refused, voided, invalidated or forfeited, and why.",
                "Supervisors, shift managers and inspectors",
                order=44,
            )
        )
