"""Shared by the benchmark's subjects.

database.py              servers with production settings; a fresh database for each subject
workload_size.py         amounts of data, from environment variables
measurement.py           runs ours and its peers in turn and compares them
bulk_rounds.py           rounds in bulk under each rule pack
controllers.py           controllers with prepared signed batches
web_server.py            a web server, and clients that measure it
celery_workers.py        Celery workers, and a reset of the audit
verify_process.py        verifies a log in its own process
normalised_tables.py     rounds as normalised tables, for the peers
peer_implementations.py  settlement by ORM loop, SQL, DuckDB and Polars
"""
