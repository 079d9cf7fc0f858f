/** What is looked at on each machine, as a newcomer would: the first review installs everything that it needs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, Outcome } from './contract.ts'
import { type Ended, type Entered, runInside } from './enter.ts'

type Look = (entered: Entered, suites: readonly string[]) => Promise<Outcome>

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

async function runTests(entered: Entered, suites: readonly string[]): Promise<Outcome> {
  const { machine, out } = entered
  const setUp = await runInside(entered, 'sh scripts/setup.sh', { isSetup: true })
  if (setUp.code !== 0) return outcomeOf(setUp, false)
  const node = machine.testsOnOwnNode ? 'node' : 'node_modules/.bin/node'
  const ours = ['needs/left-out', 'litter/no-litter'].map((name) => `--reporter=./test/helpers/${name}.ts`)
  const reporters = ['--reporter=default', ...ours, '--reporter=json'].join(' ')
  const ended = await runInside(
    entered,
    // Nobody else works there, so that whatever is left was left by the tests.
    `export CI=true
${machine.testsOnOwnNode ? '' : 'export PATH="$PWD/node_modules/.bin:$PATH"'}
${node} node_modules/vitest/vitest.mjs run ${reporters} --outputFile.json=/out/tests.json ${suites.join(' ')}`,
  )
  const file = join(out, 'tests.json')
  if (!existsSync(file)) return outcomeOf(ended, false)
  const { numPassedTests, numFailedTests, testResults, success } = JSON.parse(readFileSync(file, 'utf8'))
  const isLeftOut = ({ meta }: { meta: { lacking?: string[] } }) => meta.lacking !== undefined
  return {
    seconds: setUp.seconds + ended.seconds,
    passed: numPassedTests,
    // A file that cannot be loaded has no tests that fail.
    failed: success === true && ended.code === 0 ? 0 : Math.max(1, numFailedTests),
    leftOut: testResults
      .flatMap((suite: { assertionResults: [] }) => suite.assertionResults)
      .filter(isLeftOut).length,
    why: /^Left out on this machine: (.*)$/m.exec(ended.stdout)?.[1] ?? '',
    words: success === true && ended.code === 0 ? '' : `${ended.stdout}\n${ended.stderr}`.slice(-30_000),
  }
}

function outcomeOf({ code, stdout, stderr, seconds }: Ended, isGood: boolean): Outcome {
  const words = isGood ? '' : `exit code ${code}\n${stdout.slice(-2_000)}\n${stderr.slice(-4_000)}`
  return { seconds, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, leftOut: 0, why: '', words }
}
