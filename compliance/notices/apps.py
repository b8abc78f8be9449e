from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "compliance.notices"
    label = "notices"

    def ready(self) -> None:
        from compliance.notices import kinds, needs
        from compliance.notices.models import LimitNotice, NoticeStep, PlayerLimit, UnderMinimumWarning
        from compliance.signs.offers import Action, register_actions, register_needs
        from rounds.ledger.recorded import register_record

        register_record(kinds.NOTICE, LimitNotice.recorded_between)
        for kind in (kinds.IN_FORCE, kinds.WITHDRAWN, kinds.LAPSED):
            register_record(kind, NoticeStep.recorded_between)
        register_record(kinds.PLAYER_LIMIT, PlayerLimit.recorded_between)
        register_record(kinds.WARNING, UnderMinimumWarning.recorded_between)
        register_needs(needs.needs)
        register_actions(
            Action("Change the limits", "notices:new", 10),
            Action("Limits of one player", "notices:player-limits", 30),
            Action("Warnings under the minimum", "notices:warnings", 40),
        )
