import gc

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "compliance.config"
    label = "config"

    def ready(self) -> None:
        from compliance.config import celery
        from compliance.config.help import help_page
        from compliance.core.web import help_pages

        # Makes this the default application in every process that starts Django, so that shared tasks can be sent from
        # it.
        celery.app.set_default()
        help_pages.register_pages(*help_page.PAGES)
        # Paired with gc.disable() in settings.py.
        gc.freeze()
        gc.enable()
