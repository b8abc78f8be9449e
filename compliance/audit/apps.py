from collections.abc import Mapping, Sequence

from django.apps import AppConfig

from rounds.rulepacks.violation_cases import ViolationCase


def read_proofs(slug: str) -> Mapping[str, Sequence[ViolationCase]]:
    """Imported when needed: evaluating cases imports every check."""
    from compliance.audit.run.violation_cases import proven_clauses

    return proven_clauses(slug)


class AuditConfig(AppConfig):
    name = "compliance.audit"
    label = "audit"

    def ready(self) -> None:
        from compliance.audit import health, verify
        from compliance.audit.pages import help_page
        from compliance.audit.projections.rounds import IntakeRounds
        from compliance.core.web import help_pages
        from compliance.core.web.ui import navigation, precheck
        from rounds.intake.services.line_projections import register_line_projection
        from rounds.rulebook.packs import clause_coverage

        clause_coverage.register_proofs(read_proofs)
        precheck.register_evaluator("compliance.audit.prediction.evaluator.AuditEvaluator")
        register_line_projection(IntakeRounds())
        verify.register_verification()
        health.register_checks()
        help_pages.register_pages(help_page.FINDINGS_PAGE)
        navigation.register_items(
            navigation.NavItem("Findings", "audit:casinos", 30, covers=r"/casinos/[^/]+/findings/", group="records")
        )
