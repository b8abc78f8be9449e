"""An acknowledgement of a signal can be withdrawn: the signal is unacknowledged again if no other stands."""

from compliance.analysis.fairness.entry_kinds import SIGNAL_SEEN
from compliance.analysis.fairness.models import MAY_ACKNOWLEDGE, SignalAcknowledgement
from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable


def register() -> None:
    register_correctable(
        CorrectableRecord(
            kind=SIGNAL_SEEN,
            writers=frozenset(MAY_ACKNOWLEDGE),
            find=find_row(SignalAcknowledgement, "signal__casino"),
            page=lambda seen: seen.signal.get_absolute_url(),
        )
    )
