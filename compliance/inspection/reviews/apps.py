from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "compliance.inspection.reviews"
    label = "reviews"

    def ready(self) -> None:
        from compliance.audit.entry_kinds import FINDING
        from compliance.core.web import help_pages
        from compliance.core.web.ui import record_notes
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.inspection.reviews import corrections
        from compliance.inspection.reviews.verify import verify_rows
        from compliance.inspection.reviews.views import help_page
        from compliance.inspection.reviews.views.finding_notes import FindingNotes
        from rounds.ledger import register_projection

        register_projection("reviews of findings", [FINDING], verify_rows)
        record_notes.register_provider(FindingNotes())
        corrections.register()
        register_items(
            NavItem("Reviews", "reviews:casinos", 28, covers=r"/casinos/[^/]+/reviews/", group="records"),
            NavItem("Questions", "reviews:asked-casinos", 29, covers=r"/casinos/[^/]+/questions/", group="records"),
        )
        help_pages.register_pages(help_page.PAGE)
