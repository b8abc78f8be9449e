"""The append-only, tamper-evident log of a casino: entries are appended and never changed or removed.

Other apps import the names in `__init__.pyi`. lazy_loader imports their modules on first use, so that importing one of
them does not import the models before Django is ready. The usual calls: `append` (last statement of a transaction),
`write_row` (a row together with its entry), `consume_all` (each entry once, in order), `search_entries`,
`EntryKind` (defines a kind), `register_projection` (what `verify_ledger` compares), `verify_log`.

The byte formats and the Merkle tree, which need no database, are in `rounds.transparency_log`.

Sub-packages, for packages that operate, publish or check logs; pyproject.toml names the importers of each:

* ``writing``      append, group commit of concurrent requests, rows written with their entry
* ``readers``      consumers with cursors, search and its index, controllers' sequence numbers
* ``proofs``       proof of a single entry, step by step or as a file; proofs of a batch of receipts
* ``signing``      checkpoints, keys, and the copies kept outside the database
* ``maintenance``  rare operations: rotate the key, halt a damaged log, begin a new epoch
* ``verify``       verify_ledger: reads a log again and compares everything derived from it
* ``export``       evidence bundles: a range or selection of entries as a folder that can be checked offline

Modules that have named importers too, as in `from rounds.ledger import storage`:

* ``entry_kinds``  the registry of kinds and the ledger's own kinds; every app may import these
* ``read_only``    whether a log is halted, and the refusal that writers get
* ``storage``      reads logs, tree heads, roots and proofs from the database
* ``models``       the tables; other apps only read them
* ``registry``     rows and projections that `verify_ledger` compares with their entries
* ``tasks``        Celery tasks: sign every minute, verify every day, update the search index

Private modules: ``entry`` (LogEntry), ``errors``, ``health`` (checks of the status page).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
