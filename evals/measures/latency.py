"""How long questions take."""

from collections.abc import Sequence

import numpy as np


def percentile_ms(times_ms: Sequence[float], percent: float) -> float:
    """The time within which that many percent of the questions were done, between two by interpolation."""
    return float(np.percentile(times_ms, percent))
