from django.apps import AppConfig


class CorrectionsConfig(AppConfig):
    name = "compliance.core.corrections"
    label = "corrections"
