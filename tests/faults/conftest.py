"""How the fuzz run goes: short and the same each time, or long and different (`--hypothesis-profile=long`)."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "ci",
    max_examples=120,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
settings.register_profile("long", settings.get_profile("ci"), max_examples=2_000, derandomize=False)
settings.load_profile("ci")
