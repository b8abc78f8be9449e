"""Entries and rule packs for the audited key.

bundle_source.py   reads them from an evidence bundle; the EntrySource protocol
api_source.py      fetches them from the service's API
mirror.py          stores the entries locally and verifies them against the last checkpoint
"""
