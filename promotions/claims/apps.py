from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    name = "promotions.claims"
    label = "claims"

    def ready(self) -> None:
        from promotions.claims import entry_kinds

        entry_kinds.register_kinds()
