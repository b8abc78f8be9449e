from django.apps import AppConfig


class PlayerConductConfig(AppConfig):
    name = "compliance.tables.player_conduct"
    label = "conduct"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.privacy.personal_data.verify import register_personal_data_kind
        from compliance.tables.player_conduct import corrections
        from compliance.tables.player_conduct.act_types import ACT_TYPES

        for kind in ACT_TYPES:
            register_personal_data_kind(kind)
        corrections.register()
        register_items(NavItem("Conduct", "conduct:casinos", 24, covers=r"/casinos/[^/]+/conduct/", group="records"))
        help_pages.register_pages(
            help_pages.HelpPage(
                "conduct",
                "Conduct: refusals, exclusions, invalid outcomes",
                "Recording what was refused, voided, invalidated or forfeited, and why.",
                "Supervisors, shift managers and inspectors",
                order=44,
            )
        )
