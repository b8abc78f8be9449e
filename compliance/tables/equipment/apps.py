from django.apps import AppConfig


class EquipmentConfig(AppConfig):
    name = "compliance.tables.equipment"
    label = "equipment"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.tables.equipment import todo_items, verify
        from compliance.tables.equipment.services import corrections
        from compliance.tables.signs.presentation.table_hooks import (
            TableAction,
            register_actions,
            register_display_facts,
            register_todo_items,
        )

        verify.register_verification()
        corrections.register()
        register_todo_items(todo_items.table_todo_items)
        register_display_facts(todo_items.stopped_play_facts)
        register_actions(TableAction("Equipment: faults, trials, dice", "equipment:table", 40))
        register_items(NavItem("Equipment", "equipment:casinos", 22, covers=r"/casinos/[^/]+/equipment/"))
        help_pages.register_pages(
            help_pages.HelpPage(
                "equipment",
                "Equipment: faults, inspections, dice",
                "What stops play and how it returns; inspections, dice and shakers, cards, chips without value.",
                "Supervisors, shift managers and inspectors",
                order=42,
            )
        )
