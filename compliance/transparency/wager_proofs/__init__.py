"""Proof of a single wager for the patron who made it, without revealing any other.

A round's entry can only be shown whole. So a worker commits to every wager separately, shortly after its round: one
entry `wagers-committed` for a range of rounds, with the root of a Merkle tree over rounds and their wagers. Every wager
is hashed with its own salt, so that the neighbouring hashes cannot be guessed.

consumer.py     commits to the wagers of new rounds
tasks.py        Celery task that runs it
verify.py       recomputes every commitment (verify_ledger)
models.py       Commitment, Proof, Withdrawal
services.py     make and withdraw a proof, each recorded as an entry
selectors.py    proofs of a casino; a proof by its code
entry_kinds.py  kinds, rows and projections
forms.py        filter, code and withdrawal
errors.py       refusals
proof_file/     tree, statements, JSON file, text and PDF of a proof
offline/        verify_wager.py, the offline verifier; the page runs the same check
views/          make and list (staff), check (public)
"""
