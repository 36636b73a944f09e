"""Properties are about what holds, not about how fast: no deadline, and a slow machine is no failure."""

from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
