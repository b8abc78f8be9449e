"""HTTP of the witness.

http_client.py      client for the service: checkpoints, proofs, cosignatures
server.py           server for add-checkpoint requests (C2SP tlog-witness)
add_checkpoint.py   parser of the request body
"""
