#!/bin/sh
# `npm test`: types and lint run beside the tests, which wait for other processes for much of their time.
set -u
sh scripts/setup.sh || exit
# Tests that start a process start what users install. Where nothing can be written, they start the sources.
product=$PWD/node_modules/.cache/product
node scripts/bundle.ts "$product" >/dev/null && export SIGHTLINE_TEST_PRODUCT="$product"
# Beside the tests the processor counts, and not memory: garbage is collected less often.
GOGC=400 npm run --silent check &
check=$!
# The configuration is loaded as it is: to bundle it, Vite writes beside it, and the checkout may be read-only.
vitest run --configLoader native "$@"
tests=$?
wait "$check" || {
  echo 'Types or lint failed (npm run check); the lines are above.' >&2
  exit 1
}
exit "$tests"
