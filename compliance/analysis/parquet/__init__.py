"""Wagers and verdicts as Parquet files, for analysis elsewhere, and the settlements recomputed from those files alone.

schema.py      the columns, what each says, and the version of it all
ways.py        by what each wager is settled: by its odds alone, or by something that columns do not tell
terms.py       the rules, boxes and odds behind the wagers, numbered; what they pay, written and worked out again
verdicts.py    what the audit says of the wagers of a stretch
rows.py        a stretch of the log as rows
partitions.py  rows into files, a folder a gaming day, in bounded memory
exporting.py   some gaming days of a casino into a new folder
folder.py      such a folder opened: complete, undamaged, of a version that is known
recomputing.py every settlement in it recomputed, by every processor;  comparing.py  against the verdicts in the files

pyarrow takes a quarter of a second to import: only commands and tasks reach these modules.
"""
