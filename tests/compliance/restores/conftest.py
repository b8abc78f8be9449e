from tests.compliance.evidence.conftest import committed_floor, floor, own_folders

__all__ = ["committed_floor", "floor", "own_folders"]
