"""After a restore: what is known of a log that is read-only, and the person who says what was lost.

models.py     EpochBegun: the entry with which a log goes on
selectors.py  who may see and who may speak, for which log
standing.py   what is known: the log here, the checkpoint outside, the lines that controllers still hold
services.py   begin_epoch, hand_in
banners.py    what every page says meanwhile

That a log is read-only, and why, is the ledger's own affair: rounds/ledger/maintenance/halt.py and epochs.py.
"""
