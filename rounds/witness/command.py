"""The witness's command line. Exit status 0: agrees. 1: disagrees. 2: could not tell, or did not start."""

from __future__ import annotations

import argparse
import sqlite3
import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rounds.ledger.cosignatures import AUDITED, REASONS, witness_key
from rounds.ledger.errors import LedgerError
from rounds.ledger.names import epoch_in, is_later_epoch
from rounds.ledger.notes import SignerKey, VerifierKey, unverified_head
from rounds.witness.asking import check_address
from rounds.witness.auditing import audit
from rounds.witness.errors import StateLost, WitnessError
from rounds.witness.evidence import Bundle
from rounds.witness.fetching import Service, read_token
from rounds.witness.following import Outcome, Round, follow_every_log
from rounds.witness.keys import HighWater, make_key, read_key
from rounds.witness.serving import make_server
from rounds.witness.state import LOST, Followed, State
from rounds.witness.witnessing import Witness

COULD_NOT = 2
LOOPBACK = "127.0.0.1"


def main(arguments: Sequence[str], program: str = "python -m rounds.witness") -> int:
    options = make_parser(program).parse_args(arguments)
    try:
        status: int = options.act(options)
    except (LedgerError, OSError, sqlite3.Error) as error:
        print(f"The witness does not go on. {error}", file=sys.stderr, flush=True)
        return COULD_NOT
    except KeyboardInterrupt:
        return 0
    return status


def make_parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Watches a log from outside and cosigns what holds.")
    acts = parser.add_subparsers(required=True, metavar="ACT")
    files = argparse.ArgumentParser(add_help=False)
    files.add_argument("--state", type=Path, required=True, metavar="FILE", help="what the witness remembers (SQLite)")
    key = argparse.ArgumentParser(add_help=False)
    key.add_argument("--key", type=Path, required=True, metavar="FILE", help="the witness's own key")
    log = argparse.ArgumentParser(add_help=False)
    log.add_argument(
        "--log", required=True, metavar="VERIFIER-KEY", help="the log's verifier key, as /logs/…/key has it"
    )
    log.add_argument("--url", required=True, help="the service's address, such as https://ledger.example")

    init = acts.add_parser("init", parents=[files, key, log], help="make a key and a state, once")
    init.add_argument("--name", help="the name of a new key, such as inspectorate.example/witness")
    init.set_defaults(act=_init)
    acts.add_parser("trust", parents=[files, log], help="follow one more log, or trust its new key").set_defaults(
        act=_trust
    )
    acts.add_parser("key", parents=[key], help="print the verifier key, to have it registered").set_defaults(act=_key)
    acts.add_parser("once", parents=[files, key], help="follow every log once").set_defaults(act=_once)
    run = acts.add_parser("run", parents=[files, key], help="follow every log for ever")
    run.add_argument("--every", type=float, default=60, metavar="SECONDS", help="how often to ask; 60 unless told")
    run.add_argument("--listen", metavar="HOST:PORT", help="also answer add-checkpoint there, such as 127.0.0.1:8300")
    run.set_defaults(act=_run)
    audits = acts.add_parser("audit", parents=[files, key], help="recompute every settlement, and cosign if all hold")
    audits.add_argument("--audited-key", type=Path, required=True, metavar="FILE", help="the second key; made if new")
    evidence = audits.add_mutually_exclusive_group(required=True)
    evidence.add_argument("--token", type=Path, metavar="FILE", help="fetch the entries with the token in this file")
    evidence.add_argument("--bundle", type=Path, metavar="DIR", help="evidence taken away, unpacked")
    audits.set_defaults(act=_audit)
    acts.add_parser("status", parents=[files], help="what it saw last, and what it refused").set_defaults(act=_status)
    return parser


def _init(options: argparse.Namespace) -> int:
    log, url = VerifierKey.parse(options.log), check_address(options.url)
    noted = HighWater(options.key)
    if noted.read():
        raise StateLost("state-lost", f"The key {options.key} has cosigned before, as {noted.path} says. {LOST}")
    if options.state.exists():
        raise WitnessError("state-exists", f"There is a state at {options.state} already: `trust` adds a log to it.")
    if not options.key.exists() and not options.name:
        raise WitnessError("no-name", "A new key needs a name: --name inspectorate.example/witness.")
    signer = read_key(options.key) if options.key.exists() else make_key(options.key, options.name)
    State.create(options.state, signer.name).trust(log, url)
    print(f"Follows {log.name}. Have this key registered at the service:\n{witness_key(signer)}")
    return 0


