from django.apps import AppConfig


class IntakeConfig(AppConfig):
    name = "rounds.intake"
    label = "intake"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from rounds.intake import consumer, corrections, entry_kinds, verify
        from rounds.intake.api import help_page, rule_sets
        from rounds.ledger import register_projection

        register_projection("signed batches", entry_kinds.CONTROLLER_KINDS, verify.verify_rows)
        register_projection("Facts that tables reported", consumer.CONSUMED_KINDS, consumer.verify_rows)
        corrections.register()
        help_pages.register_pages(
            help_pages.HelpPage(
                "integrators",
                "Connecting table controllers",
                "Every kind of line, how a batch is signed and sent, what each refusal means.",
                "Those who build or install controllers",
                order=70,
                facts=help_page.page_context,
            ),
            help_pages.HelpPage(
                "integrators-rule-sets",
                "What each rule set expects from controllers",
                "Events, members and lines by rule set, each with its clause.",
                "Those who build or install controllers",
                order=71,
                facts=rule_sets.rule_sets_context,
            ),
        )
