"""Controllers for the benchmark: each has a table, a key and a counter, and prepares honest rounds."""

import random
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino
from compliance.inspection.reviews.consumer import consume_findings
from compliance.pages.table_state_consumer import consume_table_entries
from rounds.engine.bets.bet_codes import BET_CODES
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.pack.compiled_rules import compile_rules
from rounds.floor.fact_values import LimitsValue, TableRulesValue
from rounds.floor.public_keys import key_id_of
from rounds.floor.selectors import identify_controller
from rounds.floor.services import assign_table
from rounds.intake.protocol.envelope import encode_line
from rounds.intake.protocol.round import Round, Wager
from rounds.intake.protocol.signature import line_digest, sign_batch
from rounds.intake.protocol.signed_batch import CONTENT_TYPE, SignedBatch
from rounds.intake.services.batches import receive_batch
from rounds.ledger.readers.search_index import index_new_entries
from tests.bench.support.web_server import PreparedRequest
from tests.compliance.audit.house import shifted
from tests.compliance.audit.round_builders import NSW, START, at, build_round, pack_of
from tests.rounds.floor.crew import (
    OPENING,
    Crew,
    adopt_rules,
    new_controller,
    new_table,
    record_table_fact,
    trusted_key,
)

ENTRIES = "/api/v1/entries"
# Number of distinct rounds; then they repeat with later times and other names.
DIFFERENT = 200
ROUNDS_A_BATCH = 500
APART = timedelta(seconds=90)
BEGAN_AT = OPENING + timedelta(days=7)


def public_bytes(secret: Ed25519PrivateKey) -> bytes:
    return secret.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def controllers_at(crew: Crew, count: int, wagers: int = 20, wrong_every: int = 0) -> list["Controller"]:
    """That many tables under the NSW rules, each with a controller whose key two people approved."""
    adopt_rules(crew, NSW)
    return [_controller_at(crew, number, wagers, wrong_every) for number in range(1, count + 1)]


def _controller_at(crew: Crew, number: int, wagers: int, wrong_every: int) -> "Controller":
    secret = Ed25519PrivateKey.from_private_bytes(number.to_bytes(32))
    table, box = new_table(crew, f"sb-{number}"), new_controller(crew, f"box-{number}")
    for fact in (TableRulesValue(rules=NSW), LimitsValue(min=500, max=50_000)):
        record_table_fact(crew, table, fact)
    trusted_key(crew, box, public_bytes(secret))
    assign_table(controller=box, table=table, actor=crew.cora, now=OPENING)
    return Controller(table.slug, box.slug, secret, wagers, wrong_every)


@dataclass
class Controller:
    table: str
    slug: str
    secret: Ed25519PrivateKey
    wagers: int = 20
    # Every n-th round pays its first wager a dollar too much; 0 for none.
    wrong_every: int = 0
    sent: int = 0

    @property
    def key_id(self) -> str:
        return key_id_of(public_bytes(self.secret))

    def next_lines(self, count: int) -> list[bytes]:
        return [self.next_line() for _ in range(count)]

    def next_line(self) -> bytes:
        self.sent += 1
        body = shifted(honest_round(self.sent % DIFFERENT, self.wagers), BEGAN_AT - START + self.sent * APART)
        first, last = body.events[0].at, body.events[-1].at
        wagers = overpay_first(body.wagers) if self.wrong_every and self.sent % self.wrong_every == 0 else body.wagers
        name = f"{self.table}-{self.sent}"
        body = msgspec.structs.replace(body, round=name, gaming_day=first.date(), wagers=wagers)
        return encode_line(kind="round", table=self.table, sequence=self.sent, at=last, body=body)

    def sign(self, lines: Sequence[bytes]) -> PreparedRequest:
        sent_at = datetime.now(UTC).isoformat()
        signature = sign_batch(self.secret, self.key_id, sent_at, lines)
        headers = {
            "Content-Type": CONTENT_TYPE,
            "Fairthrow-Key": self.key_id,
            "Fairthrow-Sent-At": sent_at,
            "Fairthrow-Signature": b64encode(signature).decode(),
        }
        return PreparedRequest(ENTRIES, b"\n".join(lines), headers)

    def received_batch(self, lines: list[bytes], now: datetime) -> SignedBatch:
        """The same batch as intake sees it after parsing the request."""
        signature = sign_batch(self.secret, self.key_id, now.isoformat(), lines)
        return SignedBatch(self.key_id, now.isoformat(), now, signature, lines, [line_digest(line) for line in lines])


def overpay_first(wagers: tuple[Wager, ...]) -> tuple[Wager, ...]:
    first, *others = wagers
    return msgspec.structs.replace(first, verdict="win", returned=(first.returned or 0) + 100), *others


@cache
def honest_round(seed: int, wagers: int) -> Round:
    dice = random.Random(seed)
    outcome = dice.randrange(len(OUTCOMES))
    placed = (honest_wager(dice, outcome, seat) for seat in range(1, wagers + 1))
    return build_round(NSW, OUTCOMES[outcome], *placed)


def honest_wager(dice: random.Random, outcome: int, seat: int) -> Wager:
    code, stake = dice.choice(usual_bets()), 500 * dice.randint(1, 8)
    pay = compile_rules(pack_of(NSW)).bets[code].by_outcome[outcome]
    return Wager(
        id=f"w{seat}",
        seat=1 + seat % 500,
        bet=code,
        stake=stake,
        tender="value-chips",
        placed_at=at(20),
        verdict="lose" if pay is None else "win",
        returned=0 if pay is None else stake + int(stake * pay.odds),
    )


@cache
def usual_bets() -> tuple[str, ...]:
    """Bets that every NSW table offers."""
    pack = pack_of(NSW)
    optional = {str(bet) for wager in pack.law.wager.values() if wager.is_optional for bet in wager.bets}
    return tuple(code for code in BET_CODES if code in compile_rules(pack).bets and code not in optional)


def receive_rounds(controllers: Sequence[Controller], rounds: int) -> None:
    """Receives that many rounds in all, as signed batches. The caller runs the consumers."""
    receive_batches(prepare_batches(controllers, rounds))


def prepare_batches(controllers: Sequence[Controller], rounds: int) -> Iterator[tuple[SignedBatch, datetime]]:
    """That many rounds in all, as signed batches with the time at which each arrives."""
    while rounds > 0:
        for controller in controllers:
            lines = controller.next_lines(min(ROUNDS_A_BATCH, rounds))
            rounds -= len(lines)
            if not lines:
                return
            # On the day of play, or each batch would be late.
            now = BEGAN_AT + (controller.sent + 1) * APART
            yield controller.received_batch(lines, now), now


def receive_batches(batches: Iterable[tuple[SignedBatch, datetime]]) -> None:
    for batch, now in batches:
        key = identify_controller(batch.key_id, now)
        assert key is not None
        receive_batch(batch=batch, key=key, now=now)


def run_consumers(log: str = "harbour") -> None:
    """Runs what the workers run moments after entries arrive."""
    for _ in audit_log(Casino.objects.get(slug=log)):
        pass
    while index_new_entries(log):
        pass
    consume_findings([log])
    consume_table_entries()
