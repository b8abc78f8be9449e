"""Pure functions on rule packs for commands and pages. No Django.

pack_sources.py      packs to work on; rules by name, such as `nsw-sic-bo@1+even=every-even-total`
diff.py              differences between two packs or readings
clause_coverage.py   which clauses are implemented, planned or not automated
plain_text.py        wagers, limits and disputes in plain language
house_edge_rows.py   house edges grouped into rows
formatting.py        text columns, percentages, JSON lines, closed pipes
"""
