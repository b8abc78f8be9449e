from django.apps import AppConfig


class DisclosuresConfig(AppConfig):
    name = "compliance.disclosures"
    label = "disclosures"

    def ready(self) -> None:
        from compliance.disclosures import kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_kinds()
        register(
            NavItem("Who looked", "disclosures:casinos", 72, covers=r"/casinos/[^/]+/who-looked/", group="evidence")
        )
        help.register(
            help.HelpPage(
                "who-looked",
                "Downloads, and who looked at what",
                "Any list as a file, and the record of who took or saw what.",
                "Everybody who downloads; inspectors and compliance officers",
                order=66,
            )
        )
