from django.apps import AppConfig


class RulebookConfig(AppConfig):
    name = "rounds.rulebook"
    label = "rulebook"

    def ready(self) -> None:
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from rounds.ledger.attached import register_packs
        from rounds.ledger.kinds import register_kind
        from rounds.ledger.recorded import register_projection, register_record
        from rounds.rulebook import guide
        from rounds.rulebook.bytes_kept import bytes_differ
        from rounds.rulebook.models import APPROVED, PROPOSED, RULED, WITHDRAWN, acts_between
        from rounds.rulebook.selectors import packs_before

        register(
            NavItem(
                "Calculator", "rulebook:calculator-casinos", 35, covers=r"/casinos/[^/]+/calculator/", group="rules"
            ),
            NavItem("Rulebook", "rulebook:casinos", 40, covers=r"/casinos/[^/]+/rulebook/", group="rules"),
        )
        help.register(guide.PAGE, guide.VERSIONS_PAGE, guide.CALCULATOR_PAGE)
        register_kind(PROPOSED, "A rule pack with its readings and source document was proposed as a rule version.")
        register_kind(RULED, "An inspector ruled how a clause is read; once approved, this is a rule version.")
        register_kind(APPROVED, "A second person approved a rule version from an instant on.")
        register_kind(WITHDRAWN, "A rule version was withdrawn before it took effect.")
        for kind in (PROPOSED, RULED, APPROVED, WITHDRAWN):
            register_record(kind, acts_between)
        register_projection("rule packs and documents", [PROPOSED, RULED], bytes_differ)
        register_packs("rulebook", packs_before)
