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

from rounds.transparency_log import formats
from rounds.transparency_log.errors import LedgerError
from rounds.witness.audit_log import audit_log
from rounds.witness.cosigner import Cosigner
from rounds.witness.entries.api_source import ApiSource, read_token
from rounds.witness.entries.bundle_source import BundleFolder
from rounds.witness.errors import StateLost, WitnessError
from rounds.witness.follow_logs import FollowOutcome, FollowResult, follow_all_logs
from rounds.witness.http.http_client import check_url
from rounds.witness.http.server import make_server
from rounds.witness.keys import CosignedHeads, create_key_file, read_key_file
from rounds.witness.state import STATE_LOST_ADVICE, FollowedLog, WitnessState

EXIT_CANNOT_TELL = 2
LOOPBACK = "127.0.0.1"


def main(arguments: Sequence[str], program: str = "python -m rounds.witness") -> int:
    options = make_parser(program).parse_args(arguments)
    try:
        status: int = options.act(options)
    except (LedgerError, OSError, sqlite3.Error) as error:
        print(f"The witness does not go on. {error}", file=sys.stderr, flush=True)
        return EXIT_CANNOT_TELL
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
    init.set_defaults(act=_run_init)
    acts.add_parser("trust", parents=[files, log], help="follow one more log, or trust its new key").set_defaults(
        act=_run_trust
    )
    acts.add_parser("key", parents=[key], help="print the verifier key, to have it registered").set_defaults(
        act=_run_key
    )
    acts.add_parser("once", parents=[files, key], help="follow every log once").set_defaults(act=_run_once)
    run = acts.add_parser("run", parents=[files, key], help="follow every log for ever")
    run.add_argument("--every", type=float, default=60, metavar="SECONDS", help="how often to ask; 60 unless told")
    run.add_argument("--listen", metavar="HOST:PORT", help="also answer add-checkpoint there, such as 127.0.0.1:8300")
    run.set_defaults(act=_run_forever)
    audits = acts.add_parser("audit", parents=[files, key], help="recompute every settlement, and cosign if all hold")
    audits.add_argument("--audited-key", type=Path, required=True, metavar="FILE", help="the second key; made if new")
    evidence = audits.add_mutually_exclusive_group(required=True)
    evidence.add_argument("--token", type=Path, metavar="FILE", help="fetch the entries with the token in this file")
    evidence.add_argument("--bundle", type=Path, metavar="DIR", help="evidence taken away, unpacked")
    audits.set_defaults(act=_run_audit)
    acts.add_parser("status", parents=[files], help="what it saw last, and what it refused").set_defaults(
        act=_run_status
    )
    return parser


def _run_init(options: argparse.Namespace) -> int:
    log, url = formats.VerifierKey.parse(options.log), check_url(options.url)
    cosigned_heads = CosignedHeads(options.key)
    if cosigned_heads.read():
        raise StateLost(
            "state-lost",
            f"The key {options.key} has cosigned before, as {cosigned_heads.path} says. {STATE_LOST_ADVICE}",
        )
    if options.state.exists():
        raise WitnessError("state-exists", f"There is a state at {options.state} already: `trust` adds a log to it.")
    if not options.key.exists() and not options.name:
        raise WitnessError("no-name", "A new key needs a name: --name inspectorate.example/witness.")
    signer = read_key_file(options.key) if options.key.exists() else create_key_file(options.key, options.name)
    WitnessState.create(options.state, signer.name).trust_key(log, url)
    print(f"Follows {log.name}. Have this key registered at the service:\n{formats.witness_key_of(signer)}")
    return 0


def _run_trust(options: argparse.Namespace) -> int:
    log = formats.VerifierKey.parse(options.log)
    WitnessState.open(options.state).trust_key(log, check_url(options.url))
    print(f"Follows {log.name}, signed by the key {log.key_id.hex()} too.")
    return 0


def _run_key(options: argparse.Namespace) -> int:
    print(formats.witness_key_of(read_key_file(options.key)))
    return 0


def _run_once(options: argparse.Namespace) -> int:
    return _print_results(follow_all_logs(_start_cosigner(options)))


