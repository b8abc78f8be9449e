"""The append-only, tamper-evident log of a casino: facts go in, nothing is ever changed.

Pure modules, without a database:

* ``errors``: what a refusal says: a code, the field it is about, one plain sentence.
* ``merkle``: the RFC 6962 tree: hashes, the frontier that appends, and the checks of every kind of proof.
* ``tiles``: the tree as stored tiles of 256 hashes, and the proofs read from them.
* ``notes``: signed notes and checkpoints (C2SP signed-note, tlog-checkpoint), with Ed25519 keys.
* ``tlog_proof``: one entry's proof as a text file (C2SP tlog-proof).
* ``strict_json``: what a record may not contain: refused before anything is locked or stored.
* ``leaves``: an entry's exact leaf bytes: header of server facts, newline, body byte for byte.
* ``bundle``: writes the folder of evidence an inspector takes away.
* ``verify_bundle``: the single-file verifier shipped in that folder; imports nothing of this project.
"""
