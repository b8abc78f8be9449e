"""The casino floor as dated facts: tables, terminals, table controllers with their keys, and what held at any instant.

models/            Table, Terminal, Controller, ControllerTable, ControllerKey, Fact, FactRetraction; never rewritten
entry_kinds.py     the kinds of ledger entries that the floor writes
fact_catalogue.py  the catalogue of all facts: name, label, subject, value type, which rule packs have it
fact_values.py     the value of each fact, as a strict msgspec struct
facts/             derived from facts: values over a period, gaming days, rule breaches, values as text
services/          every write on the floor
permissions.py     which roles may read and write;  errors.py  the refusals of the services
selectors.py       reads for other apps: facts_at, version_for; identify_controller for intake
verify_entries.py  compares retired, ended, approved and revoked rows with their ledger entries
public_keys.py     parses pasted Ed25519 public keys
pages/             views and forms;  urls.py;  help_page.py  the help page
demo.py            tables, facts and controllers of the demo casinos
"""
