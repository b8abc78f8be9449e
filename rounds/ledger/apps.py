from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "rounds.ledger"
    label = "ledger"
