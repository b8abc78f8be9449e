from django.apps import AppConfig


class IntakeConfig(AppConfig):
    name = "rounds.intake"
    label = "intake"

    def ready(self) -> None:
        from rounds.intake import recorded

        recorded.register_kinds()
        recorded.register_records()
