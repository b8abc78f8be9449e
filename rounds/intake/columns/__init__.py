"""How a reported round is encoded into columns. Pure functions; the stored projection is in
compliance/audit/projections.
"""
