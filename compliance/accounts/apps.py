from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "compliance.accounts"
    label = "accounts"

    def ready(self) -> None:
        from compliance.web.navigation import NavItem, register

        register(
            NavItem("People", "accounts:casinos", 80, covers=r"/casinos/[^/]+/people/"),
            NavItem("Your account", "accounts:account", 10, place="account"),
        )
