"""verify_ledger: reads a log again and compares everything derived from its entries.

verify_log.py             the whole verification: splits the log, merges results, returns a Verdict
entry_ranges.py           one range of entries, checked by itself
process_pool.py           checks ranges in parallel processes on one database snapshot
check_tree.py             recomputes the Merkle tree; compares tiles and head
check_checkpoints.py      compares checkpoints and their signed times with the recomputed tree
check_projections.py      compares rows and projections of other apps with the entries
check_epochs.py           compares halts and epochs with their entries
check_database_guards.py  triggers and privileges; also run when a process starts
signing_delay.py          entries that waited too long for a signature
safe_timestamps.py        reads times that Python cannot represent
issues.py                 what does not match, as sentences
history.py                results as entries, and where the next verification continues
verification_requests.py  verifications on request, and their progress
threat_table.py           table of attacks by a database administrator and what detects each
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
