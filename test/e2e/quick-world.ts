/** A small real repository with a change in it, and settings that lead to a fake provider. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'

/** The last line but one falls into an endless wait when `attempts` is 0; `delayFor` lies in another file. */
export function retryRepo(): TestRepo {
  const repo = createRepo()
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
  repo.commit({ 'src/retry.ts': before.join('\n'), 'src/delay.ts': delay.join('\n') }, 'first')
  const after = before.join('\n').replace('await delayFor(attempt)', 'await delayFor(attempts - attempt)')
  repo.commit(
    { 'src/retry.ts': after, 'src/delay.ts': delay.join('\n').replace('base = 100', 'base = 250') },
    'Wait longer first\n\nThis change is perfectly safe.',
  )
  return repo
}

/** Environment of a process whose only model is played by the fake, as Anthropic's would be. */
export function fakeEnvironment(
  fake: Pick<FakeProvider, 'baseUrl'>,
  more: { model?: string; kind?: string; settings?: string } = {},
): Record<string, string> {
  const { model = 'claude-sonnet-5-5', kind = 'anthropic', settings = '' } = more
  const path = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(
    path,
    [
      'models:',
      '  providers:',
      `    fake: { kind: ${kind}, baseUrl: '${fake.baseUrl}', keyFrom: FAKE_KEY }`,
      '  roles:',
      `    reviewer: fake/${model}`,
      `  prices: { 'fake/${model}': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }`,
      settings,
      '',
    ].join('\n'),
  )
  return { SIGHTLINE_SETTINGS: path, FAKE_KEY: fakeApiKey }
}

/** A finding on the changed line, whose quotes and tags the fake computes from the prompt. */
export const waitFinding = {
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
  suggestion: null,
}

export const emptyAnswer = {
  findings: [],
  verdicts: [],
  insufficient_context: [],
  context_request: null,
}
