from django.apps import AppConfig


class DrawsConfig(AppConfig):
    name = "promotions.draws"
    label = "draws"

    def ready(self) -> None:
        from promotions.draws import kinds

        kinds.register_kinds()
