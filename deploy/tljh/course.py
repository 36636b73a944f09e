"""For /opt/tljh/config/jupyterhub_config.d/course.py: learners' servers start in their own copy of the lessons.

Not run by us: The Littlest JupyterHub needs a machine with systemd. Written after its source of November 2026.
"""

c = get_config()  # noqa: F821 (JupyterHub provides it)
c.Spawner.cmd = ["/opt/tljh/user/bin/python", "-m", "course.workshop.seat"]
c.Spawner.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
c.JupyterHub.concurrent_spawn_limit = 4
