from django.apps import AppConfig


class SavedViewsConfig(AppConfig):
    name = "compliance.notify.saved_views"
    label = "saved"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.mail.outbox import register_purposes
        from compliance.core.web.ui import saved_view_slot
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.notify.saved_views import help_page
        from compliance.notify.saved_views.filter_panel import build_panel
        from compliance.notify.saved_views.subscriptions.emails import PURPOSE

        saved_view_slot.register_provider(build_panel)
        register_purposes(PURPOSE)
        register_items(NavItem("Your views", "saved:casinos", 5, place="account", covers=r"/casinos/[^/]+/views/"))
        help_pages.register_pages(help_page.PAGE)
