from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "compliance.reviews"
    label = "reviews"

    def ready(self) -> None:
        from compliance.reviews import guide, kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_records()
        register(
            NavItem("Reviews", "reviews:casinos", 28, covers=r"/casinos/[^/]+/reviews/", group="records"),
            NavItem("Questions", "reviews:asked-casinos", 29, covers=r"/casinos/[^/]+/questions/", group="records"),
        )
        help.register(guide.PAGE)
