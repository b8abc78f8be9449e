from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "compliance.notices"
    label = "notices"

    def ready(self) -> None:
        from compliance.notices import needs, recorded
        from compliance.signs.offers import Action, register_actions, register_needs

        recorded.register()
        register_needs(needs.needs)
        register_actions(
            Action("Change the limits", "notices:new", 10),
            Action("Limits of one player", "notices:player-limits", 30),
            Action("Warnings under the minimum", "notices:warnings", 40),
        )
