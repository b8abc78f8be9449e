"""The content of a report, independent of its medium: structure, assembly, basis (checkpoint, rule versions, audit
coverage), periods and formatting.
"""
