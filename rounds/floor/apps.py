from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "rounds.floor"
    label = "floor"

    def ready(self) -> None:
        from rounds.floor import kinds, reported
        from rounds.ledger.kinds import every_kind
        from rounds.ledger.recorded import register_projection

        kinds.register_records()
        # Apps above this one are ready before it: what they take in is known by now.
        followed = reported.registered_kinds(kind.name for kind in every_kind())
        register_projection("Facts that tables reported", followed, reported.differences)
