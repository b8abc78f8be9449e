from django.apps import AppConfig


class WhatIfConfig(AppConfig):
    name = "compliance.analysis.what_if"
    label = "trials"

    def ready(self) -> None:
        from compliance.analysis.what_if import help_page
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items

        register_items(
            NavItem("What would change?", "trials:casinos", 42, covers=r"/casinos/[^/]+/what-if/", group="rules")
        )
        help_pages.register_pages(help_page.PAGE)
