from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "compliance.inspection.reviews"
    label = "reviews"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.inspection.reviews import entry_kinds
        from compliance.inspection.reviews.views import help_page

        entry_kinds.register_kinds()
        register_items(
            NavItem("Reviews", "reviews:casinos", 28, covers=r"/casinos/[^/]+/reviews/", group="records"),
            NavItem("Questions", "reviews:asked-casinos", 29, covers=r"/casinos/[^/]+/questions/", group="records"),
        )
        help_pages.register_pages(help_page.PAGE)
