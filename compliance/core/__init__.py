"""The base layer: the web kit (web) and people with their roles (accounts). The only part of compliance that
rounds may import.
"""
