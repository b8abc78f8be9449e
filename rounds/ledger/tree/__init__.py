"""The RFC 6962 Merkle tree: hashes and proofs, the tiles it is stored in, and how PostgreSQL holds them."""
