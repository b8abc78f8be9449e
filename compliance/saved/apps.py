from django.apps import AppConfig


class SavedConfig(AppConfig):
    name = "compliance.saved"
    label = "saved"

    def ready(self) -> None:
        from compliance.saved import guide
        from compliance.saved.shelf import shelf_of
        from compliance.web import help, keeping
        from compliance.web.navigation import NavItem, register

        keeping.register(shelf_of)
        register(NavItem("Your views", "saved:casinos", 5, place="account", covers=r"/casinos/[^/]+/views/"))
        help.register(guide.PAGE)
