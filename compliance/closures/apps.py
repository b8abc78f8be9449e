from django.apps import AppConfig


class ClosuresConfig(AppConfig):
    name = "compliance.closures"
    label = "closures"

    def ready(self) -> None:
        from compliance.closures import kinds, needs
        from compliance.closures.models import Closure, ClosureStep
        from compliance.signs.offers import Action, register_actions, register_face, register_needs
        from rounds.ledger.recorded import register_record

        register_record(kinds.CLOSURE, Closure.recorded_between)
        register_record(kinds.CLOSURE_ENDED, ClosureStep.recorded_between)
        register_needs(needs.needs)
        register_face(needs.face)
        register_actions(Action("Close or open the table", "closures:table", 20))
