from django.apps import AppConfig


class ClosuresConfig(AppConfig):
    name = "compliance.tables.closures"
    label = "closures"

    def ready(self) -> None:
        from compliance.tables.closures import todo_items, verify
        from compliance.tables.closures.services import corrections
        from compliance.tables.signs.presentation.table_hooks import (
            TableAction,
            register_actions,
            register_display_facts,
            register_todo_items,
        )

        corrections.register()
        verify.register_verification()
        register_todo_items(todo_items.closing_todo_items)
        register_display_facts(todo_items.closed_table_facts)
        register_actions(TableAction("Close or open the table", "closures:table", 20))
