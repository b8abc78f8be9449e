from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "compliance.accounts"
    label = "accounts"

    def ready(self) -> None:
        from compliance.accounts import roles_kept
        from compliance.accounts.events import register_acts
        from compliance.web.navigation import NavItem, register

        register_acts()
        roles_kept.register()
        register(
            NavItem("People", "accounts:casinos", 80, covers=r"/casinos/[^/]+/people/", group="set-up"),
            NavItem("Your account", "accounts:account", 10, place="account"),
        )
