/** Walks every row of the table of outcomes in docs/exit-codes.md through the real command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Review } from '../../src/domain/review.ts'
import { formats } from '../../src/index.ts'
import { emptyAnswer, fakeEnvironment } from '../e2e/quick-world.ts'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, type Files, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { root, sightline, sightlineProcess } from '../helpers/sightline.ts'

type Row = { outcome: string; word: string; code: number; line: string }

/** The rows as the page has them. */
const rows: Row[] =
  readFileSync(join(root, 'docs/exit-codes.md'), 'utf8')
    .split(/^\| Outcome .*\n.*\n/m)[1]
    ?.split('\n\n')[0]
    ?.split('\n')
    .map((row) => {
      const [, outcome = '', word = '', code = '', line = ''] = row.split('|').map((cell) => cell.trim())
      return { outcome, word: word.replaceAll('`', ''), code: Number(code), line }
    }) ?? []

let model: FakeProvider
beforeAll(async () => {
  const value = { ...emptyAnswer, findings: [] }
  model = await startFakeProvider('anthropic', { steps: [{ answer: 'good', times: 'always', value }] })
})
afterAll(() => model.close())

function changed(before: Files, after: Files): TestRepo {
  const repo = createRepo()
  repo.commit(before, 'before')
  repo.commit(after, 'after')
  return repo
}

const clean = () => changed({ 'a.txt': 'one\n' }, { 'a.txt': 'two\n' })
const bent = (line: string) =>
  changed(
    { 'a.ts': 'export function f(a: number) {\n  return a\n}\n' },
    { 'a.ts': `export function f(a: number) {\n${line}  return a\n}\n` },
  )
const high = () => bent('  if (a = 1) return 2\n')
const tooLarge = () => changed({ 'a.ts': '' }, { 'a.ts': 'export const a = 1\n'.repeat(70_000) })

type Scene = {
  repo: TestRepo
  args?: string[]
  env?: Record<string, string>
  signal?: AbortSignal
  /** Beside the first line. */
  check?: (review: Review) => void
}

const answering = () => fakeEnvironment(model)
const keyRefused = () => ({ ...answering(), FAKE_KEY: 'no-such-key' })

const preload = pathToFileURL(join(root, 'test/helpers/misbehave.mjs'))

/** The process ends as one does for which there is no memory; to fill 800 MB first takes most of what a test may take. */
const ended = (how: string) => ({ NODE_OPTIONS: `--import=${preload}`, SIGHTLINE_MISBEHAVE: how })
/** What the page says of one that filled them, and what is said here. */
const filled = 'it needed more than 800 MB of memory'
const broke = 'the process ended with SIGABRT, most likely because it ran out of memory'

const scenes: Record<string, () => Scene> = {
  'no findings, code checks only': () => ({ repo: clean() }),
  'no findings, a model read it all': () => ({ repo: clean(), env: answering() }),
  findings: () => ({ repo: high() }),
  'findings below `--fail-on`': () => ({ repo: bent('  debugger\n') }),
  'findings hidden by `--min-severity`': () => ({ repo: high(), args: ['--min-severity', 'critical'] }),
  'findings hidden by `--skip`': () => ({ repo: high(), args: ['--skip', 'rules'] }),
  'nothing reviewed: an empty change': () => ({ repo: clean(), args: ['--range', 'HEAD..HEAD'] }),
  'nothing reviewed: excluded by rule': () => ({
    repo: changed({ 'package-lock.json': '{}\n' }, { 'package-lock.json': '{ "a": 1 }\n' }),
  }),
  'model unavailable': () => ({ repo: clean(), env: keyRefused() }),
  'model unavailable, with a finding': () => ({ repo: high(), env: keyRefused() }),
  'model unavailable, `--allow-incomplete`': () => ({
    repo: clean(),
    args: ['--allow-incomplete'],
    env: keyRefused(),
  }),
  '`--depth quick` without a model': () => ({ repo: clean(), args: ['--depth', 'quick'] }),
  budget: () => ({ repo: clean(), args: ['--budget', '0.0001'], env: answering() }),
  incomplete: () => ({ repo: tooLarge() }),
  'incomplete, `--require-complete`': () => ({ repo: tooLarge(), args: ['--require-complete'] }),
  'stopped by the watchdog': () => ({ repo: clean(), env: ended('break-once finished rules') }),
  'stopped by the watchdog, with a finding': () => ({
    repo: high(),
    env: ended('break-once finished rules'),
    check: ({ coverage, findings, run }) => {
      const finished = coverage.stopped?.finished ?? []
      expect([findings.length, finished]).toEqual([1, expect.arrayContaining(['rules'])])
      const ran = coverage.planes.filter(({ state }) => state === 'ran').map(({ plane }) => plane)
      expect(ran.sort()).toEqual([...finished].sort())
      expect(coverage.complete).toBe(false)
      expect(Object.keys(run.stagesMs)).toContain('validate')
    },
  }),
  'stopped by the watchdog before a check finished': () => ({
    repo: high(),
    env: ended('break-after stage context'),
    check: ({ coverage, findings }) => {
      expect([findings, coverage.stopped]).toEqual([[], { stage: 'context', reason: broke, finished: [] }])
    },
  }),
  'stopped by the watchdog, `collect`': () => ({ repo: high(), env: ended('break-after stage collect') }),
  // In a process, at every stage: test/cli/interrupt.test.ts.
  interrupted: () => ({ repo: clean(), signal: AbortSignal.abort() }),
}

test('the page and the scenes name the same outcomes', () => {
  expect(rows.map(({ outcome }) => outcome)).toEqual(Object.keys(scenes))
})

/** Each of these ends a process twice: one is drawn by a seed, `npm run test:matrices` plays all of them. */
const [ofWatchdog, others] = [true, false].map((is) =>
  rows.filter(({ outcome }) => outcome.startsWith('stopped by the watchdog') === is),
)

test.each([...(others ?? []), ...drawn(ofWatchdog ?? [])])(
  '$outcome: $word, $code',
  async ({ outcome, word, code, line: asOnPage }) => {
    const line = asOnPage.replace(filled, broke)
    const scene = scenes[outcome]?.()
    if (!scene) throw new Error(`no scene for ${outcome}`)
    const { repo, args = [], env = {}, signal, check } = scene
    const isProcess = 'NODE_OPTIONS' in env
    const home = { HOME: temporaryFolder(), XDG_STATE_HOME: temporaryFolder() }
    const options = { cwd: repo.path, env: { ...home, ...env }, ...(signal && { signal }) }
    const commit = args.includes('--range') ? [] : ['--commit', 'HEAD']
    const command = ['review', '--no-cache', ...commit, ...args]
    const typed = word === 'none' ? command : [...command, '--json']
    const seen = await (isProcess ? sightlineProcess : sightline)(typed, options)
    expect(seen.code).toBe(code)
    if (word === 'none') {
      expect(seen.stdout).toBe('')
      expect(seen.stderr.split('\n')).toContain(line)
      return
    }
    const review: Review = JSON.parse(seen.stdout)
    // At 80 columns a long first line goes on in the next.
    const shown = formats.terminal(review, { color: false, width: 80, explain: false, maxInline: 8 })
    expect(shown.replace(/\n/g, ' ').startsWith(`${line} `)).toBe(true)
    expect(review.conclusion).toMatchObject({ word, headline: line })
    check?.(review)
  },
)
