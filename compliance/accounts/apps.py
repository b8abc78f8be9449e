from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "compliance.accounts"
    label = "accounts"

    def ready(self) -> None:
        from compliance.accounts import identities_kept, roles_kept
        from compliance.accounts.events import register_acts
        from compliance.accounts.single_sign_on.providers import all_providers
        from compliance.web.help import HelpPage
        from compliance.web.help import register as register_help
        from compliance.web.navigation import NavItem, register

        # A mistake in the file must show when the service starts, not when somebody comes.
        all_providers()

        register_acts()
        roles_kept.register()
        identities_kept.register()
        register(
            NavItem("People", "accounts:casinos", 80, covers=r"/casinos/[^/]+/people/", group="set-up"),
            NavItem("Your account", "accounts:account", 10, place="account"),
        )
        register_help(
            HelpPage(
                "single-sign-on",
                "Single sign-on",
                "Signing in by your organisation: setting it up, linking people, what to do when it fails.",
                "Those who run the service",
                92,
            )
        )
