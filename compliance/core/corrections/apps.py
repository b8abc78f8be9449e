from django.apps import AppConfig


class CorrectionsConfig(AppConfig):
    name = "compliance.core.corrections"
    label = "corrections"

    def ready(self) -> None:
        from compliance.core.corrections import help_page
        from compliance.core.web.help_pages import register_pages

        register_pages(help_page.PAGE)
