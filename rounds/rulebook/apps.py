from django.apps import AppConfig


class RulebookConfig(AppConfig):
    name = "rounds.rulebook"
    label = "rulebook"

    def ready(self) -> None:
        from compliance.web import help
        from rounds.rulebook import guide

        help.register(guide.PAGE)
