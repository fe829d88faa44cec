from __future__ import annotations

from hypothesis import HealthCheck, settings

# the same examples on every run, and nothing left on disk
settings.register_profile(
    "motion",
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("motion")
