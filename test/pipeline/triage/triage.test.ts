/** What is not worth a question: by rules, and by a scout that can only take away what rules leave open. */
import { expect, test } from 'vitest'
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import { type FileChange, FileRole, FileStatus } from '../../../src/domain/change-set.ts'
import type { ReviewEvent } from '../../../src/domain/events.ts'
import { Category } from '../../../src/domain/severity.ts'
import type { Gateway } from '../../../src/llm/contract.ts'
import { estimateTriage, type TriageInput, triageFiles } from '../../../src/pipeline/triage/triage-files.ts'
import { Random } from '../../helpers/random.ts'
import { type Say, scriptedGateway, wordsOf } from '../../helpers/scripted-gateway.ts'
import { changeBetween } from '../validation/world.ts'

function fileOf(text: string, changes: Partial<FileChange> = {}): FileChange {
  const path = changes.path ?? 'src/a.ts'
  const [file] = changeBetween({ [path]: 'old()\n' }, { [path]: `old()\n${text}\n` }, {}).files
  if (!file) throw new Error('Nothing changed.')
  return { ...file, ...changes }
}

async function triage(
  files: readonly FileChange[],
  gateway: Gateway = scriptedGateway(() => ({ files: [] })),
  { candidates = [], scout = true }: Partial<Pick<TriageInput, 'candidates' | 'scout'>> = {},
) {
  const events: ReviewEvent[] = []
  const input = {
    files,
    categories: new Set(Category.options.filter((one) => one !== 'maintainability')),
    candidates,
    scout,
    change: 'the change',
    gateway,
    fence: createFence('0123456789abcdef'),
    signal: new AbortController().signal,
  }
  const made = await triageFiles({ ...input, onEvent: (event) => events.push(event) })
  return { ...made, events, estimate: estimateTriage(input) }
}

const left = async (text: string, changes: Partial<FileChange> = {}) =>
  (await triage([fileOf(text, changes)])).files[0]?.categories

const all = Category.options
/** Of a change without a sign of cost. */
const quiet = all.filter((one) => one !== 'performance')

test.each<[string, string, Partial<FileChange>, readonly Category[]]>([
  ['source', 'two()', {}, quiet],
  ['a document', 'two', { role: 'docs' }, ['documentation', 'maintainability']],
  ['a test', 'two()', { role: 'test' }, ['correctness', 'tests', 'documentation', 'maintainability']],
  ['data', '{}', { role: 'data' }, ['correctness', 'contract', 'security']],
  ['a deleted file', '', { status: 'deleted' }, ['correctness', 'contract', 'security', 'tests']],
  ['a configuration', 'a: 1', { role: 'config' }, all.filter((one) => one !== 'tests')],
  ['comments', '// said\n/* and */\n\n * so', {}, ['documentation', 'maintainability']],
  ['comments of Python', '# said', { language: 'python' }, ['documentation', 'maintainability']],
  ['a comment that steers a tool', '// @ts-ignore', {}, quiet],
  ['a macro, which only looks like a comment', '#define A 1', { language: 'c' }, quiet],
  ['a comment and code', '// said\ntwo()', {}, quiet],
  ['a dereference at the start of a line', '*two = 1', {}, quiet],
])('%s', async (_name, text, changes, expected) => {
  expect(await left(text, changes)).toEqual(expected)
})

test('the scout is shown a numbered list, and can take away only what is open to it', async () => {
  const gateway = scriptedGateway(() => ({
    files: [
      {
        number: 1,
        leave_out: ['performance', 'security', 'correctness', 'maintainability'],
        reason: 'short',
      },
      { number: 1, leave_out: ['performance'], reason: 'said again' },
      { number: 2, leave_out: ['tests'], reason: ' ' },
      { number: 99, leave_out: ['tests'], reason: 'nowhere' },
      { number: -1.5, leave_out: ['tests'], reason: 'nowhere' },
    ],
  }))
  const files = [
    fileOf('for (const b of all) b()', { path: 'src/b.ts' }),
    fileOf('a()'),
    fileOf('x', { path: 'README.md', role: 'docs' }),
  ]
  const { files: triaged, skipped, events, estimate } = await triage(files, gateway)
  const [question] = gateway.questions
  expect(question && wordsOf(question)).toContain(
    '"files"\n1. src/a.ts (performance, tests, documentation)\n2. src/b.ts (tests, documentation)',
  )
  expect(triaged.map(({ path, by }) => `${path} ${by}`)).toEqual([
    'README.md rule',
    'src/a.ts scout',
    'src/b.ts rule',
  ])
  expect(skipped.filter(({ path }) => path !== 'README.md')).toEqual([
    { path: 'src/a.ts', category: 'performance', by: 'scout', reason: 'short' },
  ])
  expect(events).toEqual([{ type: 'triage', files: 3, skipped: 6, byScout: 1 }])
  expect(estimate).toMatchObject({ calls: 1, usd: 0.1 })
})

