from django.apps import AppConfig


class DisputesConfig(AppConfig):
    name = "compliance.disputes"
    label = "disputes"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.disputes import entry_kinds
        from compliance.disputes.help_page import PAGE
        from compliance.disputes.services import corrections
        from compliance.disputes.verify import register_projections
        from compliance.privacy.personal_data.verify import register_personal_data_kind

        register_personal_data_kind(entry_kinds.LOGGED)
        register_projections()
        corrections.register()
        register_items(NavItem("Disputes", "disputes:casinos", 40, covers=r"/casinos/[^/]+/disputes/", group="records"))
        help_pages.register_pages(PAGE)
