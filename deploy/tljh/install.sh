#!/usr/bin/env bash
# Put the course into The Littlest JupyterHub. Run as root on a machine where TLJH is installed, from the course's folder:
#   sudo bash deploy/tljh/install.sh
# Not run by us: TLJH needs a machine with systemd. Safe to run again, also after an update of the course.
set -euo pipefail
cd "$(dirname "$0")/../.."
source_folder=$PWD
course=/srv/tool-use-course
user_env=/opt/tljh/user
config=/opt/tljh/config/jupyterhub_config.d

if [ ! -x "$user_env/bin/pip" ]; then
  echo "No TLJH user environment in $user_env: install The Littlest JupyterHub first." >&2
  exit 1
fi
if [ "$source_folder" != "$course" ]; then
  mkdir -p "$course"
  tar -C "$source_folder" --exclude=.venv --exclude=.uv --exclude=.git --exclude=.course -cf - . | tar -C "$course" -xf -
fi
"$user_env/bin/pip" install --quiet -r "$course/requirements.txt"
"$user_env/bin/pip" install --quiet --no-deps -e "$course"
mkdir -p "$config"
cp "$course/deploy/tljh/course.py" "$config/course.py"
tljh-config reload
echo "Done. Log in, and JupyterLab opens on the start notebook."
