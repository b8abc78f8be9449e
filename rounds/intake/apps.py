from django.apps import AppConfig


class IntakeConfig(AppConfig):
    name = "rounds.intake"
    label = "intake"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from rounds.intake import entry_kinds
        from rounds.intake.api import help_page

        entry_kinds.register_kinds()
        entry_kinds.register_ledger_models()
        help_pages.register_pages(
            help_pages.HelpPage(
                "integrators",
                "Connecting table controllers",
                "Every kind of line, how a batch is signed and sent, what each refusal means.",
                "Those who build or install controllers",
                order=70,
                facts=help_page.page_context,
            )
        )
