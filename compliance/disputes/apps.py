from django.apps import AppConfig


class DisputesConfig(AppConfig):
    name = "compliance.disputes"
    label = "disputes"

    def ready(self) -> None:
        from compliance.disputes import kinds
        from compliance.disputes.guide import PAGE
        from compliance.disputes.kept import register_kept
        from compliance.disputes.models import Dispute, OwnProcedure, ServiceLevel, Step
        from compliance.patrons.commitments import register_carrier
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from rounds.ledger.recorded import register_record

        register_carrier(kinds.LOGGED)
        register_kept()
        register_record(kinds.LOGGED, Dispute.recorded_between)
        for kind in kinds.STEPS:
            register_record(kind, Step.recorded_between)
        register_record(kinds.SERVICE_LEVEL, ServiceLevel.recorded_between)
        register_record(kinds.OWN_PROCEDURE, OwnProcedure.recorded_between)
        register(NavItem("Disputes", "disputes:casinos", 40, covers=r"/casinos/[^/]+/disputes/", group="records"))
        help.register(PAGE)
