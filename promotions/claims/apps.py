from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    name = "promotions.claims"
    label = "claims"

    def ready(self) -> None:
        from promotions.claims import kinds

        kinds.register_kinds()
