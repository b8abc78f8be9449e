from django.apps import AppConfig


class AccessLogConfig(AppConfig):
    name = "compliance.privacy.access_log"
    label = "disclosures"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.list_response import register_exporter
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.privacy.access_log.list_export import export_list

        register_exporter(export_list)
        register_items(
            NavItem("Who looked", "disclosures:casinos", 72, covers=r"/casinos/[^/]+/who-looked/", group="evidence")
        )
        help_pages.register_pages(
            help_pages.HelpPage(
                "who-looked",
                "Downloads, and who looked at what",
                "Any list as a file, and the record of who took or saw what.",
                "Everybody who downloads; inspectors and compliance officers",
                order=66,
            )
        )
