"""HTTP of a witness: the client that asks the service, the add-checkpoint server (C2SP tlog-witness) and its
request body.
"""
