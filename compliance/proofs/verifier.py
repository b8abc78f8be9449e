"""The offline check of a wager as one file: the ledger's verifier, and what the proof of a wager adds to it."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from rounds.ledger.bundle import VERIFIER

OWN = Path(__file__).with_name("verify_wager.py")
FILE_NAME = "verify_wager.py"
MAIN = 'if __name__ == "__main__":'
FUTURE = "from __future__ import annotations\n"
BORROWS = re.compile(r"from rounds\.ledger\.verify_bundle import \([^)]*\)\n")


@cache
def standalone() -> bytes:
    """Standard library only. The last part's own names for the command line replace those of the first."""
    theirs, ours = VERIFIER.read_text(), OWN.read_text()
    usage, _, text = ours.partition(FUTURE)
    text, found = BORROWS.subn("", text)
    assert found == 1
    shebang, _, code = theirs.partition(FUTURE)
    first_line = shebang.partition("\n")[0]
    return f"{first_line}\n{usage}{FUTURE}{code.partition(MAIN)[0]}\n{text}".encode()


@cache
def standalone_sha256() -> str:
    return sha256(standalone()).hexdigest()
