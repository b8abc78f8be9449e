from tests.bench.__main__ import format_cells, format_table
from tests.bench.support.measurement import Case, at_least, at_most, figure_of, measure


def test_ours_and_its_peers_take_turns_and_are_compared_run_by_run() -> None:
    asked: list[str] = []
    figures = {"ours": iter([30.0, 80.0, 40.0]), "loop": iter([10.0, 20.0, 20.0])}

    def way(name: str) -> float:
        asked.append(name)
        return next(figures[name])

    case = Case(
        "audit",
        "wagers/s",
        ours=lambda: way("ours"),
        peers={"loop": lambda: way("loop")},
        aims={"loop": at_least(3)},
        figure=figure_of,
        prepare=lambda: asked.append("prepared"),
    )
    [line] = measure(case, 3)
    assert asked == ["prepared", "ours", "prepared", "loop"] * 3
    # 30 to 10, 80 to 20, 40 to 20: three, four and two times as much.
    assert (line.ours, line.theirs, line.ratio, line.spread, line.is_met) == (40, 20, 3, (2, 4), True)
    assert format_cells(line) == ("audit", "40 wagers/s", "loop", "20", "3x", "2–4", "≥ 3", "yes")


def test_an_aim_that_is_missed_shows() -> None:
    case = Case(
        "page",
        "ms",
        ours=lambda: 301,
        peers={"limit": lambda: 200, "before": lambda: 300.0},
        aims={"limit": at_most(1.5)},
        figure=figure_of,
    )
    lines = measure(case, 1)
    assert [line.is_met for line in lines] == [False, None]
    assert format_table(lines) == [
        "what  ours    peer    theirs  ratio  spread   aim    met",
        "page  301 ms  limit   200     1.5x   1.5–1.5  ≤ 1.5  NO",
        "page  301 ms  before  300     1x     1–1",
    ]
