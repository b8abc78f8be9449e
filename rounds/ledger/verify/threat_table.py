"""Attacks by somebody with every privilege in the database, what detects each, and how soon.

The help page prints this table; a test performs each attack as a superuser and runs each detector named here.
"""

from dataclasses import dataclass
from enum import Enum


class Detector(Enum):
    """Values are (what detects it, how soon)."""

    DATABASE = ("The database itself refuses it", "at once")
    GUARDS = ("The check of the guards, at every start and in every readiness check", "within seconds")
    SIGNING = ("Signing: the next checkpoint is refused", "within a minute")
    VERIFYING = ("verify_ledger, which names the entry", "within a day, or when it is run")
    KEPT = ("A checkpoint or bundle that an inspector took away, with verify_ledger --seen", "when it is compared")

    def __init__(self, words: str, how_soon: str) -> None:
        self.words = words
        self.how_soon = how_soon


@dataclass(frozen=True)
class Threat:
    """One attack. ``found_by`` lists the detectors, soonest first."""

    slug: str
    deed: str
    found_by: tuple[Detector, ...]

    @property
    def how_soon(self) -> str:
        return self.found_by[0].how_soon


THREATS = (
    Threat("body-edited", "A byte of an entry's body is edited.", (Detector.VERIFYING,)),
    Threat("time-changed", "The time at which an entry was recorded is changed.", (Detector.VERIFYING,)),
    Threat("hash-edited", "A body is edited and the hash beside it recomputed.", (Detector.VERIFYING,)),
    Threat("row-deleted", "An entry is deleted.", (Detector.VERIFYING,)),
    Threat("two-swapped", "Two entries change places, their hashes with them.", (Detector.VERIFYING,)),
    Threat("row-reinserted", "An entry is deleted and another put in its place.", (Detector.VERIFYING,)),
    Threat("row-added", "An entry is added at the end, past the service.", (Detector.VERIFYING,)),
    Threat("tail-cut", "The last entries are deleted.", (Detector.VERIFYING,)),
    Threat(
        "tail-cut-and-head-set-back",
        "The last entries are deleted, and the log's head and tree set back to match.",
        (Detector.SIGNING, Detector.VERIFYING),
    ),
    Threat("tile-edited", "A hash in the stored tree is edited.", (Detector.VERIFYING,)),
    Threat("reversal-deleted", "The mark that an entry was taken back is deleted.", (Detector.VERIFYING,)),
    Threat("guards-off", "The guards of a table are switched off.", (Detector.GUARDS, Detector.VERIFYING)),
    Threat(
        "guards-emptied",
        "The guards' function is replaced by one that allows everything.",
        (Detector.GUARDS, Detector.VERIFYING),
    ),
    Threat(
        "replica-role", "session_replication_role is set, which switches ordinary triggers off.", (Detector.DATABASE,)
    ),
    Threat("privileges-granted", "The service's own role is given the right to change entries.", (Detector.GUARDS,)),
    Threat(
        "tree-rewritten",
        "An old entry is edited and the whole tree recomputed, with every hash and the head.",
        (Detector.SIGNING, Detector.VERIFYING),
    ),
    Threat(
        "tree-rewritten-and-checkpoints-deleted",
        "The same, and every stored checkpoint is deleted.",
        (Detector.SIGNING, Detector.VERIFYING),
    ),
    Threat(
        "tree-rewritten-and-signed",
        "The same, and new checkpoints are signed with the stolen key, the kept one replaced.",
        (Detector.KEPT,),
    ),
    Threat(
        "checkpoint-forged",
        "A checkpoint is replaced by one that another key signed.",
        (Detector.SIGNING, Detector.VERIFYING),
    ),
    Threat("checkpoint-replaced", "A checkpoint is replaced by an earlier one of the same log.", (Detector.VERIFYING,)),
)