def _run_forever(options: argparse.Namespace) -> int:
    witness = _start_cosigner(options)
    if options.listen:
        host, _, port = options.listen.rpartition(":")
        server = make_server(witness, host or LOOPBACK, int(port), _print_line)
        _print_line(f"Answers add-checkpoint at http://{host or LOOPBACK}:{server.server_port}.")
        threading.Thread(target=server.serve_forever, daemon=True).start()
    while True:
        _print_results(follow_all_logs(witness))
        time.sleep(options.every)


def _run_audit(options: argparse.Namespace) -> int:
    witness = _start_cosigner(options)
    name = witness.key.name + formats.AUDITED_SUFFIX
    if not options.audited_key.exists():
        _print_line(
            f"A new key. Have it registered too:\n{formats.witness_key_of(create_key_file(options.audited_key, name))}"
        )
    signer = read_key_file(options.audited_key)
    if signer.name != name:
        raise WitnessError("other-witness", f"The key {options.audited_key} belongs to {signer.name}, not to {name}.")
    if options.bundle:
        bundle = BundleFolder(options.bundle)
        return _print_results([audit_log(witness, signer, witness.require_followed_log(bundle.origin()), bundle)])
    token = read_token(options.token)
    return _print_results([_audit_one_log(witness, signer, log, token) for log in witness.state.followed_logs()])


def _audit_one_log(witness: Cosigner, signer: formats.SignerKey, log: FollowedLog, token: str) -> FollowResult:
    """Audit one log; an error does not stop the others.

    An ended epoch is skipped: the entries that were not lost are also those of the next epoch, which is audited.
    """
    later = [one.origin for one in witness.state.followed_logs() if formats.is_later_epoch(one.origin, log.origin)]
    if later:
        return FollowResult(
            FollowOutcome.AGREES,
            f"{log.origin}: Goes on as {max(later, key=formats.epoch_number_in)}, which is audited.",
        )
    try:
        return audit_log(witness, signer, log, ApiSource(log, token))
    except WitnessError as error:
        return FollowResult(FollowOutcome.CANNOT_TELL, f"{log.origin}: {error.sentence}")


def _start_cosigner(options: argparse.Namespace) -> Cosigner:
    return Cosigner.start(options.state, options.key, lambda: int(time.time()))


def _print_line(text: str) -> None:
    print(text, flush=True)


def _print_results(results: Sequence[FollowResult]) -> int:
    for one in results:
        _print_line(one.words)
    outcomes = {one.outcome for one in results}
    if FollowOutcome.DISAGREES in outcomes:
        return FollowOutcome.DISAGREES.value
    return FollowOutcome.CANNOT_TELL.value if FollowOutcome.CANNOT_TELL in outcomes else 0


def _run_status(options: argparse.Namespace) -> int:
    state = WitnessState.open(options.state)
    has_refused = [_describe_log(state, log) for log in state.followed_logs()]
    return FollowOutcome.DISAGREES.value if any(has_refused) else 0


def _describe_log(state: WitnessState, log: FollowedLog) -> bool:
    _print_line(log.origin)
    _print_line(
        f"  kept: {log.head.size} entries, root {log.head.root.hex()}, cosigned {_format_timestamp(log.cosigned_at)}"
    )
    _print_line(f"  asked {_format_timestamp(log.asked_at)}: {log.answer}")
    audited = state.last_audit(log.origin)
    if audited is not None:
        _print_line(f"  audited {_format_timestamp(audited[1])}, {audited[0]} entries: {audited[2]}")
    refused = state.refusals(log.origin)
    for one in refused:
        head = formats.parse_unverified_head(one.offered)
        size = head.size if head else "?"
        posted = f"service told {_format_timestamp(one.told_at)}" if one.told_at else "service not told yet"
        _print_line(
            f"  REFUSED {_format_timestamp(one.at)}: {size} entries. "
            f"{formats.DISAGREEMENT_REASONS[one.reason]} ({posted})"
        )
    return bool(refused)


def _format_timestamp(at: int | None) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC" if at else "never"
