from django.apps import AppConfig


class DrawsConfig(AppConfig):
    name = "promotions.draws"
    label = "draws"

    def ready(self) -> None:
        from compliance.privacy.personal_data.verify import register_personal_data_kind
        from promotions.draws import corrections
        from promotions.draws.entry_kinds import WINNER

        corrections.register()
        register_personal_data_kind(WINNER)
