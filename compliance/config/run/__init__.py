"""`make run`: the launcher, the embedded PostgreSQL and Valkey, and child processes."""
