from django.apps import AppConfig


class FairnessConfig(AppConfig):
    name = "compliance.analysis.fairness"
    label = "fairness"

    def ready(self) -> None:
        from compliance.analysis.fairness import corrections, help_page
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items

        register_items(NavItem("Fairness", "fairness:casinos", 31, covers=r"/casinos/[^/]+/fairness/", group="records"))
        corrections.register()
        help_pages.register_pages(help_page.PAGE)
