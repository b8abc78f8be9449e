from django.apps import AppConfig


class ConductConfig(AppConfig):
    name = "compliance.conduct"
    label = "conduct"

    def ready(self) -> None:
        from compliance.conduct.models import ConductAct
        from compliance.conduct.sorts import SORTS
        from compliance.patrons.commitments import register_carrier
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from rounds.ledger.kinds import register_kind
        from rounds.ledger.recorded import register_record

        for sort in SORTS.values():
            register_kind(sort.kind, sort.meaning)
            register_record(sort.kind, ConductAct.recorded_between)
            register_carrier(sort.kind)
        register(NavItem("Conduct", "conduct:casinos", 24, covers=r"/casinos/[^/]+/conduct/", group="records"))
        help.register(
            help.HelpPage(
                "conduct",
                "Conduct: refusals, exclusions, invalid outcomes",
                "Recording what was refused, voided, invalidated or forfeited, and why.",
                "Supervisors, shift managers and inspectors",
                order=44,
            )
        )
