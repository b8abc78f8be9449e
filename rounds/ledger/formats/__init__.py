"""Byte formats, without a database: leaf, strict JSON, signed notes, cosignatures, proof files, origin names,
salted digests.
"""
