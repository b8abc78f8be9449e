"""Texts about a weighted sample: its weights, and its estimates for all rounds."""

from compliance.core.web.ui.components import Column, DataTable
from compliance.inspection.checklists.models import Sample
from compliance.inspection.checklists.sampling.estimates import SampleResults
from compliance.inspection.checklists.sampling_factors import BASE_WEIGHT

ESTIMATE_UNKNOWN = (
    "Not known before every round of the sample was looked at. The share so far is not that of all rounds."
)


def estimate_text(results: SampleResults) -> str:
    """Not the proportion in the sample: rounds of higher weight are over-represented there."""
    if results.estimate is None or results.estimated_share is None or results.interval is None:
        return ESTIMATE_UNKNOWN
    number = min(round(results.estimate), results.population)
    if results.drawn == results.population:
        return f"{number:,} of {results.population:,} are not in order. Every round was looked at."
    low, high = results.interval
    return (
        f"About {number:,} of {results.population:,} ({float(results.estimated_share):.1%}) would not be in order, "
        "each round counted for as many as it stands for. With 95 % confidence, between "
        f"{low:,} and {high:,} ({low / results.population:.1%} to {high / results.population:.1%})."
    )


def weights_table(sample: Sample) -> DataTable:
    """Factors and weights, as recorded with the seed before the draw."""
    rows = [
        {"what": "Every round.", "tickets": BASE_WEIGHT},
        *({"what": one.sentence, "tickets": one.adds} for one in sample.chosen_factors),
    ]
    return DataTable(
        caption="Tickets of a round",
        columns=(
            Column("What holds for it", lambda row: row["what"], is_row_heading=True),
            Column("Tickets", lambda row: row["tickets"], is_figure=True),
        ),
        rows=rows,
        name="weights",
    )


def weight_distribution_text(sample: Sample) -> str:
    """Text such as "900 of weight 1, 100 of weight 4; 1,300 tickets in all"."""
    weighed = sample.draw.weighed or {}
    spread = [f"{one['rounds']:,} of weight {one['weight']:,}" for one in weighed.get("by_weight", ())]
    return f"{', '.join(spread)}; {weighed.get('sum', 0):,} tickets in all"
