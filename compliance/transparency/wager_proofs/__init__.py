"""One wager proved to the patron who made it, without showing any other.

A round's entry can only be shown whole. So a worker commits to every wager by itself, some moments after its round:
one entry `wagers-committed` for a stretch of rounds, whose root leads to each round and on to each of its wagers. Every
wager is hashed with a salt of its own, so that nobody can guess what stands beside theirs.

verify_wager.py  how a wager leads to the root, and the offline check of a proof; the page's check is the same
stating.py       what is said of one wager: its own words and the round's, nobody else's
tree.py          salts, leaves and nodes of one round
committing.py    the worker: each stretch of rounds once;  tasks.py  its bell
comparing.py     every commitment worked out again (verify_ledger)
settling.py      what the rules give for the wager and what the audit found: stated beside the proof, no part of it
proving.py       the proof file of one wager, from what is stored
services.py      making a proof and withdrawing it, each an entry
telling.py       a proof in words, for the page and for paper;  printing.py  the sheet for the patron
verifier.py      the offline check as one file
views/           making and listing (for staff), the check (for anybody)
"""
