"""All tests of the service, against real PostgreSQL, Valkey, Celery and Chromium.

The folders mirror the source tree. In addition:

contracts/    properties of the whole project: permission matrix, query costs, exports, layers
browser/      journeys of people, in Chromium
concurrency/  real commits, threads and processes
operations/   the launcher, killed and restarted; upgrades from earlier releases
drills/       long runs: crashes, tampering, intruders, fuzzing, load, clocks
bench/        benchmarks against peer implementations

servers.py, run_preparation.py, template_database.py   servers and files made once a run
fixture_snapshots.py, snapshot_databases.py            fixtures cached as database snapshots
chromium.py, pdf_signatures.py, pdf_text.py            helpers
"""
