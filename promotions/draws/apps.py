from django.apps import AppConfig


class DrawsConfig(AppConfig):
    name = "promotions.draws"
    label = "draws"

    def ready(self) -> None:
        from promotions.draws import entry_kinds

        entry_kinds.register_kinds()
