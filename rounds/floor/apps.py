from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "rounds.floor"
    label = "floor"

    def ready(self) -> None:
        from rounds.floor import kinds

        kinds.register_records()
