"""Oversight on top of the recorded facts in `rounds`: checks, findings, people's records, reports, publication.

core          base layer: web kit, people and roles; the only part that `rounds` may import
audit         recomputes every settlement, runs the checks, records findings and coverage
analysis      statistics of dice and payouts, rules applied to history, export of wagers as Parquet
disputes      patrons' disputes: steps, decisions, deadlines, letters
tables        duties at the tables: signs, limit notices, closures, equipment, player conduct
inspection    reviews of findings; checklists: samples of rounds, rule documents signed off clause by clause
notify        alerts to people, webhooks to other systems, saved views of lists
privacy       personal data and its retention; log of who saw or exported what
reports       signed reports and dashboards
transparency  ledger pages and bundles, wager proofs, witnesses, recovery after a restore
api           read-only API for inspectorates' own systems
pages         pages that combine several apps: home, search, floor, table, round, replay
config        settings, urls, Celery, backups, and the launcher behind `make run`
"""
