"""Facts: what machines and people reported, the rules they are settled under, and the ledger that stores both.

The layer below `compliance`. Except for the simulator, `rounds` imports `compliance.core` and nothing else of it
(import-linter enforces this).

engine/             pure functions: rule packs, settlement of wagers, odds
rulepacks/          the rule packs that ship with the service, as data files
transparency_log/   pure functions over bytes: Merkle tree, entry and note formats, offline verifiers
ledger/             the append-only, tamper-evident log that every other app writes to
intake/             the controllers' API and manual entry: parses, authenticates and records rounds
rulebook/           rule versions: propose, approve, compare, try out
floor/              casinos, tables and their configuration
simulator/          plays rounds with and without faults, for demonstrations and tests
witness/            the inspectorate's own program: cosigns checkpoints and recomputes settlements independently
"""
