"""The offline check of a report as one file: the ledger's verifier, the signature's, and what a report adds to them."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from compliance.web import verify_signature
from rounds.ledger.bundle import VERIFIER

OWN = Path(__file__).with_name("verify_report.py")
SIGNATURE = Path(verify_signature.__file__)
MAIN = 'if __name__ == "__main__":'
BORROWS = (
    "from compliance.web.verify_signature import AT_THE_FOOT, SignatureError, Signed, check_signature\n"
    "from rounds.ledger.verify_bundle import EvidenceError, say, verify\n"
)
FUTURE = "from __future__ import annotations\n"


@cache
def standalone() -> bytes:
    """Standard library only. The last part's own names for the command line replace those of the first."""
    theirs, ours = VERIFIER.read_text(), OWN.read_text()
    assert BORROWS in ours
    text = ours.partition('"""\n')[2].replace(FUTURE, "").replace(BORROWS, "")
    usage = ours.partition('"""\n')[0]
    shebang, _, code = theirs.partition(FUTURE)
    first_line = shebang.partition("\n")[0]
    signature = SIGNATURE.read_text().partition(FUTURE)[2]
    return f'{first_line}\n{usage}"""\n\n{FUTURE}{code.partition(MAIN)[0]}\n{signature}\n{text}'.encode()


@cache
def standalone_sha256() -> str:
    return sha256(standalone()).hexdigest()
