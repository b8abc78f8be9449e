from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords

__all__ = ["committed_crew", "crew", "quick_passwords"]
