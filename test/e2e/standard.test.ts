/** Depth standard, end to end: a scout explores over the wire, its evidence is cited, the trace shows each turn. */
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { judging } from '../helpers/judge-answer.ts'
import { plainFinding } from '../helpers/reviewer-answer.ts'
import { scoutCall } from '../helpers/scout-call.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment } from './quick-world.ts'

function shopRepo() {
  const repo = createRepo()
  const files = {
    'AGENTS.md': 'Prices are cents.\n',
    'src/price.ts': 'export function round(cents: number): number {\n  return Math.round(cents)\n}\n',
    'src/cart.ts':
      "import { round } from './price.ts'\n\nexport function total(items: number[]): number {\n  return items.reduce((sum, item) => sum + round(item), 0)\n}\n",
    'src/page.ts':
      "import { total } from './cart.ts'\n\nexport function page(): string {\n  return String(total([1, 2]))\n}\n",
    'test/cart.test.ts':
      "import { total } from '../src/cart.ts'\n\nexport function checksTotal(): void {\n  if (total([1]) !== 1) throw new Error('wrong')\n}\n",
  }
  repo.commit(files, 'first')
  repo.commit(
    { 'src/cart.ts': files['src/cart.ts'].replace('sum + round(item)', 'sum - round(item)') },
    'second\n\nFixes #12',
  )
  return repo
}

const nextStep = (value: object) => ({
  answer: 'good' as const,
  value: { reasoning: 'look', tools: [], done: false, ...value },
})
test('explores, cites what it found, and replays without provider or repository', async () => {
  const steps = [
    nextStep({
      tools: [scoutCall('find_callers', { symbol: 'total' }), scoutCall('grep', {})],
    }),
    nextStep({
      tools: [
        scoutCall('find_callers', { symbol: 'total' }),
        scoutCall('read_file', { path: 'src/page.ts' }),
      ],
    }),
    {
      answer: 'good' as const,
      value: {
        ...emptyAnswer,
        findings: [
          {
            ...plainFinding,
            file: 'src/cart.ts',
            tags: [{ $tagAt: 'sum - round(item)' }],
            evidence: [{ id: { $evidenceAt: 'user of total' }, quote: 'total([1, 2])' }],
            title: 'The total is subtracted',
            explanation: 'The sum goes below zero.',
            category: 'correctness',
            severity: 'high',
            confidence: 'likely',
            claims: [],
            remedy: null,
          },
        ],
      },
    },
    judging({
      'The total is subtracted': {
        quotes: [{ id: { $tagAt: 'sum - round(item)' }, quote: 'sum - round(item)', bears: 'for' }],
        reason: 'It subtracts.',
        judgement: 'upheld',
      },
    }),
    // It is high, so it is judged once more.
    judging({
      'The total is subtracted': {
        quotes: [{ id: { $tagAt: 'sum - round(item)' }, quote: 'sum - round(item)', bears: 'for' }],
        reason: 'It subtracts.',
        judgement: 'upheld',
      },
    }),
  ]
  const fake = await startFakeProvider('anthropic', { steps })
  const repo = shopRepo()
  const env = { ...fakeEnvironment(fake), ...ownFolders() }
  const first = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--depth', 'standard', '--json', '--quiet'],
    { env },
  )
  expect(fake.mistakes).toEqual([])
  expect(first.stderr).toBe('')
  const prompt = fake.calls.at(-3)?.call.prompt ?? ''
  for (const part of ['Prices are cents.', 'history of these files', 'user of total'])
    expect(prompt).toContain(part)
  // What the author says comes after the code.
  expect(prompt.indexOf('Fixes #12')).toBeGreaterThan(prompt.lastIndexOf('[L'))
  const review = JSON.parse(first.stdout)
  expect([review.depth, review.findings.map(({ title }: { title: string }) => title)]).toEqual([
    'standard',
    ['The total is subtracted'],
  ])
  const cited = review.evidence.find(
    ({ id }: { id: string }) => id === review.findings[0].evidence[0].evidence,
  )
  expect(cited).toMatchObject({ path: 'src/page.ts', source: 'file' })
  expect(review.run.cost.byRole.map(({ role }: { role: string }) => role).sort()).toEqual([
    'judge',
    'reviewer',
    'scout',
  ])
  expect(review.refutations.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['upheld'])

  const shown = (await sightline(['show', 'last'], { env })).stdout
  for (const line of [
    'explore/iter-1',
    'explore/iter-2',
    'explore-iteration',
    '"why":"bad-arguments"',
    '"why":"repeated"',
    'explore-end explore: {"end":"iterations"',
  ])
    expect(shown).toContain(line)
  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})

test('a scout that cannot be used, and a bundle without sections: the review goes on and says so', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [
      { answer: 'refusal', value: emptyAnswer },
      { answer: 'good', value: emptyAnswer, times: 'always' },
    ],
  })
  const repo = shopRepo()
  repo.commit({ '.sightline.yaml': 'context:\n  leaveOut: [code, history]\n' }, 'leave out')
  repo.commit({ 'src/cart.ts': 'export function total(): number {\n  return 0\n}\n' }, 'third')
  const env = { ...fakeEnvironment(fake), ...ownFolders() }
  const { stdout } = await sightline(['context', 'HEAD', '--repo', repo.path, '--json'], { env })
  const sections = JSON.parse(stdout).around.sections.map(
    ({ name, state }: { name: string; state: string }) => `${name} ${state}`,
  )
  expect(sections).toEqual(['code left-out', 'tickets gathered', 'history left-out', 'instructions gathered'])
  const review = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--depth', 'standard', '--json', '--quiet'],
    { env },
  )
  expect(JSON.parse(review.stdout).depth).toBe('standard')
})

test('sightline context: for people, as a hash alone, twice the same; its parts are those of the base', async () => {
  const repo = shopRepo()
  const env = { XDG_STATE_HOME: temporaryFolder(), XDG_CONFIG_HOME: temporaryFolder() }
  const ask = (...more: string[]) =>
    sightline(['context', 'HEAD', '--repo', repo.path, ...more], {
      env: { ...env, XDG_CACHE_HOME: temporaryFolder() },
    })
  const people = (await ask()).stdout
  for (const part of ['code', 'src/page.ts', 'test/cart.test.ts', 'AGENTS.md', 'first'])
    expect(people).toContain(part)
  const [one, two] = [await ask('--hash'), await ask('--hash')]
  expect(one.stdout).toMatch(/^[0-9a-f]{64}\n$/)
  expect(two.stdout).toBe(one.stdout)
  expect(JSON.parse((await ask('--json')).stdout).hash).toBe(one.stdout.trim())
  const debug = (await ask('--debug')).stdout
  for (const list of ['siblings', 'used', 'callers', 'tests', 'neighbours', 'look-alikes'])
    expect(debug).toContain(list)
  const criteria = temporaryFolder()
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${criteria}/ticket.md`, '# Totals\n\n- [ ] Adds all items\n')
  expect((await ask('--ticket', `${criteria}/ticket.md`)).stdout).toContain('AC1')
})
