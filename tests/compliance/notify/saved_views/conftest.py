from tests.compliance.inspection.reviews.conftest import (
    committed_crew,
    committed_house,
    committed_office,
    crew,
    house,
    office,
    quick_passwords,
)

__all__ = ["committed_crew", "committed_house", "committed_office", "crew", "house", "office", "quick_passwords"]
