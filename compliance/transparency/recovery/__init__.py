"""Recovery after a restore: what is known about a read-only log, and the statement with which it continues.

models.py        EpochBegun: the entry with which a log continues
log_state.py     the log's size, the newest checkpoint outside, the lines that controllers still have
services.py      begin_epoch, submit_checkpoint
selectors.py     who may see a log's state and who may begin its epoch
banners.py       the banner on every page while a log is read-only
entry_kinds.py   registers the rows of EpochBegun
forms.py, views.py, errors.py

The ledger itself halts logs and begins epochs: `rounds.ledger.maintenance`.
"""
