"""What all tests share."""

import os

from hypothesis import settings

# No test is about time: machines are noisy. On a build machine the examples are the same each time.
settings.register_profile("footnote", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("footnote")
