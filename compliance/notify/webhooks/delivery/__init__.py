"""Delivery of messages.

worker.py              claims, sends, records, retries, gives up
payloads.py            an entry as JSON message
message_signature.py   signing key, and the headers of Standard Webhooks
http_client.py         one POST to a checked address; no database
address_policy.py      which addresses may be called; pure
"""