test.each<[string, Say]>([
  ['declines', () => ({ outcome: 'refused' })],
  ['is over budget', () => ({ outcome: 'over-budget' })],
])('a scout that %s takes nothing away', async (_name, say) => {
  const { files } = await triage([fileOf('a()')], scriptedGateway(say))
  expect(files[0]?.categories).toEqual(quiet)
})

test('nobody is asked when nothing is open, or when nobody plays the scout', async () => {
  const gateway = scriptedGateway(() => ({ files: [] }))
  const { estimate } = await triage([fileOf('x', { role: 'docs' })], gateway)
  expect([gateway.questions.length, estimate]).toEqual([0, null])
  const none = scriptedGateway(() => ({ files: [] }), null)
  expect((await triage([fileOf('a()')], none)).estimate).toBeNull()
  expect(none.questions).toEqual([])
})

test('what planes of code found is asked about, whatever a rule or the scout says', async () => {
  const gateway = scriptedGateway(() => ({
    files: [{ number: 1, leave_out: ['tests', 'performance'], reason: 'short' }],
  }))
  const candidates = [
    { anchor: { path: 'src/a.ts', tags: ['L1#aaa'] }, category: 'tests' as const },
    { anchor: { path: 'README.md', tags: ['L1#aaa'] }, category: 'security' as const },
  ]
  const files = [fileOf('a()'), fileOf('x', { path: 'README.md', role: 'docs' })]
  const { files: triaged } = await triage(files, gateway, { candidates })
  expect(triaged.map(({ categories }) => categories)).toEqual([
    ['security', 'documentation', 'maintainability'],
    all.filter((one) => one !== 'performance'),
  ])
})

test('a loop in the changed lines keeps performance from the scout; with the scout off nobody is asked', async () => {
  const gateway = scriptedGateway(() => ({
    files: [{ number: 1, leave_out: ['performance'], reason: 'short' }],
  }))
  expect((await triage([fileOf('for (const a of all) b(a)')], gateway)).skipped).toEqual([])
  const off = await triage([fileOf('a()')], gateway, { scout: false })
  expect([gateway.questions.length, off.estimate]).toEqual([1, null])
})

test('performance is asked about nowhere without a sign of cost, and everywhere with one', async () => {
  const plain = [fileOf('a()'), fileOf('b()', { path: 'src/b.ts' })]
  const idle = await triage(plain, undefined, { scout: false })
  expect(idle.skipped.map(({ path, category, by }) => `${path} ${category} ${by}`)).toEqual([
    'src/a.ts performance rule',
    'src/b.ts performance rule',
  ])
  const loop = fileOf('for (const c of all) c()', { path: 'src/c.ts' })
  expect((await triage([...plain, loop], undefined, { scout: false })).skipped).toEqual([])
})

test('whatever files and answers: each file is there once, and each category is asked or left out with a reason', async () => {
  const random = new Random(7)
  const lines = ['a()', '// said', "import { a } from './a.ts'", '', 'for (;;) {}', '# x', 'SELECT 1']
  for (let round = 0; round < 300; round++) {
    const files = Array.from({ length: random.between(1, 6) }, (_, at) =>
      fileOf(random.pick(lines), {
        path: `${random.pick(['src', '.github/workflows', 'prompts'])}/f${at}.${random.pick(['ts', 'md', 'sql', 'yml'])}`,
        role: random.pick(FileRole.options),
        status: random.pick(FileStatus.options),
        language: random.pick([null, 'typescript', 'python', 'go']),
      }),
    )
    const gateway = scriptedGateway(() => ({
      files: Array.from({ length: random.between(0, 8) }, () => ({
        number: random.between(-1, 7),
        leave_out: Category.options.filter(() => random.between(0, 1) === 0),
        reason: random.pick(['', 'ignore it', '\u202e', 'x'.repeat(5_000)]),
      })),
    }))
    const { files: triaged, skipped } = await triage(files, gateway)
    expect(triaged.map(({ path }) => path)).toEqual(files.map(({ path }) => path).sort())
    for (const { path, categories } of triaged)
      for (const category of all.filter((one) => one !== 'maintainability')) {
        const left = skipped.filter((pair) => pair.path === path && pair.category === category)
        expect(left.length + Number(categories.includes(category))).toBe(1)
        for (const { reason, by } of left) {
          expect(reason.trim()).not.toBe('')
          expect(reason.length).toBeLessThanOrEqual(200)
          if (by === 'scout') expect(['performance', 'tests', 'documentation']).toContain(category)
        }
      }
  }
})
