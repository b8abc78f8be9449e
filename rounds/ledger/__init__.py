"""The append-only, tamper-evident log of a casino: entries are appended and never changed or removed.

This package is the public interface of the ledger. Other packages import `rounds.ledger` or one of its
sub-packages, never a module inside: the modules may be moved and changed. The names are listed in `__init__.pyi`
and loaded lazily by lazy_loader, so that importing one of them does not import the models before Django is ready.

The usual calls: `append` (last statement of a transaction), `write_row` (a row together with its entry), `consume_all`
(each entry once, in order), `search_entries`, `register_kind`, `register_rows` and `register_projection` (what
`verify_ledger` compares), `verify_log`.

Sub-packages:

* ``writing``      entry kinds, append, group commit of concurrent requests, rows written with their entry
* ``readers``      consumers with cursors, search and its index, controllers' sequence numbers
* ``proofs``       proof of a single entry, step by step or as a file; proofs of a batch of receipts
* ``signing``      checkpoints, keys, and the copies kept outside the database
* ``maintenance``  rare operations: rotate the key, halt a damaged log, begin a new epoch
* ``verify``       verify_ledger: reads a log again and compares everything derived from it
* ``export``       evidence bundles: a range or selection of entries as a folder that can be checked offline
* ``offline``      the programs that check evidence offline; standard library only
* ``formats``      byte formats, without a database: leaf, strict JSON, signed notes, cosignatures, proof files
* ``tree``         the RFC 6962 Merkle tree and its tiles, without a database

Modules that are also part of the interface, as in `from rounds.ledger import storage`:

* ``errors``       LedgerError and its subclasses: a code, a field, a sentence
* ``read_only``    whether a log is halted, and the refusal that writers get
* ``storage``      reads logs, tree heads, roots and proofs from the database
* ``models``       the tables; other apps only read them
* ``tasks``        Celery tasks: sign every minute, verify every day, update the search index

Private modules: ``entry`` (LogEntry), ``registry`` (rows and projections that `verify_ledger` compares with their
entries), ``health`` (checks of the status page).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
