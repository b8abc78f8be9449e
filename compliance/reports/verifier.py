"""The offline check of a report as one file: the ledger's verifier, and what a report adds to it."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from rounds.ledger.bundle import VERIFIER

OWN = Path(__file__).with_name("verify_report.py")
MAIN = 'if __name__ == "__main__":'
BORROWS = "from rounds.ledger.verify_bundle import EvidenceError, say, verify\n"
FUTURE = "from __future__ import annotations\n"


@cache
def standalone() -> bytes:
    """Standard library only. The second part's own names for the command line replace those of the first."""
    theirs, ours = VERIFIER.read_text(), OWN.read_text()
    assert BORROWS in ours
    text = ours.partition('"""\n')[2].replace(FUTURE, "").replace(BORROWS, "")
    usage = ours.partition('"""\n')[0]
    shebang, _, code = theirs.partition(FUTURE)
    first_line = shebang.partition("\n")[0]
    return f'{first_line}\n{usage}"""\n\n{FUTURE}{code.partition(MAIN)[0]}\n{text}'.encode()


@cache
def standalone_sha256() -> str:
    return sha256(standalone()).hexdigest()
