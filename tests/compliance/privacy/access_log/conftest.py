from tests.compliance.privacy.personal_data.conftest import cast, more, quick_passwords

__all__ = ["cast", "more", "quick_passwords"]
