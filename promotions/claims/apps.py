from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    name = "promotions.claims"
    label = "claims"

    def ready(self) -> None:
        from compliance.privacy.personal_data.verify import register_personal_data_kind
        from promotions.claims import corrections
        from promotions.claims.entry_kinds import CLAIM, DECIDED

        corrections.register()
        register_personal_data_kind(CLAIM)
        register_personal_data_kind(DECIDED)
