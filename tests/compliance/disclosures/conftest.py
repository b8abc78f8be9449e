from tests.compliance.patrons.conftest import cast, more, quick_passwords

__all__ = ["cast", "more", "quick_passwords"]
