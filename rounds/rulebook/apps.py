from django.apps import AppConfig


class RulebookConfig(AppConfig):
    name = "rounds.rulebook"
    label = "rulebook"
