"""What the commands settle and rulebook run: settling JSON lines from a pipe, checking pack files, listing packs."""
