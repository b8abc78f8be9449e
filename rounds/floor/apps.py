from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "rounds.floor"
    label = "floor"

    def ready(self) -> None:
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from rounds.floor import completed, guide, kinds, reported
        from rounds.ledger.kinds import every_kind
        from rounds.ledger.recorded import register_projection

        kinds.register_records()
        # Apps above this one are ready before it: what they take in is known by now.
        followed = reported.registered_kinds(kind.name for kind in every_kind())
        register_projection("Facts that tables reported", followed, reported.differences)
        register_projection("Acts on the floor", completed.WRITTEN, completed.differences)
        register(NavItem("Floor", "floor:casinos", 20, covers=r"/casinos/[^/]+/(floor|rounds)/"))
        help.register(guide.PAGE)
