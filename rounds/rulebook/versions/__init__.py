"""Life cycle of a rule version: draft, proposal, approval with the house-edge gate, withdrawal, comparison with
the ledger, demo data. Keep this __init__ free of imports: the editor's subprocess loads approval_gate without
Django.
"""
