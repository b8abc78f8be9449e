from django.apps import AppConfig


class InspectorateConfig(AppConfig):
    name = "compliance.inspectorate"
    label = "inspectorate"

    def ready(self) -> None:
        from compliance.inspectorate import guide, kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_kinds()
        register(NavItem("Other systems", "inspectorate:casinos", 74, covers=r"/casinos/[^/]+/tokens/", group="set-up"))
        help.register(guide.PAGE)
