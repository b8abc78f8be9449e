"""Any sequence of appends, rollbacks, corrections, checkpoints and consumer runs."""

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.consumer import consume, read_entries
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.writing.append import NewEntry, append, correct
from rounds.transparency_log.formats.signed_note import open_checkpoint
from rounds.transparency_log.tree.merkle import root_of
from tests.drills.call_sequences.state_machine import LOG, ServiceCallMachine, size_of_log
from tests.rounds.ledger import harbour_log

TEXTS = st.text(max_size=20)
# The one character that PostgreSQL cannot store: the whole batch is refused.
NUL = "\0"
NONSENSE = [b"", b"[]", b"{", b'{"a": NaN}', b'{"a": 1, "a": 2}', b"\xff", b'{"a": 9007199254740993}']


class GaveUp(Exception):
    """The caller's transaction fails after the append."""


class AnyLedger(ServiceCallMachine):
    """`bodies`: what was recorded, in order; `handed`: what a consumer got; `signed`: the size of each checkpoint."""

    name = "ledger"

    def begin(self) -> None:
        harbour_log.opened()
        self.now = harbour_log.OPENED_AT
        self.bodies: list[bytes] = []
        self.corrected: set[int] = set()
        self.handed: list[int] = []
        self.signed: dict[int, bytes] = {}

    def _entries(self, texts: Sequence[str]) -> list[NewEntry]:
        first = len(self.bodies)
        return [
            NewEntry(
                kind="test-round",
                body=json.dumps({"round": f"R{first + place}", "said": text}).encode(),
                table="SB-7",
                controller="shaker-7",
                sequence=first + place,
            )
            for place, text in enumerate(texts)
        ]

    @rule(texts=st.lists(TEXTS, max_size=30), minutes=st.integers(0, 90))
    def record_some(self, texts: list[str], minutes: int) -> None:
        self.now += timedelta(minutes=minutes)
        entries = self._entries(texts)
        receipts = self.attempt(lambda: harbour_log.record_all(entries, now=self.now))
        assert (receipts is None) == any(NUL in text for text in texts)
        if receipts is None:
            return
        assert [receipt.index for receipt in receipts] == list(range(len(self.bodies), len(self.bodies) + len(texts)))
        self.bodies += [entry.body for entry in entries]

    @rule(texts=st.lists(TEXTS, min_size=1, max_size=5))
    def record_and_give_up(self, texts: list[str]) -> None:
        def act() -> None:
            with transaction.atomic():
                append(LOG, self._entries(texts), self.now)
                raise GaveUp

        with suppress(GaveUp):
            self.attempt(act)
        assert size_of_log() == len(self.bodies), "A caller that gave up left a hole."

    @rule(body=st.sampled_from(NONSENSE))
    def record_nonsense(self, body: bytes) -> None:
        entry = NewEntry(kind="test-round", body=body, table="SB-7", controller="shaker-7", sequence=10**6)
        assert self.attempt(lambda: harbour_log.record_all([entry], now=self.now)) is None

    @rule(index=st.integers(0, 200))
    def take_back(self, index: int) -> None:
        body = {"reason": "Entered twice.", "by": "supervisor"}

        def act() -> object:
            with transaction.atomic():
                return correct(LOG, index, body, self.now)

        done = self.attempt(act)
        assert (done is not None) == (index < len(self.bodies) and index not in self.corrected)
        if done is not None:
            self.corrected.add(index)
            [entry] = read_entries(LOG, len(self.bodies), len(self.bodies) + 1)
            self.bodies.append(entry.body)

    @rule()
    def sign(self) -> None:
        note = harbour_log.sign(now=self.now)
        head = open_checkpoint(note, verifier_key_for(LOG)).head
        assert head.size == len(self.bodies)
        assert self.signed.setdefault(head.size, note) == note, "One size was signed twice."

    @rule()
    def follow_on(self) -> None:
        def take(entries: Sequence[LogEntry]) -> None:
            self.handed += [entry.index for entry in entries]

        consume("any-sequence", LOG, take)

    @invariant()
    def nothing_is_lost_or_changed(self) -> None:
        entries = list(read_entries(LOG, 0, len(self.bodies) + 1))
        assert [entry.index for entry in entries] == list(range(len(self.bodies)))
        assert [entry.body for entry in entries] == self.bodies

    @invariant()
    def followers_get_each_entry_once_and_in_order(self) -> None:
        assert self.handed == list(range(len(self.handed)))

    def teardown(self) -> None:
        entries = list(read_entries(LOG, 0, len(self.bodies)))
        for size, note in self.signed.items():
            root = root_of([entry.leaf_sha256 for entry in entries[:size]])
            assert open_checkpoint(note, verifier_key_for(LOG)).head.root == root
        super().teardown()
