"""The append-only, tamper-evident log of a casino: facts go in, nothing is ever changed.

Pure modules, without a database:

* ``errors``: what a refusal says: a code, the field it is about, one plain sentence.
* ``merkle``: the RFC 6962 tree: hashes, the frontier that appends, and the checks of every kind of proof.
* ``tiles``: the tree as stored tiles of 256 hashes, and the proofs read from them.
* ``notes``: signed notes and checkpoints (C2SP signed-note, tlog-checkpoint), with Ed25519 keys.
* ``post_cosignatures``: what witnesses sign (C2SP tlog-cosignature), and their statements of disagreement.
* ``tlog_proof``: one entry's proof as a text file (C2SP tlog-proof).
* ``strict_json``: what a record may not contain: refused before anything is locked or stored.
* ``leaves``: an entry's exact leaf bytes: header of server facts, newline, body byte for byte.
* ``personal``: salted digests, which stand in entries for personal data.
* ``bundle``: writes the folder of evidence an inspector takes away.
* ``verify_bundle``: the verifier that is shipped in it, of parts in ``offline``, which need the standard library alone;
  ``standalone`` joins such modules into one file, and ``verifier`` has that one.
* ``attacks``: what an administrator of the database could do, what finds it, and how soon.

What other apps use:

* ``kinds``: which kinds of entries there are.
* ``appending``: ``append`` as the last statement of a transaction; ``correct``; ``open_log``.
* ``combining``: ``submit`` for the requests of one web process that wait for the same log.
* ``numbered``: the entries that a controller numbered, found by its numbers; which numbers are missing.
* ``receipts``: receipts proved at once: a checkpoint that covers them, and each one's place in it.
* ``following``: each entry handed to a higher app once, in order.
* ``searching``: entries by table, round, kind, time and person; ``mentions`` notes which rounds and people they name.
* ``proving``: one entry checked step by step, to be shown; its proof as a file.
* ``stored``: roots and proofs, read from the database.
* ``checkpoints``: ``sign_log``, and the verifier key; ``keeping`` has the last checkpoint outside the database.
* ``read_only``: that a log takes nothing more, and the refusal; ``halting`` finds out by comparing it with what is
  known outside; ``epochs`` lets it go on, under a new name (``names``, ``origins``).
* ``rotating``: ``rotate_key``; ``retired_keys`` has those of before, each believed up to where it ended.
* ``exporting``: evidence out of the database, as a bundle; ``attached`` has the rule packs that go with it.
* ``rows``: ``write_row``: a row of another app together with the entry that it stands for.
* ``recorded``: where apps register the rows and projections that must agree with their entries.
* ``verified``: results of verifications as entries, and where the next one goes on; ``verifying``: those under way.

Keeping it true: ``guards`` attacks the ledger when a process starts; ``verification`` reads everything again in
``stretches``, which ``sharing`` divides among processes, and joins them (``recomputing`` the tree, ``signed_heads``
the checkpoints, ``comparing`` the rows of other apps, ``epoch_rows`` those of halts and epochs); ``misfits`` has the
words for it; ``tasks`` signs every minute and verifies every day; ``health`` tells the status page; ``progress`` is the
bar that long commands show.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
