from django.apps import AppConfig


class ChecklistsConfig(AppConfig):
    name = "compliance.inspection.checklists"
    label = "checklists"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.inspection.checklists import corrections, help_page

        corrections.register()
        register_items(
            NavItem(
                "Checklists", "checklists:casinos", 30, covers=r"/casinos/[^/]+/(checklists|samples)/", group="records"
            ),
        )
        help_pages.register_pages(help_page.PAGE)
