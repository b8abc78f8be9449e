from django.apps import AppConfig


class LimitNoticesConfig(AppConfig):
    name = "compliance.tables.limit_notices"
    label = "notices"

    def ready(self) -> None:
        from compliance.tables.limit_notices import corrections, todo_items, verify
        from compliance.tables.signs.presentation.table_hooks import TableAction, register_actions, register_todo_items

        verify.register_verification()
        corrections.register()
        register_todo_items(todo_items.notice_todo_items)
        register_actions(
            TableAction("Change the limits", "notices:new", 10),
            TableAction("Limits of one player", "notices:player-limits", 30),
            TableAction("Warnings under the minimum", "notices:warnings", 40),
        )
