from tests.compliance.transparency.ledger_pages.conftest import committed_floor, floor, own_folders

__all__ = ["committed_floor", "floor", "own_folders"]
