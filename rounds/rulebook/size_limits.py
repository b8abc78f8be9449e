"""Size and time limits of proposals and the pack editor. Imports nothing: the editor's worker process loads it."""

ANALYSIS_TIMEOUT_SECONDS = 8.0
# Five times the largest pack that ships with the product.
MAX_TEXT_BYTES = 256 * 1024
MAX_SOURCE_BYTES = 10 * 1024 * 1024
MAX_PACK_BYTES = 1024 * 1024
