from pathlib import Path

import pytest

from tests.rounds.transparency_log.memory_log import SIGNER
from tests.rounds.witness.witness_process import Inspectorate


@pytest.fixture
def inspectorate(tmp_path: Path) -> Inspectorate:
    """A new witness of the log in memory."""
    witness = Inspectorate(tmp_path / "inspectorate")
    assert witness.init(str(SIGNER.verifier)).status == 0
    return witness
