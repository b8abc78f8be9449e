"""Everything that writes entries: entry kinds, append, group commit of concurrent requests, rows written with
their entry.
"""
