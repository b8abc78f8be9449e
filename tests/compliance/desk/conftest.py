from tests.compliance.accounts.conftest import cast, quick_passwords

__all__ = ["cast", "quick_passwords"]
