#!/bin/sh
# `npm test`: types and lint run beside the tests, which wait for other processes for much of their time.
set -u
sh scripts/setup.sh || exit
npm run --silent check &
check=$!
vitest run "$@"
tests=$?
wait "$check" || {
  echo 'Types or lint failed (npm run check); the lines are above.' >&2
  exit 1
}
exit "$tests"
