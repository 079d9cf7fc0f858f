#!/bin/sh
# Installs what a checkout needs, once: the pinned packages, and the Node that runs the product. Without a word all of it, as
# tests need it; with `run` only what the command itself needs, which takes half the time; with `add` what is missing of all
# of it, beside a command that is running. A second call costs one file comparison, and of several first calls at the same
# time one installs while the others wait. Everything it says goes to stderr, so results stay clean.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
what=${1-all}
own="$root/.node"
is_current() { cmp -s "$root/package-lock.json" "$root/node_modules/$1"; }
runs_us() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 18) ? 0 : 1)' >/dev/null 2>&1; }
stop() {
  echo "sightline: $1" >&2
  exit 2
}
# Who has the packages for development keeps them.
[ "$what" != run ] || [ ! -e "$root/node_modules/.sightline-lock" ] || what=all
is_ready() {
  if is_current .sightline-lock; then return 0; fi
  [ "$what" = run ] && is_current .sightline-run || return 1
  [ -x "$own/node_modules/.bin/node" ] || runs_us node
}

is_ready && exit 0
command -v npm >/dev/null 2>&1 ||
  stop "npm is needed to install the packages once. Install Node.js 20 or newer (it brings npm), then call this again."
node --version >/dev/null ||
  stop "the Node on the PATH does not run; its own words are above. A library of the system that they name has to be installed first."
{ mkdir -p "$own" && [ -w "$own" ] && [ -w "$root" ]; } 2>/dev/null ||
  stop "the packages of $root are not installed yet, and you may not write there. Call $root/sightline once as somebody who may."

# Whoever makes the folder installs. Where /proc tells, a holder that is no longer there is not waited for.
lock="$own/lock"
holder_is_gone() {
  pid=$(cat "$lock/pid" 2>/dev/null) || return 1
  if [ -d /proc/self ]; then [ ! -d "/proc/$pid" ]; else ! kill -0 "$pid" 2>/dev/null; fi
}
waited=0
until mkdir "$lock" 2>/dev/null; do
  if holder_is_gone; then
    rm -rf "$lock"
    continue
  fi
  [ "$waited" -gt 0 ] || echo "sightline: another call is installing the packages, waiting for it ..." >&2
  waited=$((waited + 1))
  [ "$waited" -lt 900 ] || stop "another call has been installing the packages for 15 minutes. If none is, remove $lock."
  sleep 1
done
log="$lock/log"
trap 'rm -rf "$lock"' EXIT
trap 'exit 130' HUP INT TERM
echo "$$" >"$lock/pid"
is_ready && exit 0

echo "sightline: first call in this checkout, installing packages (about half a minute) ..." >&2
failed() {
  cat "$1" >&2
  stop "the packages could not be installed; npm's own words are above."
}
# npm keeps what it fetched in the home, where there is one that it may write to.
home=$(node -p 'os.homedir()' 2>/dev/null) || home=
[ -w "$home" ] || [ -n "${npm_config_cache-}" ] || export npm_config_cache="$lock/npm"
# Versions are pinned and their hashes known, so what npm has already is as good as what it would ask for again.
npm_quietly() { (cd "$root" && npm "$@" --prefer-offline --no-audit --no-fund --loglevel=error); }
# The package `node` finds its program by a script when it is installed, and scripts may be switched off; this is the program.
fetch_node() {
  version=$(sed -n 's/^ *"node": "\([0-9][0-9.]*\)",*$/\1/p' "$root/package.json")
  name=$(node -p '`${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${process.platform}-${process.arch}`')
  npm_quietly install --prefix "$own" --no-save --no-package-lock "$name@$version" >"$log.node" 2>&1
}

if [ "$what" = run ]; then
  node=node
  fetching=
  if ! runs_us node; then
    # An older Node runs npm, but not the product: the pinned one is fetched while the packages are.
    node="$own/node_modules/.bin/node"
    fetch_node &
    fetching=$!
  fi
  npm_quietly ci --omit=dev >"$log" 2>&1 || failed "$log"
  [ -z "$fetching" ] || wait "$fetching" || failed "$log.node"
  stamp=.sightline-run
else
  # `npm ci` begins by removing everything, under the feet of a command that is running.
  if [ "$what" = add ] || is_current .sightline-run; then how='install --no-save'; else how=ci; fi
  # shellcheck disable=SC2086
  npm_quietly $how >"$log" 2>&1 || failed "$log"
  node="$root/node_modules/.bin/node"
  if ! runs_us "$node" && fetch_node; then ln -sf ../../.node/node_modules/.bin/node "$node"; fi
  stamp=.sightline-lock
fi
runs_us "$node" ||
  stop "npm has no Node for this machine. Put Node 22.18 or newer on the PATH and run: node $root/bin/sightline.js"
cp "$root/package-lock.json" "$root/node_modules/$stamp"
