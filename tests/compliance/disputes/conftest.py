from tests.compliance.core.accounts.conftest import quick_passwords
from tests.compliance.disputes.disputed_round import Floor, floor

__all__ = ["Floor", "floor", "quick_passwords"]
