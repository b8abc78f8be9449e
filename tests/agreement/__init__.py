"""Agreement between the pre-check and the audit: random acts through the real services, predicted and then audited.

`make test` runs a seeded sample; `make agree` runs many more examples (EXAMPLES and STEPS).
"""
