from tests.compliance.tables.equipment.conftest import committed_floor, floor
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords

__all__ = ["committed_crew", "committed_floor", "crew", "floor", "quick_passwords"]