def _trust(options: argparse.Namespace) -> int:
    log = VerifierKey.parse(options.log)
    State.open(options.state).trust(log, check_address(options.url))
    print(f"Follows {log.name}, signed by the key {log.key_id.hex()} too.")
    return 0


def _key(options: argparse.Namespace) -> int:
    print(witness_key(read_key(options.key)))
    return 0


def _once(options: argparse.Namespace) -> int:
    return _tell(follow_every_log(_start(options)))


def _run(options: argparse.Namespace) -> int:
    witness = _start(options)
    if options.listen:
        host, _, port = options.listen.rpartition(":")
        server = make_server(witness, host or LOOPBACK, int(port), _say)
        _say(f"Answers add-checkpoint at http://{host or LOOPBACK}:{server.server_port}.")
        threading.Thread(target=server.serve_forever, daemon=True).start()
    while True:
        _tell(follow_every_log(witness))
        time.sleep(options.every)


def _audit(options: argparse.Namespace) -> int:
    witness = _start(options)
    name = witness.key.name + AUDITED
    if not options.audited_key.exists():
        _say(f"A new key. Have it registered too:\n{witness_key(make_key(options.audited_key, name))}")
    signer = read_key(options.audited_key)
    if signer.name != name:
        raise WitnessError("other-witness", f"The key {options.audited_key} belongs to {signer.name}, not to {name}.")
    if options.bundle:
        bundle = Bundle(options.bundle)
        return _tell([audit(witness, signer, witness.known(bundle.origin()), bundle)])
    token = read_token(options.token)
    return _tell([_audit_one(witness, signer, log, token) for log in witness.state.logs()])


def _audit_one(witness: Witness, signer: SignerKey, log: Followed, token: str) -> Round:
    """A log that cannot be read does not keep the others from being audited. The entries of an epoch that is over are
    those of the next, as far as they were not lost."""
    later = [one.origin for one in witness.state.logs() if is_later_epoch(one.origin, log.origin)]
    if later:
        return Round(Outcome.AGREES, f"{log.origin}: Goes on as {max(later, key=epoch_in)}, which is audited.")
    try:
        return audit(witness, signer, log, Service(log, token))
    except WitnessError as error:
        return Round(Outcome.CANNOT_TELL, f"{log.origin}: {error.sentence}")


def _start(options: argparse.Namespace) -> Witness:
    return Witness.start(options.state, options.key, lambda: int(time.time()))


def _say(words: str) -> None:
    print(words, flush=True)


def _tell(rounds: Sequence[Round]) -> int:
    for one in rounds:
        _say(one.words)
    outcomes = {one.outcome for one in rounds}
    if Outcome.DISAGREES in outcomes:
        return Outcome.DISAGREES.value
    return Outcome.CANNOT_TELL.value if Outcome.CANNOT_TELL in outcomes else 0


def _status(options: argparse.Namespace) -> int:
    state = State.open(options.state)
    has_refused = [_describe(state, log) for log in state.logs()]
    return Outcome.DISAGREES.value if any(has_refused) else 0


def _describe(state: State, log: Followed) -> bool:
    _say(log.origin)
    _say(f"  kept: {log.head.size} entries, root {log.head.root.hex()}, cosigned {_moment(log.cosigned_at)}")
    _say(f"  asked {_moment(log.asked_at)}: {log.answer}")
    audited = state.last_audit(log.origin)
    if audited is not None:
        _say(f"  audited {_moment(audited[1])}, {audited[0]} entries: {audited[2]}")
    refused = state.refused(log.origin)
    for one in refused:
        head = unverified_head(one.offered)
        size = head.size if head else "?"
        told = f"service told {_moment(one.told_at)}" if one.told_at else "service not told yet"
        _say(f"  REFUSED {_moment(one.at)}: {size} entries. {REASONS[one.reason]} ({told})")
    return bool(refused)


def _moment(at: int | None) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC" if at else "never"
