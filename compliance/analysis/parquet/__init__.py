"""Export of wagers and verdicts as Parquet files, and the settlements recomputed from those files alone.

schema.py            the columns, their descriptions, the format version
export_days.py       exports gaming days of a casino into a new folder
rows.py              a range of the log as rows
audit_verdicts.py    the audit's verdicts on the wagers of a range
settlement_basis.py  what decides each wager: its odds alone, or something that columns do not hold
payout_terms.py      rules, boxes and odds behind the wagers, and what they pay
partitions.py        writes rows into files, one folder per gaming day, in bounded memory
read_folder.py       opens an export folder and verifies it against its manifest
recompute.py         recomputes every settlement of a folder, on all processors
compare_verdicts.py  compares the recomputed settlements with the verdicts in the files
cli_output.py        output of `manage.py audit --parquet`
help_page.py         the help page "analysis"

pyarrow takes a quarter of a second to import, so only commands and tasks import these modules.
"""
