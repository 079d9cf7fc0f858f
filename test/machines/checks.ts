/** What is looked at on each machine, as a newcomer would: the first review installs everything that it needs. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { count } from '../../src/base/count.ts'
import { lineOf } from '../helpers/needs/left-out.ts'
import type { Check, Outcome } from './contract.ts'
import { type Ended, type Entered, runInside } from './enter.ts'

/** Which suites, the first ones first, and for how long at most. */
export type Tests = { suites: readonly string[]; minutes: number }

type Look = (entered: Entered, tests: Tests) => Promise<Outcome>

export const checks: Readonly<Record<Check, Look>> = {
  'first review': async (entered) => {
    const ended = await runInside(entered, firstReview, { isSetup: true })
    return outcomeOf(ended, ended.code === 1 && ended.stdout.includes('"contract/signature-arity"'))
  },
  tests: runTests,
  ui: async (entered) => {
    const open = 'node test/machines/open-ui.mjs'
    if (entered.machine.home !== 'read-only') {
      const ended = await runInside(entered, open, { isSetup: true })
      if (ended.code !== 0 || entered.machine.checkout === 'writable')
        return outcomeOf(ended, ended.code === 0)
      // It is built by now, and found on the mount.
      const later = await runInside(entered, open)
      return outcomeOf(later, later.code === 0)
    }
    // It says what to do, and then that works.
    const ended = await runInside(entered, `${open}; XDG_STATE_HOME=/tmp/state ${open}`, { isSetup: true })
    return outcomeOf(
      ended,
      ended.code === 0 && ended.stderr.includes('set TMPDIR, XDG_CACHE_HOME and XDG_STATE_HOME'),
    )
  },
  'serve --check': async (entered) => {
    const ended = await runInside(entered, './sightline serve --check --data /tmp/data')
    return outcomeOf(ended, ended.code === 0 && ended.stdout !== '')
  },
  doctor: async (entered) => {
    const ended = await runInside(entered, './sightline doctor --no-calls')
    return outcomeOf(ended, ended.code === 0 && ended.stdout.includes('Everything required works.'))
  },
}

/** A change that breaks a call in another file. */
const firstReview = `
here=$PWD
mkdir /tmp/shop && cd /tmp/shop && git init --quiet
commit() { git add . && git -c user.name=Ada -c user.email=ada@example.com commit --quiet -m words; }
printf 'def total(items, tax):\\n    return sum(items) * tax\\n' > total.py
printf 'from total import total\\n\\nprint(total([1], 2))\\n' > use.py
commit
printf 'def total(items):\\n    return sum(items)\\n' > total.py
commit
"$here/sightline" review HEAD --json`

/** Suites that are started together; after each such group time may be up. */
const atOnce = 12

async function runTests(entered: Entered, { suites, minutes }: Tests): Promise<Outcome> {
  const setUp = await runInside(entered, 'sh scripts/setup.sh', { isSetup: true })
  const all = outcomeOf(setUp, setUp.code === 0)
  if (all.failed > 0) return all
  all.passed = 0
  const lacking = new Map<string, number>()
  let done = 0
  for (; done < suites.length && all.seconds < setUp.seconds + minutes * 60; done += atOnce) {
    const some = await runSuites(entered, suites.slice(done, done + atOnce), lacking)
    all.seconds += some.seconds
    all.passed += some.passed
    all.failed += some.failed
    all.leftOut += some.leftOut
    all.words += some.words
  }
  const left = suites.length - Math.min(done, suites.length)
  const notReached =
    left === 0 ? [] : [`after ${minutes} minutes ${count(left, 'suite')} of ${suites.length}`]
  all.why = [lineOf(lacking)?.replace(/^[^:]*: /, '') ?? [], notReached].flat().join('; ')
  return all
}

async function runSuites(
  entered: Entered,
  suites: readonly string[],
  lacking: Map<string, number>,
): Promise<Outcome> {
  const { machine, out } = entered
  const file = join(out, 'tests.json')
  rmSync(file, { force: true })
  const node = machine.testsOnOwnNode ? 'node' : 'node_modules/.bin/node'
  const reporters = '--reporter=default --reporter=./test/helpers/litter/no-litter.ts --reporter=json'
  const ended = await runInside(
    entered,
    // Nobody else works there, so that whatever is left was left by the tests.
    `export CI=true
${machine.testsOnOwnNode ? '' : 'export PATH="$PWD/node_modules/.bin:$PATH"'}
${node} node_modules/vitest/vitest.mjs run --configLoader native ${reporters} --outputFile.json=/out/tests.json ${suites.join(' ')}`,
  )
  if (!existsSync(file)) return outcomeOf(ended, false)
  const { numPassedTests, numFailedTests, testResults, success } = JSON.parse(readFileSync(file, 'utf8'))
  const isGood = success === true && ended.code === 0
  const left = (testResults as { assertionResults: { meta: { lacking?: string[] } }[] }[])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ meta }) => meta.lacking !== undefined)
  for (const thing of left.flatMap(({ meta }) => meta.lacking ?? []))
    lacking.set(thing, (lacking.get(thing) ?? 0) + 1)
  return {
    seconds: ended.seconds,
    passed: numPassedTests,
    // A file that cannot be loaded has no tests that fail.
    failed: isGood ? 0 : Math.max(1, numFailedTests),
    leftOut: left.length,
    why: '',
    words: isGood ? '' : `${ended.stdout}\n${ended.stderr}`.slice(-20_000),
  }
}

function outcomeOf({ code, stdout, stderr, seconds }: Ended, isGood: boolean): Outcome {
  const words = isGood ? '' : `exit code ${code}\n${stdout.slice(-2_000)}\n${stderr.slice(-4_000)}`
  return { seconds, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, leftOut: 0, why: '', words }
}
