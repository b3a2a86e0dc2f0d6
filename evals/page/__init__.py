"""A report as one HTML page: plots inside it, no scripts, nothing from elsewhere."""

import datetime as dt
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from evals.measures.refusals import curve
from evals.page.plots import ablation_bars, refusal_curve, score_distributions
from evals.report import FLOORS, Relevances, Report


def page_of(report: Report) -> str:
    """The whole page. What people and documents wrote stands in it as text."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = shown
    template = environment.from_string(resources.files("evals.page").joinpath("page.html").read_text("utf-8"))
    return template.render(
        report=report,
        today=dt.date.today().isoformat(),
        relevances=[
            {
                "found": found,
                "distributions": Markup(score_distributions(found)),  # noqa: S704 drawn from numbers
                "refusals": Markup(refusal_curve(found)),  # noqa: S704
                "points": points_of(found),
            }
            for found in report.relevances
        ],
        has_bars=any(figure.bar is not None for figure in report.figures),
        bars=Markup(ablation_bars(report.settings)) if report.settings else None,  # noqa: S704
        columns=list(dict.fromkeys(name for setting in report.settings for name in setting.values)),
    )


def points_of(found: Relevances) -> list[tuple[float, float, float]]:
    """The curve of refusals at round floors and at the one in force, as (floor, false refusals, refused)."""
    floors = sorted({*FLOORS[1::2], found.floor})
    return [(point.floor, point.false_refusals, point.refused) for point in curve(found.scores, floors)]


def shown(value: float) -> str:
    """Shares with three decimals, counts and times without."""
    is_count = float(value).is_integer() and value > 1
    return f"{value:,.0f}" if is_count or value >= 10 else f"{value:.3f}"
