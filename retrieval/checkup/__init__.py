"""Settings and services to checks: what holds, what does not, and what to do about it."""
