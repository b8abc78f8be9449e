"""Entry kinds of conduct acts. Those that change what wagers are owed are defined in rounds.intake."""

from functools import partial

from rounds.intake.summaries import CONDUCT
from rounds.ledger import EntryKind, Reaudit

_Act = partial(EntryKind, summary=CONDUCT, model="conduct.ConductAct")

EXCLUSION = _Act(
    "exclusion",
    "Person excluded",
    meaning="A person was excluded from the game or from the casino.",
    reaudit=Reaudit.EXCLUDED_PERSON,
)
WAGER_TOUCHED = _Act("wager-touched", "Wagers touched", meaning="A player touched wagers before they were settled.")
PARTNERSHIP = _Act("partnership", "Betting in partnership", meaning="Players bet together to exceed the maximum.")
IDLE_PLAYER = _Act("idle-player", "Player asked to leave", meaning="A player who did not bet was asked to leave.")
