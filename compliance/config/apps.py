import gc

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "compliance.config"
    label = "config"

    def ready(self) -> None:
        from compliance.config import celery, guide
        from compliance.web import help

        # Whoever starts Django can ring the bell: shared tasks find this application.
        celery.app.set_default()
        help.register(*guide.PAGES)
        # See settings.py.
        gc.freeze()
        gc.enable()
