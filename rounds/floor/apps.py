from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "rounds.floor"
    label = "floor"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from rounds.floor import consumer, entry_kinds, help_page, verify_entries
        from rounds.ledger import register_projection, writing

        entry_kinds.register_ledger_models()
        # Apps that depend on this one are ready before it, so every kind of entry they consume is registered by now.
        followed = consumer.known_consumed_kinds(kind.name for kind in writing.registered_kinds())
        register_projection("Facts that tables reported", followed, consumer.verify_rows)
        register_projection("Acts on the floor", verify_entries.ROW_KINDS, verify_entries.verify_rows)
        register_items(NavItem("Floor", "floor:casinos", 20, covers=r"/casinos/[^/]+/(floor|rounds)/"))
        help_pages.register_pages(help_page.PAGE)
