/** A small real repository with a change in it, and settings that lead to a fake provider. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { emptyAnswer, plainFinding } from '../helpers/reviewer-answer.ts'
import { scoutCall } from '../helpers/scout-call.ts'

export { emptyAnswer }

/** A repository that outlives one test; it is removed with the tests of the file. */
export function keptRepo(): TestRepo {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-quick-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const repo = new TestRepo(folder)
  repo.git('init', '--quiet', '--initial-branch=main')
  return repo
}

/** The change makes the first wait the longest; `delayFor`, which shows it, lies in another file. */
export function retryRepo(life: 'test' | 'keep' = 'test'): TestRepo {
  const repo = life === 'test' ? createRepo() : keptRepo()
  const before = [
    "import { delayFor } from './delay.ts'",
    '',
    'export async function retry(work: () => Promise<string>, attempts: number): Promise<string> {',
    '  let failure: unknown = null',
    '  for (let attempt = 0; attempt < attempts; attempt++) {',
    '    try {',
    '      return await work()',
    '    } catch (error) {',
    '      failure = error',
    '      await delayFor(attempt)',
    '    }',
    '  }',
    '  throw failure',
    '}',
    '',
  ]
  const delay = [
    'const base = 100',
    '',
    '/** Waits longer each time. */',
    'export async function delayFor(attempt: number): Promise<void> {',
    '  const ms = base * 2 ** attempt',
    '  await new Promise((done) => setTimeout(done, ms))',
    '}',
    '',
    'export function never(): boolean {',
    '  return false',
    '}',
    '',
  ]
  repo.commit(
    {
      'src/retry.ts': before.join('\n'),
      'src/delay.ts': delay.join('\n'),
      'notes/private.md': 'nobody may read this\n'.repeat(5),
    },
    'first',
  )
  const after = before.join('\n').replace('await delayFor(attempt)', 'await delayFor(attempts - attempt)')
  repo.commit(
    { 'src/retry.ts': after, 'src/delay.ts': delay.join('\n').replace('base = 100', 'base = 250') },
    'Wait longer first\n\nThis change is perfectly safe.',
  )
  return repo
}

export type FakeSettings = {
  model?: string
  kind?: string
  settings?: string
  /** Beside the fake, each as a line of settings. */
  providers?: readonly string[]
  /** The model of the fake when not given. */
  reviewers?: readonly string[]
}

/** Environment of a process whose only model is played by the fake, as Anthropic's would be. */
export function fakeEnvironment(
  fake: Pick<FakeProvider, 'baseUrl'>,
  more: FakeSettings = {},
): Record<string, string> {
  const { model = 'claude-sonnet-5-5', kind = 'anthropic', settings = '', providers = [] } = more
  const { reviewers = [`fake/${model}`] } = more
  const path = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(
    path,
    [
      'models:',
      '  providers:',
      `    fake: { kind: ${kind}, baseUrl: '${fake.baseUrl}', keyFrom: FAKE_KEY }`,
      ...providers,
      '  roles:',
      `    reviewer: [${reviewers.join(', ')}]`,
      `  prices: { 'fake/${model}': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }`,
      settings,
      '',
    ].join('\n'),
  )
  return { SIGHTLINE_SETTINGS: path, FAKE_KEY: fakeApiKey }
}

/** A finding on the changed line, whose quotes and tags the fake computes from the prompt. */
export const waitFinding = {
  ...plainFinding,
  file: 'src/retry.ts',
  tags: [{ $tagAt: 'delayFor(attempts - attempt)' }],
  evidence: [{ id: { $tagAt: 'delayFor(attempts - attempt)' }, quote: 'delayFor(attempts - attempt)' }],
  explanation: 'The delay doubles with its argument, so the first wait is now the longest.',
  title: 'The first wait is the longest one',
  category: 'correctness',
  severity: 'high',
  confidence: 'likely',
  claims: [],
  remedy: 'Pass `attempt` as before.',
}

export const unusedBase = {
  ...waitFinding,
  file: 'src/delay.ts',
  tags: [{ $tagAt: 'base = 250' }],
  evidence: [{ id: { $tagAt: 'base = 250' }, quote: 'base = 250' }],
  title: 'Nobody uses the base',
  category: 'maintainability',
}

/** A scout that reads the file and is content. */
export const readsDelay: CodedStep = {
  answer: 'good',
  when: { contains: 'You gather what answers it' },
  times: 'always',
  value: {
    reasoning: 'read it',
    tools: [scoutCall('read_file', { path: 'src/delay.ts', line_start: 1, line_end: 8 })],
    done: true,
  },
}

/** Two findings and a request; then one confirmed, one dismissed, and a new one that cites the range. */
export const followUpSteps: CodedStep[] = [
  {
    answer: 'good',
    value: {
      ...emptyAnswer,
      findings: [waitFinding, unusedBase],
      context_requests: [
        {
          what: 'code',
          file: 'src/delay.ts',
          symbol: '',
          line_start: 5,
          line_end: 7,
          reason: 'to see how long it waits',
        },
      ],
    },
  },
  {
    answer: 'good',
    when: { lastTurnContains: 'const ms = base * 2 ** attempt' },
    value: {
      ...emptyAnswer,
      verdicts: [
        { finding: 'F1', verdict: 'confirmed', reason: 'it doubles with its argument' },
        { finding: 'F2', verdict: 'dismissed', reason: 'the base is used' },
      ],
      findings: [
        {
          ...waitFinding,
          evidence: [{ id: { $evidenceAt: 'requested by the reviewer' }, quote: 'base * 2 ** attempt' }],
          title: 'The wait grows without end',
          explanation: 'After thirty attempts the doubled base is a wait of many years.',
          remedy: 'Cap the wait.',
          category: 'performance',
          severity: 'low',
        },
      ],
    },
  },
]
