"""Sending messages: the worker with its retries, payloads, signatures, the HTTP client, and which addresses may be
called.
"""
