"""Duties at the tables: signs and their displays, notices of changed limits, closures, equipment and custody,
player conduct.
"""
