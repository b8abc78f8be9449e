"""Titles of the items of terms, for the wizard pages and the published sections."""

ITEM_TITLES = {
    "name": "Name of the promotion",
    "place-date-and-time-of-promotion": "Where and when the promotion runs",
    "manner-of-award": "How the prizes are awarded",
    "when-and-where-awarded": "When and where the prizes are awarded",
    "eligibility": "Who can win",
    "minimum-wager": "Minimum or compulsory wager",
    "nature-and-qualifications": "What the prize is, and what is or is not guaranteed",
    "closing-of-entries": "When entries close",
    "method-of-claiming": "How to claim a prize",
    "notification-of-winner": "How winners are told",
    "publication-of-results": "How results are published",
    "prizes-and-values": "Prizes",
    "scrutineer": "Scrutineer",
}


def section_title(item: str) -> str:
    """An item of a new rule pack that has no title here gets the pack's own word."""
    return ITEM_TITLES.get(item, item.replace("-", " ").capitalize())
