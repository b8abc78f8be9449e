"""The entries that fairness writes. None is a finding, and none opens an audit again."""

from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

EXAMINED = register_kind("fairness-examined", "A gaming day's results were held against chance.").name
SIGNAL = register_kind("fairness-signal", "Chance alone would hardly give what was counted. Nothing is proved.").name
SEEN = register_kind("fairness-signal-seen", "A person looked at a signal, and noted what they made of it.").name


def register_records() -> None:
    from compliance.fairness.models import Examination, Signal, SignalSeen

    register_record(EXAMINED, Examination.recorded_between)
    register_record(SIGNAL, Signal.recorded_between)
    register_record(SEEN, SignalSeen.recorded_between)
