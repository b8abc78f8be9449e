from django.apps import AppConfig


class EquipmentConfig(AppConfig):
    name = "compliance.equipment"
    label = "equipment"

    def ready(self) -> None:
        from compliance.equipment import kinds, needs
        from compliance.signs.offers import Action, register_actions, register_face, register_needs
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_records()
        register_needs(needs.needs)
        register_face(needs.face)
        register_actions(Action("Equipment: faults, trials, dice", "equipment:table", 40))
        register(NavItem("Equipment", "equipment:casinos", 22, covers=r"/casinos/[^/]+/equipment/"))
        help.register(
            help.HelpPage(
                "equipment",
                "Equipment: faults, inspections, dice",
                "What stops play and how it returns; inspections, dice and shakers, cards, chips without value.",
                "Supervisors, shift managers and inspectors",
                order=42,
            )
        )
