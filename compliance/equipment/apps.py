from django.apps import AppConfig


class EquipmentConfig(AppConfig):
    name = "compliance.equipment"
    label = "equipment"

    def ready(self) -> None:
        from compliance.equipment import kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_records()
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
