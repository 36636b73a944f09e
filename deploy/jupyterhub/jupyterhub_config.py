"""JupyterHub on one Linux machine, for a class. Start it with `jupyterhub -f deploy/jupyterhub/jupyterhub_config.py`.

As it stands, people log in with accounts of the machine (PAM), and each learner's server runs under their own user:
that keeps their work apart. `COURSE_HUB_TRIAL=1` instead takes any name with one shared password and runs every server
under the user who started the hub. That isolates nobody from anybody; it is for trying out and for the tests.

| variable | meaning | without it |
|---|---|---|
| COURSE_HUB_TRIAL | 1: trial mode | accounts of the machine |
| COURSE_HUB_PASSWORD | the shared password of trial mode, 8 characters or more | trial mode does not start |
| COURSE_HUB_HOMES | where trial mode keeps the homes | homes/ beside the hub's database |
| COURSE_HUB_ADDRESS | where the hub listens | http://127.0.0.1:8000 |
| COURSE_HUB_PROXY | the command of configurable-http-proxy | configurable-http-proxy |
| COURSE_HUB_TOKEN | a token that may start and stop servers (tests, scripts) | no such token |
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub provides it)

STATE = Path.cwd()
ADDRESS = os.environ.get("COURSE_HUB_ADDRESS", "http://127.0.0.1:8000")

c.JupyterHub.bind_url = ADDRESS
c.JupyterHub.db_url = f"sqlite:///{STATE / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(STATE / "jupyterhub_cookie_secret")
c.ConfigurableHTTPProxy.command = os.environ.get("COURSE_HUB_PROXY", "configurable-http-proxy").split()

# Servers go on when the hub restarts, and the hub finds them again.
c.JupyterHub.cleanup_servers = False
c.ConfigurableHTTPProxy.should_start = True

# Starting costs a core for about two seconds: a class that logs in at once is served a few at a time.
c.JupyterHub.concurrent_spawn_limit = 4
c.Spawner.start_timeout = 180
c.Spawner.http_timeout = 120

c.Spawner.cmd = [sys.executable, "-m", "course.workshop.seat"]
c.Spawner.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
c.Spawner.environment = {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}

if os.environ.get("COURSE_HUB_TRIAL") == "1":
    HOMES = Path(os.environ.get("COURSE_HUB_HOMES", STATE / "homes"))
    c.JupyterHub.authenticator_class = "shared-password"
    c.SharedPasswordAuthenticator.user_password = os.environ["COURSE_HUB_PASSWORD"]
    c.Authenticator.allow_all = True
    c.JupyterHub.spawner_class = "simple"
    c.SimpleLocalProcessSpawner.home_dir_template = str(HOMES / "{username}")
    if os.geteuid() == 0:
        c.Spawner.args = ["--allow-root"]
else:
    c.Authenticator.allow_existing_users = True

if token := os.environ.get("COURSE_HUB_TOKEN"):
    c.JupyterHub.services = [{"name": "course-script", "api_token": token}]
    c.JupyterHub.load_roles = [
        {
            "name": "course-script",
            "scopes": ["admin:users", "admin:servers", "access:servers", "list:users"],
            "services": ["course-script"],
        }
    ]
