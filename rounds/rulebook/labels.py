"""Display names of bets, void reasons, verdicts and settlement steps."""

from __future__ import annotations

from collections.abc import Collection

from compliance.core.web.ui.components import Tag
from rounds.engine import BETS, Bet, Pack, Rules, Verdict, settle

# Fallback names of bet families, for bets that the rules do not name.
FAMILY_LABELS = {
    "small": "Small",
    "big": "Big",
    "odd": "Odd",
    "even": "Even",
    "field": "Field",
    "triple": "Triple",
    "double": "Double",
    "total": "Total",
    "pair": "Two numbers",
    "single": "Single number",
    "four": "Four numbers",
    "three": "Three numbers",
    "double-single": "Double and single",
    "streak": "Super Streak",
}
SIDE_LABELS = {
    "any": "Any",
    "small": "Small",
    "big": "Big",
    "odd": "Odd",
    "even": "Even",
    "small-big": "Small or big, as the results go",
    "odd-even": "Odd or even, as the results go",
}
VOID_REASON_LABELS = {
    "not-flat": "A die did not lie flat",
    "stacked": "A die lay on another",
    "device-failed": "The shaker or tumbler failed",
    "fewer-than-three": "Fewer than three tumbles",
    "not-activated": "The tumbler was not activated",
    "exposed-early": "The result was seen before betting closed",
    "nmb-not-pressed": "The “no more bets” button was not pressed",
    "broken": "A die or the tumbler broke",
    "damaged-dice": "The dice were damaged",
    "interrupted": "The round was interrupted for a technical reason",
    "foreign-card": "A card did not belong to the shoe",
    "card-count": "The shoe held too many or too few cards",
    "insufficient-cards": "There were not enough cards left",
    "invalidated": "The result was invalidated",
}
VERDICT_TAGS = {
    Verdict.WIN: Tag("Wins", "success"),
    Verdict.LOSE: Tag("Loses", "danger"),
    Verdict.VOID: Tag("Void, stake returned", "info"),
    Verdict.OPEN: Tag("Still running", "warning"),
    Verdict.UNAPPROVED: Tag("Not approved", "warning"),
}


def humanize_slug(slug: str) -> str:
    """every-even-total → Every even total"""
    return slug.replace("-", " ").capitalize()


def void_reason_label(reason: str) -> str:
    return VOID_REASON_LABELS.get(reason, humanize_slug(reason))


def box_label(bet: Bet) -> str:
    """The text printed on the box: 8, 1-2, Any, Small."""
    if bet.numbers:
        return "-".join(map(str, bet.numbers))
    return SIDE_LABELS.get(bet.side) or FAMILY_LABELS[bet.family]


def box_name(rules: Rules, bet: Bet) -> str:
    """The document's name of the wager, with its box: Total: 8, Any triple."""
    wager = wager_name(rules, bet)
    return wager if not bet.numbers and not bet.is_streak else f"{wager}: {box_label(bet)}"


def wager_name(rules: Rules, bet: Bet) -> str:
    rule = rules.bets.get(bet.code)
    if rule is not None:
        return rule.name
    if bet.is_streak and rules.law.streak is not None:
        return rules.law.streak.name
    same_family = (
        wager for wager in rules.law.wager.values() if any(BETS[code].family == bet.family for code in wager.bets)
    )
    wager = next(same_family, None) if bet.numbers else None
    return FAMILY_LABELS[bet.family] if wager is None else wager.name


def bet_label(code: str) -> str:
    """total:8 → Total: 8, without rules to look up a name. A string that is no bet code is returned unchanged."""
    if code not in BETS:
        return code
    bet = BETS[code]
    family, label = FAMILY_LABELS[bet.family], box_label(bet)
    return family if label == family else f"{family}: {label}"


def wager_type_names(pack: Pack | None, bets: Collection[str]) -> list[str]:
    """The document's names of the types of wager that these bets make up, in its order; single boxes of a type that is
    not complete by their own names."""
    names, left = [], set(bets)
    for wager in pack.law.wager.values() if pack else ():
        if left.issuperset(wager.bets):
            names.append(wager.name)
            left.difference_update(wager.bets)
    return names + [bet_label(bet) for bet in BETS if bet in left]


def step_text_with_names(rules: Rules, step: settle.SettlementStep) -> str:
    """The engine's sentence for a step, with display names instead of codes."""
    return settle.step_text(
        step._replace(figures=tuple(_step_value_name(rules, step.kind, figure) for figure in step.figures))
    )


def _step_value_name(
    rules: Rules, kind: settle.SettlementStepKind, figure: settle.SettlementStepFigure
) -> settle.SettlementStepFigure:
    if not isinstance(figure, str):
        return figure
    if figure in BETS and kind in (
        settle.SettlementStepKind.WINS,
        settle.SettlementStepKind.LOSES,
        settle.SettlementStepKind.NOT_IN_VERSION,
        settle.SettlementStepKind.NOT_OFFERED,
    ):
        return box_name(rules, BETS[figure])
    return VOID_REASON_LABELS.get(figure, figure).lower() if kind is settle.SettlementStepKind.VOID_ROUND else figure
