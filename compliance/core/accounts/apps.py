from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "compliance.core.accounts"
    label = "accounts"

    def ready(self) -> None:
        from compliance.core.accounts.emails import PURPOSES
        from compliance.core.accounts.ledger import verify_identities, verify_roles
        from compliance.core.accounts.sso.providers import all_providers
        from compliance.core.web.help_pages import HelpPage
        from compliance.core.web.help_pages import register_pages as register_help
        from compliance.core.web.mail.outbox import register_purposes
        from compliance.core.web.ui.navigation import NavItem, register_items

        # A mistake in the file must show when the service starts, not at the first sign-in.
        all_providers()

        register_purposes(*PURPOSES)
        verify_roles.register_verifier()
        verify_identities.register_verifier()
        register_items(
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
