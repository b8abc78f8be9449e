from django.apps import AppConfig


class ClosuresConfig(AppConfig):
    name = "compliance.closures"
    label = "closures"

    def ready(self) -> None:
        from compliance.closures import needs, recorded
        from compliance.signs.offers import Action, register_actions, register_face, register_needs

        recorded.register()
        register_needs(needs.needs)
        register_face(needs.face)
        register_actions(Action("Close or open the table", "closures:table", 20))
