import gc

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "compliance.config"
    label = "config"

    def ready(self) -> None:
        from compliance.config import celery
        from compliance.config.help import help_page
        from compliance.core.web import help_pages

        # Whoever starts Django can ring the bell: shared tasks find this application.
        celery.app.set_default()
        help_pages.register_pages(*help_page.PAGES)
        # See settings.py.
        gc.freeze()
        gc.enable()
