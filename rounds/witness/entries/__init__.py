"""Entries and rule packs for the audited key: from a bundle, from the service's API, and the local mirror of them."""
