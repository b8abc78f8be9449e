"""Signing: checkpoints, the copy outside the database, the log's origin, signatures over timestamps, retired keys."""
