# Shared by the scripts beside it: finds the project, and keeps .venv equal to a lock file.
# shellcheck shell=bash

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
VENV="$ROOT/.venv"
readonly ROOT VENV

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Prints the newest python that the locks hold for and that can make an environment; HA_ASSIST_PYTHON names another.
find_python() {
  local name without_venv=""
  for name in ${HA_ASSIST_PYTHON:-python3.14 python3.13 python3.12 python3.11 python3}; do
    "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null || continue
    if "$name" -c 'import ensurepip, venv' 2>/dev/null; then
      printf '%s\n' "$name"
      return
    fi
    without_venv="$name"
  done
  [[ -z "$without_venv" ]] ||
    die "$("$without_venv" --version) has no venv module. On Debian, Ubuntu and Raspberry Pi OS: sudo apt install python3-venv"
  die "HA-Assist needs Python 3.11 to 3.14, and none was found. Install one, or name it: HA_ASSIST_PYTHON=/path/to/python3"
}

make_venv() {
  local python
  python="$(find_python)"
  printf 'Making .venv with %s\n' "$("$python" --version)" >&2
  "$python" -m venv --clear "$VENV" || die "The virtual environment $VENV could not be made; the reason stands above."
}

lock_sum() {
  "$VENV/bin/python" -c \
    'import hashlib, pathlib, sys; print(*sys.version_info[:2], hashlib.sha256(pathlib.Path(sys.argv[1]).read_bytes()).hexdigest())' \
    "$ROOT/$1"
}

# ensure_packages LOCK: installs a lock file with its hashes, only where it differs from what was installed last.
ensure_packages() {
  local lock="$1" stamp="$VENV/.installed-$1" sum
  # An environment that was moved, or broken off half made, has no python that runs.
  "$VENV/bin/python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || make_venv
  sum="$(lock_sum "$lock")"
  if [[ -f "$stamp" && "$(<"$stamp")" == "$sum" ]]; then
    return
  fi
  printf 'Installing %s\n' "$lock" >&2
  "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$ROOT/$lock" >&2 ||
    die "The packages of $lock could not be installed; the reason stands above. The first start needs the internet."
  printf '%s\n' "$sum" >"$stamp"
}
