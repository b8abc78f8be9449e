from django.apps import AppConfig


class TermsConfig(AppConfig):
    name = "promotions.terms"
    label = "terms"

    def ready(self) -> None:
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from promotions.terms import guide, kinds

        kinds.register_kinds()
        register(NavItem("Promotions", "terms:casinos", 45, covers=r"/casinos/[^/]+/promotions/", group="records"))
        help.register(guide.PAGE)
