#!/bin/sh
# Installs what a checkout needs, once: the pinned packages, and with them the Node that runs the product.
# A second call costs one file comparison. Everything it says goes to stderr, so results stay clean.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
stamp="$root/node_modules/.sightline-lock"
cmp -s "$root/package-lock.json" "$stamp" && exit 0

command -v npm >/dev/null 2>&1 || {
  echo "sightline: npm is needed to install the packages once. Install Node.js 20 or newer (it brings npm), then call this again." >&2
  exit 2
}
echo "sightline: first call in this checkout, installing packages (about half a minute) ..." >&2
log=$(mktemp)
if ! (cd "$root" && npm ci --no-audit --no-fund --loglevel=error) >"$log" 2>&1; then
  cat "$log" >&2
  rm -f "$log"
  echo "sightline: the packages could not be installed; npm's own words are above." >&2
  exit 2
fi
rm -f "$log"
"$root/node_modules/.bin/node" --version >/dev/null 2>&1 || {
  echo "sightline: the npm package 'node' did not bring a Node for this machine. Put Node 22.18 or newer on the PATH and run: node $root/bin/sightline.js" >&2
  exit 2
}
cp "$root/package-lock.json" "$stamp"
