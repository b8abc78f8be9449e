"""C2SP tlog-witness, status by status, against a witness in its own process."""

import base64
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from rounds.transparency_log.formats.cosignature import WitnessKey, verified_cosignatures
from rounds.transparency_log.formats.signed_note import SignerKey, sign_checkpoint, sign_note
from rounds.witness.errors import InvalidCheckpointRequest
from rounds.witness.http.add_checkpoint import MAX_BODY_BYTES, AddCheckpointRequest
from rounds.witness.state import WitnessState
from tests.rounds.transparency_log.memory_log import SIGNER
from tests.rounds.witness.forked_log import History
from tests.rounds.witness.witness_process import Answer, Inspectorate, post, run

# The example request of the tlog-witness specification.
EXAMPLE = """\
old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
"""  # noqa: E501


@pytest.fixture
def port(inspectorate: Inspectorate) -> Iterator[int]:
    """The port of a witness that has cosigned eight entries."""
    with inspectorate.serving() as port:
        assert post(port, History(8).from_size(0)).status == 200
        yield port


def conflict(size: int) -> Answer:
    return Answer(409, "text/x.tlog.size", f"{size}\n".encode())


def kept_size(inspectorate: Inspectorate) -> int:
    [log] = WitnessState.open(inspectorate.state).followed_logs()
    return log.head.size


def test_the_specifications_own_request_is_read_as_it_is_meant() -> None:
    asked = AddCheckpointRequest.parse(EXAMPLE.encode())
    assert asked.old_size == 20852014
    assert [len(one) for one in asked.proof] == [32] * 4
    assert asked.note.startswith(b"example.com/behind-the-sofa\n20852163\n")
    assert asked.to_bytes() == EXAMPLE.encode()


@pytest.mark.parametrize(
    "change",
    [("old 20852014", "old 020"), ("old ", "new "), ("old 20852014", "old -1"), ("PlRN", "PlR"), ("\n\n", "\n")],
)
def test_a_request_that_is_spelt_otherwise_is_none(change: tuple[str, str]) -> None:
    with pytest.raises(InvalidCheckpointRequest):
        AddCheckpointRequest.parse(EXAMPLE.replace(*change).encode())


def test_more_hashes_than_a_proof_can_have() -> None:
    one = base64.b64encode(bytes(32)).decode() + "\n"
    AddCheckpointRequest.parse(f"old 1\n{one * 63}\nx".encode())
    with pytest.raises(InvalidCheckpointRequest):
        AddCheckpointRequest.parse(f"old 1\n{one * 64}\nx".encode())


def test_it_cosigns_what_extends_its_last_checkpoint(inspectorate: Inspectorate, port: int) -> None:
    longer = History(20)
    answer = post(port, longer.from_size(8))
    assert answer.status == 200
    key = WitnessKey.parse(inspectorate.verifier_key())
    [cosigned] = verified_cosignatures(longer.note + answer.body, [key])
    assert cosigned.line.encode() == answer.body
    assert kept_size(inspectorate) == 20
    again = post(port, longer.from_size(20))
    assert again.status == 200, "The same size once more is the same statement, at a later time."


def test_another_old_size_is_told_the_right_one(inspectorate: Inspectorate, port: int) -> None:
    assert post(port, History(20).from_size(0)) == conflict(8)
    assert post(port, History(20).from_size(7)) == conflict(8)
    assert post(port, History(20).from_size(9)) == conflict(8)
    assert kept_size(inspectorate) == 8


def test_another_history_of_the_same_size_is_refused_and_kept_as_evidence(
    inspectorate: Inspectorate, port: int
) -> None:
    assert post(port, History(8, "b", after=3).from_size(8)) == conflict(8)
    status = inspectorate.status()
    assert status.status == 1
    assert "REFUSED" in status.out
    assert "The log signed another history of the same length than it signed before." in status.out
    assert kept_size(inspectorate) == 8


def test_a_proof_that_does_not_hold(inspectorate: Inspectorate, port: int) -> None:
    assert post(port, History(20, "b", after=3).from_size(8)).status == 422
    honest = AddCheckpointRequest.parse(History(20).from_size(8))
    assert post(port, honest._replace(proof=honest.proof[:-1]).to_bytes()).status == 422
    assert kept_size(inspectorate) == 8
    assert "REFUSED" not in inspectorate.status().out, "Anybody can send a wrong proof: it says nothing of the log."


def test_a_first_request_proves_nothing(inspectorate: Inspectorate) -> None:
    with inspectorate.serving() as port:
        with_proof = AddCheckpointRequest(0, (bytes(32),), History(5).note)
        assert post(port, with_proof.to_bytes()).status == 422
        assert post(port, History(0).from_size(0)).status == 200
        assert post(port, History(5).from_size(0)).status == 200


def test_an_old_size_beyond_the_checkpoint(port: int) -> None:
    assert post(port, History(7).from_size(8)).status == 400


def test_a_log_that_it_does_not_follow_and_a_key_that_it_does_not_trust(port: int) -> None:
    head = History(20).tree.frontier.head()
    other_log = sign_checkpoint(head, SignerKey.from_seed("ledger.example/marina", bytes(32)))
    assert post(port, AddCheckpointRequest(0, (), other_log).to_bytes()).status == 404
    forged = sign_checkpoint(head, SignerKey.from_seed(SIGNER.name, bytes(32)))
    assert post(port, AddCheckpointRequest(8, (), forged).to_bytes()).status == 403
    changed = History(20).from_size(8).replace(b"\n20\n", b"\n21\n")
    assert post(port, changed).status == 403


def test_what_is_no_request_is_refused_and_bounded(port: int) -> None:
    assert post(port, b"").status == 400
    assert post(port, b"old 8\n\nno note at all").status == 400
    signed = sign_note(f"{SIGNER.name}\nnot a number\nAAAA\n", [SIGNER])
    assert post(port, AddCheckpointRequest(8, (), signed).to_bytes()).status == 400
    assert post(port, b"", headers={"Content-Length": str(MAX_BODY_BYTES + 1)}).status == 400
    assert post(port, b"", headers={"Content-Length": "-1"}).status == 400
    assert post(port, History(20).from_size(8), path="/add-checkpoints").status == 404


def test_of_two_extensions_at_once_one_is_signed(inspectorate: Inspectorate, port: int) -> None:
    """Eight concurrent requests, four for each history, with valid proofs:
    after the first, the old size no longer matches.
    """
    forks = [History(20 + number, letter, after=8).from_size(8) for number in range(4) for letter in "bc"]
    with ThreadPoolExecutor(len(forks)) as threads:
        answers = list(threads.map(lambda body: post(port, body), forks))
    assert sorted(answer.status for answer in answers) == [200] + [409] * 7
    signed = next(number for number, answer in enumerate(answers) if answer.status == 200)
    assert kept_size(inspectorate) == 20 + signed // 2


def test_the_same_at_two_processes_that_share_a_state(inspectorate: Inspectorate, port: int) -> None:
    with inspectorate.serving() as other, ThreadPoolExecutor(8) as threads:
        forks = [History(20 + number, letter, after=8).from_size(8) for number in range(4) for letter in "bc"]
        statuses = threads.map(lambda body: post((port, other)[forks.index(body) % 2], body).status, forks)
        assert sorted(statuses) == [200] + [409] * 7


def test_manage_py_does_the_same_without_a_database(inspectorate: Inspectorate) -> None:
    said = run("witness", "status", "--state", str(inspectorate.state), program=("manage.py",))
    assert said.status == 0, said.error
    assert said.out.startswith("ledger.example/harbour\n  kept: 0 entries")
