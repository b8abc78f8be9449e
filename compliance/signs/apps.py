from django.apps import AppConfig


class SignsConfig(AppConfig):
    name = "compliance.signs"
    label = "signs"

    def ready(self) -> None:
        from compliance.signs import guide, recorded
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        recorded.register()
        register(NavItem("Signs", "signs:casinos", 22, covers=r"/casinos/[^/]+/(signs|notices|closures)/"))
        help.register(guide.PAGE)
