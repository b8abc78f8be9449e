from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "rounds.ledger"
    label = "ledger"

    def ready(self) -> None:
        from rounds.ledger import health

        health.register_checks()
