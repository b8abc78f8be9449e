from tests.rounds.intake.conftest import crew, quick_passwords

__all__ = ["crew", "quick_passwords"]
