"""Entry kinds that fairness appends. None is a finding, and none triggers a re-audit."""

from rounds.ledger import register_kind, register_rows

EXAMINED = register_kind("fairness-examined", "A gaming day's results were held against chance.").name
SIGNAL = register_kind("fairness-signal", "Chance alone would hardly give what was counted. Nothing is proved.").name
SIGNAL_SEEN = register_kind("fairness-signal-seen", "A person looked at a signal, and noted what they made of it.").name


def register_kinds() -> None:
    from compliance.analysis.fairness.models import Examination, Signal, SignalAcknowledgement

    register_rows(EXAMINED, Examination.rows_between)
    register_rows(SIGNAL, Signal.rows_between)
    register_rows(SIGNAL_SEEN, SignalAcknowledgement.rows_between)
