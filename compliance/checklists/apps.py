from django.apps import AppConfig


class ChecklistsConfig(AppConfig):
    name = "compliance.checklists"
    label = "checklists"

    def ready(self) -> None:
        from compliance.checklists import guide, kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_records()
        register(
            NavItem(
                "Checklists", "checklists:casinos", 30, covers=r"/casinos/[^/]+/(checklists|samples)/", group="records"
            ),
        )
        help.register(guide.PAGE)
