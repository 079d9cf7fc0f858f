#!/bin/sh
# `npm test`: every test. Types and lint are `npm run check`.
set -u
sh scripts/setup.sh || exit
# Tests that start a process start what users install. Where nothing can be written, they start the sources.
product=$PWD/node_modules/.cache/product
node scripts/bundle.ts "$product" >/dev/null && export SIGHTLINE_TEST_PRODUCT="$product"
# The configuration is loaded as it is: to bundle it, Vite writes beside it, and the checkout may be read-only.
exec vitest run --configLoader native "$@"
