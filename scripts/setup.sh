#!/bin/sh
# Installs what a checkout needs, once: the pinned packages, and the Node that runs the product. With `run`, only what the
# command itself needs, which takes half the time; whoever tests gets the rest with the first `npm test`.
# A second call costs one file comparison. Everything it says goes to stderr, so results stay clean.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
own_node="$root/.node"
is_current() { cmp -s "$root/package-lock.json" "$root/node_modules/$1"; }
runs_us() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 18) ? 0 : 1)' >/dev/null 2>&1; }

is_current .sightline-lock && exit 0
# Who has the packages for development keeps them.
[ ! -e "$root/node_modules/.sightline-lock" ] || set --
if [ "${1-}" = run ] && is_current .sightline-run; then
  [ ! -x "$own_node/node_modules/.bin/node" ] || exit 0
  if runs_us node; then exit 0; fi
fi

command -v npm >/dev/null 2>&1 || {
  echo "sightline: npm is needed to install the packages once. Install Node.js 20 or newer (it brings npm), then call this again." >&2
  exit 2
}
echo "sightline: first call in this checkout, installing packages (about half a minute) ..." >&2
log=$(mktemp)
trap 'rm -f "$log" "$log.node"' EXIT
failed() {
  cat "$1" >&2
  echo "sightline: the packages could not be installed; npm's own words are above." >&2
  exit 2
}
npm_quietly() { (cd "$root" && npm "$@" --no-audit --no-fund --loglevel=error); }

if [ "${1-}" = run ]; then
  fetching=
  if ! runs_us node; then
    # An older Node runs npm, but not the product: the pinned one is fetched while the packages are.
    version=$(sed -n 's/^ *"node": "\([0-9][0-9.]*\)",*$/\1/p' "$root/package.json")
    npm_quietly install --prefix "$own_node" --no-save --no-package-lock "node@$version" >"$log.node" 2>&1 &
    fetching=$!
  fi
  npm_quietly ci --omit=dev >"$log" 2>&1 || failed "$log"
  [ -z "$fetching" ] || wait "$fetching" || failed "$log.node"
  stamp=.sightline-run
  node=node
  [ -z "$fetching" ] || node="$own_node/node_modules/.bin/node"
else
  npm_quietly ci >"$log" 2>&1 || failed "$log"
  stamp=.sightline-lock
  node="$root/node_modules/.bin/node"
fi
runs_us "$node" || {
  echo "sightline: the npm package 'node' did not bring a Node for this machine. Put Node 22.18 or newer on the PATH and run: node $root/bin/sightline.js" >&2
  exit 2
}
cp "$root/package-lock.json" "$root/node_modules/$stamp"
