from tests.compliance.accounts.conftest import quick_passwords
from tests.compliance.disputes.floor import Floor, floor

__all__ = ["Floor", "floor", "quick_passwords"]
