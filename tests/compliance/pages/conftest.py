from tests.compliance.core.accounts.conftest import cast, quick_passwords
from tests.rounds.intake.conftest import crew, feeder

__all__ = ["cast", "crew", "feeder", "quick_passwords"]
