/** A branch that gets commits between reviews: models are asked only about what is new, and no finding is lost. */
import { expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, waitFinding } from './quick-world.ts'

const price = ['export function price(amount: number): number {', '  return amount * 2', '}', '']
const cart = [
  "import { price } from './price.ts'",
  '',
  'export function total(amounts: readonly number[]): number {',
  '  return amounts.reduce((sum, amount) => sum + price(amount), 0)',
  '}',
  '',
]
const label = ['export function label(name: string): string {', '  return name.trim()', '}', '']

function edited(lines: readonly string[], from: string, to: string): string {
  return lines.join('\n').replace(from, to)
}

/** A branch that changes the total and the label. */
function branch() {
  const repo = createRepo()
  repo.commit(
    { 'src/price.ts': price.join('\n'), 'src/cart.ts': cart.join('\n'), 'src/label.ts': label.join('\n') },
    'first',
  )
  repo.git('switch', '--quiet', '--create', 'feature')
  repo.commit(
    {
      'src/cart.ts': edited(cart, ', 0)', ', 1)'),
      'src/label.ts': edited(label, 'name.trim()', 'name.trimEnd()'),
    },
    'change both',
  )
  const kept = ownFolders()
  const review = async (steps: CodedStep[], ...typed: string[]) => {
    await using provider = await startFakeProvider('anthropic', { steps })
    const env = { ...fakeEnvironment(provider), ...kept }
    const args = ['review', '--base', 'main', '--repo', repo.path, '--depth', 'quick', '--json', '-q']
    const { stdout, stderr } = await sightline([...args, ...typed], { env })
    const prompts = provider.calls.map(({ call }) => call.prompt)
    return { review: JSON.parse(stdout) as Review, prompts, stderr, mistakes: provider.mistakes }
  }
  return { repo, kept, review }
}

const startsAtOne = {
  ...waitFinding,
  file: 'src/cart.ts',
  tags: [{ $tagAt: 'price(amount), 1)' }],
  evidence: [{ id: { $tagAt: 'price(amount), 1)' }, quote: 'price(amount), 1)' }],
  title: 'The total starts at one',
  explanation: 'Every total is one too high.',
  remedy: 'Start at 0.',
}
const keepsSpace = {
  ...startsAtOne,
  file: 'src/label.ts',
  tags: [{ $tagAt: 'name.trimEnd()' }],
  evidence: [{ id: { $tagAt: 'name.trimEnd()' }, quote: 'name.trimEnd()' }],
  title: 'Space at the beginning stays',
  explanation: 'A label may begin with white space now.',
  remedy: 'Keep `trim`.',
}

function says(...findings: object[]): CodedStep[] {
  return [{ answer: 'good', value: { ...emptyAnswer, findings } }]
}

const titles = ({ findings }: Review) => findings.map(({ title }) => title).sort()
const diffs = (prompt = '') => [...prompt.matchAll(/"diff of ([^"]+)"/g)].map(([, path]) => path).sort()

test('a commit that touches one file asks about that file; what was found in the other is carried over', async () => {
  const { repo, review } = branch()
  const first = await review(says(startsAtOne, keepsSpace))
  expect(first.mistakes).toEqual([])
  expect(titles(first.review)).toEqual(['Space at the beginning stays', 'The total starts at one'])
  const head = repo.git('rev-parse', 'HEAD').trim()

  repo.commit({ 'src/label.ts': edited(label, 'name.trim()', 'name.trimEnd().toLowerCase()') }, 'lower case')
  const second = await review(says())
  expect(second.mistakes).toEqual([])
  expect(second.prompts.map(diffs)).toEqual([['src/label.ts']])
  // What was found is evidence: to be checked here, and known elsewhere.
  expect(second.prompts[0]).toMatch(
    /In files that you review now:\n[\s\S]*src\/label\.ts:2 .* Space at the beg/,
  )
  expect(second.prompts[0]).toMatch(/In other files:\n[\s\S]*src\/cart\.ts:4 .* The total starts at one/)
  expect(second.review.findings).toMatchObject([{ title: 'The total starts at one', carriedFrom: head }])
  expect(second.review.coverage.earlier).toEqual({ head, files: ['src/cart.ts'] })
  expect(second.review.conclusion.notices).toEqual([
    `A model read 1 file again: 1 file is unchanged since the review of ${head.slice(0, 12)}, whose findings still count.`,
  ])
  expect(second.review.depth).toBe('quick')

  // A third commit elsewhere: the chain goes on, with the head at which the finding was reported.
  repo.commit({ 'notes.md': 'nothing to see\n' }, 'notes')
  const third = await review(says())
  expect(third.prompts.map(diffs)).toEqual([['notes.md']])
  expect(third.review.findings).toMatchObject([{ title: 'The total starts at one', carriedFrom: head }])
})

test('when what a file uses changes, it is asked about again', async () => {
  const { repo, review } = branch()
  await review(says(startsAtOne))
  repo.commit({ 'src/price.ts': edited(price, 'amount * 2', 'amount * 3') }, 'higher prices')
  const second = await review(says(startsAtOne))
  expect(second.prompts.map(diffs)).toEqual([['src/cart.ts', 'src/price.ts']])
  expect(titles(second.review)).toEqual(['The total starts at one'])
  expect(second.review.findings[0]?.carriedFrom).toBeUndefined()
})

test('nothing relevant changed: nothing is asked; --full and the configuration ask about everything', async () => {
  const { repo, review } = branch()
  await review(says(startsAtOne, keepsSpace))
  repo.git('commit', '--quiet', '--allow-empty', '--message', 'nothing')
  const second = await review(says())
  expect(second.prompts).toEqual([])
  expect(titles(second.review)).toEqual(['Space at the beginning stays', 'The total starts at one'])
  expect(second.review.coverage).toMatchObject({
    complete: true,
    earlier: { files: ['src/cart.ts', 'src/label.ts'] },
  })
  expect(second.review.conclusion.word).toBe('NEEDS_DISCUSSION')

  const third = await review(says(keepsSpace), '--full')
  expect(third.prompts.map(diffs)).toEqual([['src/cart.ts', 'src/label.ts']])
  expect(third.review.coverage.earlier).toBeUndefined()
})
