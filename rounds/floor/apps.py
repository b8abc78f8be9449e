from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "rounds.floor"
    label = "floor"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from rounds.floor import help_page, verify_entries
        from rounds.ledger import register_projection

        register_projection("Acts on the floor", verify_entries.ROW_KINDS, verify_entries.verify_rows)
        register_items(NavItem("Floor", "floor:casinos", 20, covers=r"/casinos/[^/]+/(floor|rounds)/"))
        help_pages.register_pages(help_page.PAGE)
