"""Entry kinds that fairness appends. None is a finding, and none triggers a re-audit."""

from rounds.ledger import EntryKind

EXAMINED = EntryKind(
    "fairness-examined",
    "Gaming day's results compared with chance",
    "{gaming_day}: {tests:number test tests}",
    "fairness.Examination",
    meaning="A gaming day's results were held against chance.",
)
SIGNAL = EntryKind(
    "fairness-signal",
    "Fairness signal",
    "{code}: {subject[name]}, {gaming_day}",
    "fairness.Signal",
    meaning="Chance alone would hardly give what was counted. Nothing is proved.",
)
SIGNAL_SEEN = EntryKind(
    "fairness-signal-seen",
    "Fairness signal acknowledged",
    "Signal of entry {signal}: {note}",
    "fairness.SignalAcknowledgement",
    meaning="A person looked at a signal, and noted what they made of it.",
)
