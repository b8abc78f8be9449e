from django.apps import AppConfig


class IntakeConfig(AppConfig):
    name = "rounds.intake"
    label = "intake"

    def ready(self) -> None:
        from compliance.web import help
        from rounds.intake import integrators, recorded

        recorded.register_kinds()
        recorded.register_records()
        help.register(
            help.HelpPage(
                "integrators",
                "Connecting table controllers",
                "Every kind of line, how a batch is signed and sent, what each refusal means.",
                "Those who build or install controllers",
                order=70,
                facts=integrators.facts,
            )
        )
